// Pixel-wise error collection (PWEC, Kasagi et al. section II): one launch a pixel wavefront, a
// thread a row, which fetches the shares of the four finished neighbours. No two threads write the
// same value, and each pixel's residue is written once.
#pragma once

#include "kernels/diffusion/gpu/pixel_collection.cuh"

namespace mezzo::diffusion {

/// Pixels where the band has them, and their residues beside them, row by row.
struct RowMajorPixels {
  DeviceBand band;
  int16_t* residues;

  __device__ int16_t& residue(uint32_t x, uint32_t i) const {
    return residues[size_t{i} * band.width_px + x];
  }
  __device__ int tone(uint32_t x, uint32_t i) const { return band.tone(x, i); }
};
static_assert(kMostResidue <= INT16_MAX);

template <Rule R>
__global__ void collect_row_major(R rule, RowMajorPixels pixels, PixelWavefront at) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_previous_kernel();
  const DeviceBand& band = pixels.band;
  const uint32_t i = at.first_row + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= at.last_row) return;
  const uint32_t x = WavefrontsOf<R>{band.width_px, band.rows}.column(at.k, i);
  const Decision decision = collect(rule, band, pixels, x, i);
  pixels.residue(x, i) = static_cast<int16_t>(decision.residue);
  put_bit(band, x, i, decision.ink);
}

template <Rule R>
class Pwec final : public RuleSchedule<R> {
 public:
  Pwec(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : RuleSchedule<R>(rule), device_(device), residues_(device, size_t{max_rows} * width_px) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    gpu::use(device_);
    const RowMajorPixels pixels = {band, residues_.data()};
    launch_wavefronts("starting a wavefront of pwec",
                      WavefrontsOf<R>{band.width_px, band.rows},
                      stream,
                      collect_row_major<R>,
                      rule_,
                      pixels);
    launch_hand_down(rule_, band, pixels, stream);
  }

 private:
  using RuleSchedule<R>::rule_;
  gpu::Device device_;
  gpu::Array<int16_t> residues_;
};

}  // namespace mezzo::diffusion
