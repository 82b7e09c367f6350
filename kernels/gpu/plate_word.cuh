// Bits of a plate, for sources of kernels.
#pragma once

#include <cstdint>

namespace mezzo::gpu {

/// 32 pixels, the first in the most significant bit, in the byte order of a plate.
__device__ inline uint32_t plate_word(uint32_t bits) {
  return __byte_perm(bits, 0, 0x0123);
}

}  // namespace mezzo::gpu
