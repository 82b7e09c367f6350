// Strips of fax: decoded side by side, code by code and by libtiff, and coded again.
//
// An input has 4 bytes before its codes: bit 0 of the first chooses T.4, the others of it and the second
// are the width, the third the rows; the fourth says how many strips are made of it, side by side.

#include <algorithm>
#include <optional>

#include "kernels/codec/fax_decode.h"
#include "kernels/codec/fax_encode.h"
#include "kernels/codec/fax_strip.h"
#include "stages/tiff/plate/encode.h"
#include "tests/fuzz/support.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/memory_tiff.h"

namespace mezzo::fuzz {
namespace {

using codec::FaxCoding;
using Rows = std::vector<uint8_t>;

constexpr size_t kHeadBytes = 4;
constexpr uint32_t kMostWidth = 4096, kMostRows = 96, kMostStrips = 20;

struct Shape {
  FaxCoding coding;
  uint32_t width, rows, strips;
  size_t row_bytes() const { return bit_row_bytes(width); }
  BitBand band(Rows& bits) const { return {bits.data(), width, rows, row_bytes()}; }
};

Shape shape_of(const Bytes& input) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(input[i]); };
  return {byte(0) % 2 == 0 ? FaxCoding::kG4 : FaxCoding::kG3,
          1 + (byte(0) / 2 * 256 + byte(1)) % kMostWidth,
          1 + byte(2) % kMostRows,
          1 + byte(3) % kMostStrips};
}

struct Decoded {
  uint32_t right_rows = 0;
  Rows bits;  ///< of these rows alone
  bool operator==(const Decoded&) const = default;
};

Decoded by_codes(std::span<const std::byte> coded, const Shape& shape) {
  Rows bits(shape.row_bytes() * shape.rows, 0xA5);
  codec::FaxStripDecoder decoder(coded, shape.band(bits), shape.coding);
  decoder.decode();
  bits.resize(shape.row_bytes() * decoder.right_rows());
  return {decoder.right_rows(), bits};
}

/// Strips that begin with the whole input and then lack more and more of its end.
void check_side_by_side(std::span<const std::byte> coded, const Shape& shape) {
  std::vector<Rows> bits(shape.strips, Rows(shape.row_bytes() * shape.rows, 0x5A));
  std::vector<codec::FaxStrip> strips;
  for (uint32_t i = 0; i < shape.strips; ++i) {
    strips.push_back(
        {coded.first(coded.size() - coded.size() * i / kMostStrips), shape.band(bits[i])});
  }
  codec::decode_fax(strips, shape.coding);
  for (uint32_t i = 0; i < shape.strips; ++i) {
    demand(strips[i].right_rows <= shape.rows, "more rows than there are");
    bits[i].resize(shape.row_bytes() * strips[i].right_rows);
    demand(Decoded{strips[i].right_rows, bits[i]} == by_codes(strips[i].coded, shape),
           "strips side by side differ from those decoded by codes");
  }
}

/// All rows as libtiff reads them; nothing where it fails.
std::optional<Rows> by_libtiff(std::span<const std::byte> coded, const Shape& shape) {
  test::MemoryTiff file;
  TIFF* tiff = file.open("wm");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, shape.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, shape.rows);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, shape.rows);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  TIFFSetField(tiff,
               TIFFTAG_COMPRESSION,
               shape.coding == FaxCoding::kG4 ? COMPRESSION_CCITTFAX4 : COMPRESSION_CCITTFAX3);
  Bytes copy(coded.begin(), coded.end());
  TIFFWriteRawStrip(tiff, 0, copy.data(), static_cast<tmsize_t>(copy.size()));
  TIFFClose(tiff);
  tiff = file.open("rm");
  Rows bits(shape.row_bytes() * shape.rows);
  const auto bytes = static_cast<tmsize_t>(bits.size());
  const bool is_read =
      tiff != nullptr && TIFFReadEncodedStrip(tiff, 0, bits.data(), bytes) == bytes;
  if (tiff != nullptr) TIFFClose(tiff);
  if (!is_read) return std::nullopt;
  return bits;
}

void check_again(Rows bits, const Shape& shape) {
  const codec::Fax fax = shape.coding == FaxCoding::kG4 ? codec::Fax::kT6 : codec::Fax::kT4;
  Bytes coded(codec::most_fax_bytes(shape.width, shape.rows));
  coded.resize(codec::encode_fax(shape.band(bits), fax, coded));
  demand(by_codes(coded, shape) == Decoded{shape.rows, bits},
         "rows that were coded decode to others");
  const auto compression =
      shape.coding == FaxCoding::kG4 ? tiff::Compression::kG4 : tiff::Compression::kG3;
  passes([&] {
    demand(coded == tiff::encode_strip_by_libtiff(shape.band(bits), compression),
           "libtiff codes these rows otherwise");
  });
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (const uint32_t kind : {0U, 1U, 2U, 3U, 4U, 5U}) {
    const uint32_t width = kind < 2 ? 70 : 700, rows = 40;
    test::Bits bits = kind % 3 == 0   ? test::Bits::bars(width, rows)
                      : kind % 3 == 1 ? test::Bits::diffused(width, rows)
                                      : test::Bits::noise(width, rows);
    const bool is_g3 = kind % 2 == 1;
    Bytes seed = {std::byte((width - 1) / 256 * 2 + (is_g3 ? 1 : 0)),
                  std::byte((width - 1) % 256),
                  std::byte(rows - 1),
                  std::byte(kind * 4)};
    Bytes coded(codec::most_fax_bytes(width, rows));
    coded.resize(codec::encode_fax(bits.band(), is_g3 ? codec::Fax::kT4 : codec::Fax::kT6, coded));
    seed.insert(seed.end(), coded.begin(), coded.end());
    all.push_back(seed);
  }
  return all;
}

void change(Bytes& input, Random& random) {
  change_bytes(input, random);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  if (input.size() < kHeadBytes) return false;
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  const Shape shape = shape_of(input);
  const Bytes own(input.begin() + kHeadBytes, input.end());  // it ends where its memory does
  check_side_by_side(own, shape);
  const Decoded decoded = by_codes(own, shape);
  if (decoded.right_rows < shape.rows) return false;
  const auto other = by_libtiff(own, shape);
  demand(!other || *other == decoded.bits, "libtiff reads other rows");
  check_again(decoded.bits, shape);
  return true;
}

}  // namespace mezzo::fuzz
