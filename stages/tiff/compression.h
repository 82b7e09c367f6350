// Compressions of plates, by the names that manifests have for them. All that is known of each is its row in
// stages/tiff/plate/codecs.cpp. Manifests include this header alone, and know no more of TIFF.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mezzo::tiff {

/// The number of a row of the table. Only rows that code has a reason to name have a name here.
enum class Compression : uint8_t { kAutomatic, kNone, kPackBits, kLzw, kDeflate, kZstd, kG3, kG4 };

struct CompressionInfo {
  Compression compression;
  std::string_view name;
  std::string_view summary;
};

/// All of them, in the order of the table.
std::vector<CompressionInfo> compressions();

std::string_view to_string(Compression compression);

/// The compression of that name; nothing when there is none.
std::optional<Compression> compression_named(std::string_view name);

}  // namespace mezzo::tiff
