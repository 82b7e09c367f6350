// Bits of a plate, for sources of kernels.
#pragma once

#include <cstdint>

namespace mezzo::gpu {

/// 32 pixels, the first in the most significant bit, in the byte order of a plate.
__device__ inline uint32_t plate_word(uint32_t bits) {
  return __byte_perm(bits, 0, 0x0123);
}

/// A bit for each pixel of `bits_per_px`, 2 or 4, bits of a word that has the value: the lowest of
/// its bits.
__device__ inline uint32_t pixels_of_value(uint32_t bits, uint32_t bits_per_px, uint32_t value) {
  const uint32_t lowest = bits_per_px == 2 ? 0x55555555U : 0x11111111U;
  uint32_t differing = bits ^ value * lowest;
  differing |= differing >> 1;
  if (bits_per_px == 4) differing |= differing >> 2;
  return ~differing & lowest;
}

}  // namespace mezzo::gpu
