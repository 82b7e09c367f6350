// The codecs of plates: one table with all that other code asks about a compression. Nothing else compares a
// compression with the name of a codec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/fax_decode.h"
#include "kernels/device_chain/strips.h"
#include "stages/tiff/compression.h"

namespace mezzo::tiff {

struct StoredBlock;

/// The most bits of a coded pixel, in the worst pattern, and the bytes that each row may take in addition.
struct WorstCase {
  uint64_t pixel_bits = 1;
  uint64_t row_bytes = 0;
};

/// A tag of libtiff's own that sets how hard a coder tries; tag 0: the coder has none.
struct CodecLevel {
  uint32_t tag = 0;
  int level = 0;
};

using StripToDecode = codec::FaxStrip;

/// A row of the table. Functions may be called by any number of threads at once.
struct Codec {
  std::string_view name, summary;  ///< as manifests and their help have them
  uint16_t tiff_number = 0;        ///< of tag Compression; 0: no file has it
  WorstCase worst = {};
  bool is_bilevel = false;  ///< pixels of one bit only
  CodecLevel level = {};

  /// Codes a strip whose rows have no gaps between them; null: libtiff does. Throws Error(kUnsupported) for rows
  /// that most readers cannot decode.
  std::vector<std::byte> (*encode)(const BitBand& rows) = nullptr;

  /// Decodes strips, as codec::decode_fax(); null: libtiff does.
  void (*decode)(std::span<StripToDecode> strips) = nullptr;
  /// Whether `decode` is faster than libtiff for so many strips; null: libtiff cannot decode them.
  bool (*decodes_faster)(size_t strips) = nullptr;
  /// Refuses a strip that would take more memory to decode than those that mezzotint writes; null: no strip does.
  /// `decoding` begins its message: "a.tif: decoding strip 1 of page 1". Throws Error.
  void (*check)(const StoredBlock& strip, const std::string& decoding) = nullptr;

  /// What a GPU sends so that threads need not code it; none: threads code its raw rows.
  std::optional<device_chain::Coding> on_gpu = {};
};

const Codec& codec_of(Compression compression);

/// The compression with this number in tag Compression; nothing when plates do not have it.
std::optional<Compression> compression_of_tiff(uint16_t number);

/// The decoder to take for so many strips of plates; null: libtiff.
decltype(Codec::decode) decoder_of(Compression compression, uint32_t bits_per_px, size_t strips);

}  // namespace mezzo::tiff
