// Error collection pixel by pixel, for the schedules that differ in where pixels are stored: fetch
// from the four finished neighbours (Kasagi et al. section II, COLLECT).
//
// `Pixels` is that storage: tone(x, i) and residue(x, i) of the band's finished pixels.
#pragma once

#include "kernels/diffusion/gpu/pixel_launch.cuh"

namespace mezzo::diffusion {

/// The sum of the shares that row i hands to column x of the row below it.
template <Rule R, typename Pixels>
__device__ int handed_down(
    const R& rule, const Pixels& pixels, uint32_t width_px, uint32_t x, uint32_t i) {
  const auto shares_of = [&](uint32_t column) {
    return rule.shares(pixels.residue(column, i), pixels.tone(column, i));
  };
  int sum = 0;
  if constexpr (R::kPattern.up_left) {
    if (x > 0) sum += shares_of(x - 1).down_right;
  }
  if constexpr (R::kPattern.up) {
    sum += shares_of(x).down;
  }
  if constexpr (R::kPattern.up_right) {
    if (x + 1 < width_px) sum += shares_of(x + 1).down_left;
  }
  return sum;
}

/// The decision on a pixel whose neighbours are finished.
template <Rule R, typename Pixels>
__device__ Decision
collect(const R& rule, const DeviceBand& band, const Pixels& pixels, uint32_t x, uint32_t i) {
  int collected = i == 0 ? band.above[x] : handed_down(rule, pixels, band.width_px, x, i - 1);
  if constexpr (R::kPattern.left) {
    if (x > 0) collected += rule.shares(pixels.residue(x - 1, i), pixels.tone(x - 1, i)).right;
  }
  return rule.decide(pixels.tone(x, i), collected, place_of(rule, band, x, i));
}

/// Fills `below` from the last row, a thread a column.
template <Rule R, typename Pixels>
__global__ void hand_down_last_row(R rule, DeviceBand band, Pixels pixels) {
  const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= band.width_px) return;
  band.below[x] = handed_down(rule, pixels, band.width_px, x, band.rows - 1);
}

template <Rule R, typename Pixels>
void launch_hand_down(const R& rule,
                      const DeviceBand& band,
                      const Pixels& pixels,
                      cudaStream_t stream) {
  const uint32_t blocks = (band.width_px + kPixelThreads - 1) / kPixelThreads;
  gpu::launch("handing a band's last errors on",
              hand_down_last_row<R, Pixels>,
              dim3(blocks),
              kPixelThreads,
              stream,
              gpu::Start::kAfterPrevious,
              rule,
              band,
              pixels);
}

}  // namespace mezzo::diffusion
