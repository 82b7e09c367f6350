// Pixel-wise error diffusion (PWED, Kasagi et al. section II): one launch a pixel wavefront, a
// thread a row, which pushes the shares of its pixel to the neighbours to come. The paper adds them
// to the image itself; here they go to an array of sums, which leaves the samples alone.
//
// In wavefront k a row works slope columns behind the row above it. With slope 2 its pixel's share
// to the right meets the down-left share of the row above in one sum; with slope 1 the share
// straight down of the row above. Those are added atomically, and no others meet.
#pragma once

#include "kernels/diffusion/gpu/pixel_launch.cuh"

namespace mezzo::diffusion {

/// `sums`: the sum that has reached each pixel so far, row by row; one row more than the band has.
template <Rule R>
__global__ void diffuse(R rule, DeviceBand band, int* sums, PixelWavefront at) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_previous_kernel();
  const uint32_t i = at.first_row + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= at.last_row) return;
  const uint32_t x = WavefrontsOf<R>{band.width_px, band.rows}.column(at.k, i);
  int* own = sums + size_t{i} * band.width_px + x;
  int* below = own + band.width_px;

  const int tone = band.tone(x, i);
  const Decision decision = rule.decide(tone, *own, place_of(rule, band, x, i));
  put_bit(band, x, i, decision.ink);

  const Shares shares = rule.shares(decision.residue, tone);
  if constexpr (kSlopeOf<R> == 1) {
    atomicAdd(below, shares.down);
  } else {
    *below += shares.down;
    if (x > 0) atomicAdd(below - 1, shares.down_left);
  }
  if (x + 1 < band.width_px) {
    atomicAdd(own + 1, shares.right);
    below[1] += shares.down_right;
  }
}

template <Rule R>
class Pwed final : public RuleSchedule<R> {
 public:
  Pwed(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : RuleSchedule<R>(rule), device_(device), sums_(device, (size_t{max_rows} + 1) * width_px) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    gpu::use(device_);
    const size_t row_bytes = size_t{band.width_px} * sizeof(int);
    int* first = sums_.data();
    take_sums(band, first, stream);
    gpu::check(cudaMemsetAsync(first + band.width_px, 0, row_bytes * band.rows, stream),
               "clearing the sums of a band");
    launch_wavefronts("starting a wavefront of pwed",
                      WavefrontsOf<R>{band.width_px, band.rows},
                      stream,
                      diffuse<R>,
                      rule_,
                      band,
                      first);
    leave_sums(band, first + size_t{band.rows} * band.width_px, stream);
  }

 private:
  using RuleSchedule<R>::rule_;
  gpu::Device device_;
  gpu::Array<int> sums_;
};

}  // namespace mezzo::diffusion
