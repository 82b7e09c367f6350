#include "stages/tiff/plate/codecs.h"

#include <tiff.h>

#include <algorithm>
#include <array>

#include "kernels/base/error.h"
#include "kernels/codec/packbits.h"
#include "stages/tiff/plate/deflate.h"
#include "stages/tiff/plate/fax.h"
#include "stages/tiff/plate/zstd_window.h"

namespace mezzo::tiff {
namespace {

using device_chain::Coding;

/// Measured as kDeflateLevel: level 1 (1,570 to 4,950 Mpx/s) and 9, libtiff's default, differ by 2 % of raw
/// at most, either way, but 9 spends 480 us a strip on its tables alone.
constexpr int kZstdLevel = 1;

std::span<const uint8_t> bytes_of(const BitBand& rows) {
  return {rows.data, rows.stride_bytes * rows.rows};
}

std::vector<std::byte> encode_raw(const BitBand& rows) {
  const auto bytes = std::as_bytes(bytes_of(rows));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> encode_packbits(const BitBand& rows) {
  return codec::packbits(bytes_of(rows), rows.stride_bytes);
}

std::vector<std::byte> encode_deflate(const BitBand& rows) {
  return deflate_strip(bytes_of(rows), rows.stride_bytes);
}

/// In the order of the enumeration, which ends before they do.
constexpr std::array kCodecs = {
    Codec{.name = "auto",
          .summary = "the smallest of none, packbits and g4 on some strips of the page; lzw where "
                     "that saves "
                     "another third of raw",
          .worst = {7, 4}},  // of g4
    Codec{.name = "none",
          .summary = "raw rows; every reader takes them",
          .tiff_number = COMPRESSION_NONE,
          .worst = {1, 0},
          .encode = encode_raw,
          .on_gpu = Coding::kRaw},
    Codec{.name = "packbits",
          .summary = "runs of bytes; fast, small for blank areas only",
          .tiff_number = COMPRESSION_PACKBITS,
          .worst = {2, 2},  // a byte of length for 128 bytes
          .encode = encode_packbits},
    Codec{.name = "lzw",
          .summary = "dictionary; the safe choice for error diffusion",
          .tiff_number = COMPRESSION_LZW,
          .worst = {2, 2}},  // a code of 12 bits for a byte, now and then a clear code
    Codec{.name = "deflate",
          .summary =
              "dictionary and Huffman codes; smaller than lzw, but not every plate-setter reads it",
          .tiff_number = COMPRESSION_ADOBE_DEFLATE,
          .worst = {2, 2},  // stored blocks with headers of a few bytes
          .level = {TIFFTAG_ZIPQUALITY, kDeflateLevel},
          .encode = encode_deflate},
    Codec{.name = "zstd",
          .summary = "Zstandard; small, but few print workflows read it",
          .tiff_number = COMPRESSION_ZSTD,
          .worst = {2, 2},  // as deflate
          .level = {TIFFTAG_ZSTD_LEVEL, kZstdLevel},
          .check = check_zstd_window},
    // Runs of one pixel: white 6 bits, black 3. An end-of-line code, an empty white run.
    Codec{.name = "g3",
          .summary = "CCITT fax group 3, one-dimensional; for old receivers",
          .tiff_number = COMPRESSION_CCITTFAX3,
          .worst = {5, 4},
          .is_bilevel = true,
          .encode = encode_g3,
          .decode = decode_g3,
          .decodes_faster = decodes_fax_faster},
    // No mode takes more than the 7 bits of the longest vertical code for a pixel; horizontal mode takes 12 for
    // two. The row's start and, once a strip, the end-of-block code.
    Codec{.name = "g4",
          .summary = "CCITT fax group 4; smallest for text and screens, not for diffusion",
          .tiff_number = COMPRESSION_CCITTFAX4,
          .worst = {7, 4},
          .is_bilevel = true,
          .encode = encode_g4,
          .decode = decode_g4,
          .decodes_faster = decodes_fax_faster,
          .on_gpu = Coding::kT6},
};

constexpr bool is_named(Compression compression, std::string_view name) {
  return kCodecs[static_cast<size_t>(compression)].name == name;
}
static_assert(is_named(Compression::kAutomatic, "auto") && is_named(Compression::kNone, "none") &&
              is_named(Compression::kPackBits, "packbits") && is_named(Compression::kLzw, "lzw") &&
              is_named(Compression::kDeflate, "deflate") && is_named(Compression::kZstd, "zstd") &&
              is_named(Compression::kG3, "g3") && is_named(Compression::kG4, "g4"));

/// The compression of the first row of which `wanted` is true.
template <typename Wanted>
std::optional<Compression> find(const Wanted& wanted) {
  const auto* const found = std::ranges::find_if(kCodecs, wanted);
  if (found == kCodecs.end()) return std::nullopt;
  return static_cast<Compression>(found - kCodecs.begin());
}

}  // namespace

const Codec& codec_of(Compression compression) {
  return kCodecs.at(static_cast<size_t>(compression));
}

std::optional<Compression> compression_of_tiff(uint16_t number) {
  return find([&](const Codec& codec) { return number != 0 && codec.tiff_number == number; });
}

decltype(Codec::decode) decoder_of(Compression compression, uint32_t bits_per_px, size_t strips) {
  const Codec& codec = codec_of(compression);
  if (codec.decode == nullptr || (codec.is_bilevel && bits_per_px != 1)) return nullptr;
  const bool is_best = codec.decodes_faster == nullptr || codec.decodes_faster(strips);
  return is_best ? codec.decode : nullptr;
}

std::vector<CompressionInfo> compressions() {
  std::vector<CompressionInfo> infos;
  for (const Codec& codec : kCodecs) {
    infos.push_back({static_cast<Compression>(infos.size()), codec.name, codec.summary});
  }
  return infos;
}

std::string_view to_string(Compression compression) {
  return codec_of(compression).name;
}

std::optional<Compression> compression_named(std::string_view name) {
  return find([&](const Codec& codec) { return codec.name == name; });
}

}  // namespace mezzo::tiff
