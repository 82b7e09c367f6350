#include "stages/tiff/plate/row_digest.h"

namespace mezzo::tiff {

void RowDigest::add(const BitBand& rows) {
  const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
  if (rows.stride_bytes == row_bytes) {
    digest_.add(rows.data, row_bytes * rows.rows);
    return;
  }
  for (uint32_t i = 0; i < rows.rows; ++i) {
    digest_.add(rows.row(i), row_bytes);
  }
}

uint64_t digest_rows(const BitBand& rows) {
  RowDigest digest;
  digest.add(rows);
  return digest.value();
}

bool padding_is_clear(const BitBand& rows) {
  const size_t used = size_t{rows.width_px} * rows.bits_per_px;
  if (used % 8 == 0) return true;
  const size_t last = used / 8;
  const unsigned padding = 0xFFU >> used % 8;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if ((rows.row(i)[last] & padding) != 0) return false;
  }
  return true;
}

}  // namespace mezzo::tiff
