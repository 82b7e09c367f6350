#include "pipeline/run/finish.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mezzo::run {
namespace {

constexpr std::array<uint8_t, 256> reversed_bytes() {
  std::array<uint8_t, 256> reversed{};
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((i >> bit & 1) != 0) reversed[i] = static_cast<uint8_t>(reversed[i] | 0x80U >> bit);
    }
  }
  return reversed;
}
constexpr std::array<uint8_t, 256> kReversed = reversed_bytes();

/// The padding bits are in front once the bytes and the bits in them are reversed.
void mirror_row(uint8_t* row, size_t bytes, uint32_t padding) {
  std::reverse(row, row + bytes);
  for (size_t i = 0; i < bytes; ++i) {
    const unsigned next = i + 1 < bytes ? kReversed[row[i + 1]] : 0U;
    row[i] = static_cast<uint8_t>(kReversed[row[i]] << padding | next >> (8 - padding));
  }
}

void negate_row(uint8_t* row, size_t bytes, uint32_t padding) {
  for (size_t i = 0; i < bytes; ++i) row[i] = static_cast<uint8_t>(~row[i]);
  row[bytes - 1] = static_cast<uint8_t>(row[bytes - 1] & 0xFFU << padding);
}

}  // namespace

void finish_rows(const BitBand& rows, Finish finish) {
  const size_t bytes = bit_row_bytes(rows.width_px);
  const auto padding = static_cast<uint32_t>(8 * bytes - rows.width_px);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if (finish.mirror) mirror_row(rows.row(i), bytes, padding);
    if (finish.negative) negate_row(rows.row(i), bytes, padding);
  }
}

}  // namespace mezzo::run
