#include "kernels/prepress/overlay.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::prepress {
namespace {

/// `change(plate, linework)` for the words, then the bytes, of a row; the line work's ink pixels.
template <typename Change>
uint64_t change_row(const uint8_t* linework, uint8_t* plate, size_t bytes, Change change) {
  uint64_t ink = 0;
  size_t at = 0;
  for (uint64_t work, bits; at + sizeof work <= bytes; at += sizeof work) {
    std::memcpy(&work, linework + at, sizeof work);
    std::memcpy(&bits, plate + at, sizeof bits);
    bits = change(bits, work);
    std::memcpy(plate + at, &bits, sizeof bits);
    ink += static_cast<uint64_t>(std::popcount(work));
  }
  for (; at < bytes; ++at) {
    ink += static_cast<uint64_t>(std::popcount(linework[at]));
    plate[at] = static_cast<uint8_t>(change(plate[at], linework[at]));
  }
  return ink;
}

template <typename Change>
uint64_t change_rows(const BitBand& linework, const BitBand& plate, Change change) {
  uint64_t ink = 0;
  for (uint32_t i = 0; i < plate.rows; ++i) {
    ink += change_row(linework.row(i), plate.row(i), bit_row_bytes(plate.width_px), change);
  }
  return ink;
}

/// Eight samples of 0 or 1, the first in the lowest byte, as the bits of a byte, the first in the
/// highest. No two products of the multiplication fall on one bit.
uint8_t gathered(uint64_t samples) {
  return static_cast<uint8_t>(samples * 0x8040201008040201ULL >> 56);
}

void add_row(const uint8_t* row, std::vector<uint8_t>& bits) {
  for (size_t at = 0; at < bits.size(); ++at) bits[at] = static_cast<uint8_t>(bits[at] | row[at]);
}

}  // namespace

OverlayPixels lay_over(Overlay overlay, const BitBand& linework, const BitBand& bits) {
  MZ_ASSERT(linework.width_px == bits.width_px && linework.rows == bits.rows);
  switch (overlay) {
    case Overlay::kPrint:
      return {change_rows(linework, bits, [](uint64_t p, uint64_t l) { return p | l; }), 0};
    case Overlay::kKnockOut:
      return {0, change_rows(linework, bits, [](uint64_t p, uint64_t l) { return p & ~l; })};
    case Overlay::kKeep:
      break;
  }
  return {};
}

OverlayPixels lay_over(std::span<const Overlay> overlays,
                       std::span<const BitBand> linework,
                       const BitBand& bits) {
  MZ_ASSERT(overlays.size() == linework.size());
  if (linework.size() == 1) return lay_over(overlays.front(), linework.front(), bits);
  const size_t row_bytes = bit_row_bytes(bits.width_px);
  std::vector<uint8_t> prints(row_bytes), knocks_out(row_bytes);
  OverlayPixels sum;
  for (uint32_t i = 0; i < bits.rows; ++i) {
    std::ranges::fill(prints, 0);
    std::ranges::fill(knocks_out, 0);
    for (size_t k = 0; k < linework.size(); ++k) {
      if (overlays[k] == Overlay::kKeep) continue;
      add_row(linework[k].row(i), overlays[k] == Overlay::kPrint ? prints : knocks_out);
    }
    uint8_t* out = bits.row(i);
    for (size_t at = 0; at < row_bytes; ++at) {
      const auto free = static_cast<uint8_t>(knocks_out[at] & ~prints[at]);
      sum.printed_px += static_cast<uint64_t>(std::popcount(prints[at]));
      sum.knocked_out_px += static_cast<uint64_t>(std::popcount(free));
      out[at] = static_cast<uint8_t>((out[at] & ~free) | prints[at]);
    }
  }
  return sum;
}

void pack_bits(const SampleBand& samples, uint8_t ink, const BitBand& bits) {
  MZ_ASSERT(samples.bytes_per_sample == 1 && samples.width_px == bits.width_px);
  for (uint32_t i = 0; i < bits.rows; ++i) {
    const uint8_t* in = samples.row8(i);
    uint8_t* out = bits.row(i);
    for (uint32_t x = 0; x < bits.width_px; x += 8) {
      uint64_t eight = 0;
      for (uint32_t k = 0; k < 8 && x + k < bits.width_px; ++k) {
        eight |= uint64_t{in[x + k] == ink} << 8 * k;
      }
      out[x / 8] = gathered(eight);
    }
  }
}

}  // namespace mezzo::prepress
