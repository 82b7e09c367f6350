#include "kernels/prepress/finish.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mezzo::prepress {
namespace {

/// Bytes with the order of their pixels reversed.
constexpr std::array<uint8_t, 256> reversed_bytes(unsigned bits_per_px) {
  std::array<uint8_t, 256> reversed{};
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned at = 0; at < 8; at += bits_per_px) {
      const unsigned pixel = i >> at & ((1U << bits_per_px) - 1);
      reversed[i] = static_cast<uint8_t>(reversed[i] | pixel << (8 - bits_per_px - at));
    }
  }
  return reversed;
}
constexpr std::array<uint8_t, 256> kReversed1 = reversed_bytes(1);
constexpr std::array<uint8_t, 256> kReversed2 = reversed_bytes(2);
constexpr std::array<uint8_t, 256> kReversed4 = reversed_bytes(4);

/// The padding bits are in front once the bytes and the bits in them are reversed.
void mirror_row(uint8_t* row,
                size_t bytes,
                uint32_t padding,
                const std::array<uint8_t, 256>& reversed) {
  std::reverse(row, row + bytes);
  for (size_t i = 0; i < bytes; ++i) {
    const unsigned next = i + 1 < bytes ? reversed[row[i + 1]] : 0U;
    row[i] = static_cast<uint8_t>(reversed[row[i]] << padding | next >> (8 - padding));
  }
}

void negate_row(uint8_t* row, size_t bytes, uint32_t padding) {
  for (size_t i = 0; i < bytes; ++i) row[i] = static_cast<uint8_t>(~row[i]);
  row[bytes - 1] = static_cast<uint8_t>(row[bytes - 1] & 0xFFU << padding);
}

}  // namespace

void finish_rows(const BitBand& rows, Finish finish) {
  const size_t bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
  const auto padding = static_cast<uint32_t>(8 * bytes - size_t{rows.width_px} * rows.bits_per_px);
  const auto& reversed = rows.bits_per_px == 1   ? kReversed1
                         : rows.bits_per_px == 2 ? kReversed2
                                                 : kReversed4;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if (finish.mirror) mirror_row(rows.row(i), bytes, padding, reversed);
    if (finish.negative) negate_row(rows.row(i), bytes, padding);
  }
}

}  // namespace mezzo::prepress
