// The common parts of the schedules with one launch per pixel wavefront.
#pragma once

#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/gpu/pixel_wavefronts.h"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::diffusion {

inline constexpr uint32_t kPixelThreads = 128;  ///< of a CUDA block, a row each

template <Rule R>
inline constexpr uint32_t kSlopeOf = slope(R::kPattern);

template <Rule R>
using WavefrontsOf = PixelWavefronts<kSlopeOf<R>>;

/// The pixels of one wavefront, a thread each.
struct PixelWavefront {
  uint32_t k;
  uint32_t first_row;
  uint32_t last_row;  ///< not in it
};

/// Launches `kernel(arguments..., wavefront)` for one wavefront after the other, as a chain of
/// gpu/launch.cuh.
template <uint32_t kSlope, typename... Parameters, typename... Arguments>
void launch_wavefronts(const char* doing,
                       const PixelWavefronts<kSlope>& wavefronts,
                       cudaStream_t stream,
                       void (*kernel)(Parameters...),
                       const Arguments&... arguments) {
  auto start = gpu::Start::kAfterPrevious;
  for (uint32_t k = 0; k < wavefronts.count(); ++k) {
    const PixelWavefront at = {k, wavefronts.first_row(k), wavefronts.last_row(k)};
    if (at.first_row >= at.last_row) continue;
    const uint32_t blocks = (at.last_row - at.first_row + kPixelThreads - 1) / kPixelThreads;
    gpu::launch(doing, kernel, dim3(blocks), kPixelThreads, stream, start, arguments..., at);
    start = gpu::Start::kBesidePrevious;
  }
}

/// Puts down the bit of a pixel. Wavefronts reach the pixels of a word from left to right and one
/// at a time: the first writes the word, padding and all, the others add to it.
__device__ inline void put_bit(const DeviceBand& band, uint32_t x, uint32_t i, bool ink) {
  uint32_t& word = band.words[size_t{i} * band.row_words() + x / 32];
  const uint32_t bit = gpu::plate_word(uint32_t{ink} << (31 - x % 32));
  word = x % 32 == 0 ? bit : word | bit;
}

}  // namespace mezzo::diffusion
