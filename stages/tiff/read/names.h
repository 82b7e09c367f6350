// Words for the numbers in TIFF tags, and names for inks. Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// "LZW", "old-style JPEG", or "unknown" for an undefined number.
std::string_view compression_name(uint64_t compression);

/// True for the compressions that we decode.
bool is_compression_supported(uint64_t compression);

std::string_view photometric_name(uint32_t photometric);
std::string_view sample_format_name(uint32_t sample_format);

/// A tag's text on one line: control characters become spaces, cut at 255 bytes.
std::string one_line(std::string_view text);

/// The kind of a page, for people: "8-bit grey, LZW, 64-row strips".
std::string describe_format(const PageLayout& layout);

/// Block `index`, for messages: "strip 2 (rows 128..191)", "tile 7 (columns 0..63, rows 64..127)".
/// Counted from 0, as libtiff does.
std::string block_name(const PageLayout& layout, uint32_t index);

}  // namespace mezzo::tiff
