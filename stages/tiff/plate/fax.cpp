#include "stages/tiff/plate/fax.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/codec/fax_encode.h"

namespace mezzo::tiff {
namespace {

/// Whether libtiff, and so most readers, cannot decode the rows from G3: its table holds as many
/// runs as there are pixels, rounded up to 32, and a row that starts with ink and changes at every
/// pixel has one more, the empty white run before the first.
bool overflows_g3_readers(const BitBand& rows) {
  if (rows.width_px % 32 != 0) return false;
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    const uint8_t* row = rows.row(i);
    if (std::all_of(row, row + row_bytes, [](uint8_t bits) { return bits == 0xAA; })) return true;
  }
  return false;
}

std::vector<std::byte> encode(const BitBand& rows, codec::Fax fax) {
  thread_local std::vector<std::byte> scratch;
  const size_t most = codec::most_fax_bytes(rows.width_px, rows.rows);
  if (scratch.size() < most) scratch.resize(most);
  const size_t bytes = codec::encode_fax(rows, fax, scratch);
  return {scratch.begin(), scratch.begin() + static_cast<ptrdiff_t>(bytes)};
}

}  // namespace

std::vector<std::byte> encode_g3(const BitBand& rows) {
  if (!overflows_g3_readers(rows)) return encode(rows, codec::Fax::kT4);
  throw Error(ErrorKind::kUnsupported,
              "a row alternates between ink and paper at every pixel, which most readers cannot "
              "decode from g3",
              "choose another compression, such as auto");
}

std::vector<std::byte> encode_g4(const BitBand& rows) {
  return encode(rows, codec::Fax::kT6);
}

void decode_g3(std::span<codec::FaxStrip> strips) {
  codec::decode_fax(strips, codec::FaxCoding::kG3);
}

void decode_g4(std::span<codec::FaxStrip> strips) {
  codec::decode_fax(strips, codec::FaxCoding::kG4);
}

bool decodes_fax_faster(size_t strips) {
  return strips > 1 && codec::decodes_fax_side_by_side();
}

}  // namespace mezzo::tiff
