#include "pipeline/run/negative.h"

#include <algorithm>

namespace mezzo::run {

void make_negative(const BitBand& rows) {
  const size_t bytes = bit_row_bytes(rows.width_px);
  const uint32_t padding = static_cast<uint32_t>(8 * bytes) - rows.width_px;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    uint8_t* row = rows.row(i);
    std::transform(row, row + bytes, row, [](uint8_t bits) { return static_cast<uint8_t>(~bits); });
    row[bytes - 1] = static_cast<uint8_t>(row[bytes - 1] >> padding << padding);
  }
}

}  // namespace mezzo::run
