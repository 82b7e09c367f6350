// The kind of a file by its first bytes, for messages about files whose name says another.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mezzo::files {

/// The bytes at the start of a file that kind_of_content() looks at.
inline constexpr size_t kContentHeadBytes = 16;

/// "a PDF file", "a TIFF file", ...; empty for a kind that is not known here.
std::string_view kind_of_content(std::span<const std::byte> head);

/// Whether a file begins as a TIFF does: classic or BigTIFF, in either byte order. It may be cut off after that.
bool begins_as_tiff(std::span<const std::byte> head);

}  // namespace mezzo::files
