// Compressions of plates, by the names that manifests have for them. A header alone: manifests
// include it, and know no more of TIFF.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mezzo::tiff {

enum class Compression { kAutomatic, kNone, kPackBits, kLzw, kDeflate, kZstd, kG3, kG4 };

struct CompressionInfo {
  Compression compression;
  std::string_view name;
  std::string_view summary;
};

inline constexpr CompressionInfo kCompressions[] = {
    {Compression::kAutomatic,
     "auto",
     "the smallest of none, packbits and g4 on some strips of the page; lzw where that saves "
     "another third of raw"},
    {Compression::kNone, "none", "raw rows; every reader takes them"},
    {Compression::kPackBits, "packbits", "runs of bytes; fast, small for blank areas only"},
    {Compression::kLzw, "lzw", "dictionary; the safe choice for error diffusion"},
    {Compression::kDeflate,
     "deflate",
     "dictionary and Huffman codes; smaller than lzw, but not every plate-setter reads it"},
    {Compression::kZstd, "zstd", "Zstandard; small, but few print workflows read it"},
    {Compression::kG3, "g3", "CCITT fax group 3, one-dimensional; for old receivers"},
    {Compression::kG4, "g4", "CCITT fax group 4; smallest for text and screens, not for diffusion"},
};

/// All of them, in the order of the enumeration.
constexpr std::span<const CompressionInfo> compressions() {
  return kCompressions;
}

constexpr std::string_view to_string(Compression compression) {
  return kCompressions[static_cast<size_t>(compression)].name;
}

/// The compression of that name; nothing when there is none.
constexpr std::optional<Compression> compression_named(std::string_view name) {
  for (const CompressionInfo& info : kCompressions) {
    if (info.name == name) return info.compression;
  }
  return std::nullopt;
}

}  // namespace mezzo::tiff
