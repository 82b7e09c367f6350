// Error collection with pixels stored in knight's-move order (Deshpande et al. section 3.1 and
// figure 6): the pixels of a wavefront lie side by side, and so do, for neighbouring threads, the
// neighbours that they read. Every access of a wavefront is coalesced; the price is a re-ordering
// before and one after.
//
// Figure 6 packs the wavefronts without gaps. Here each gets the room of the longest, so that a
// pixel's place is a product and a sum; a square plane takes half as much again, a flat one hardly
// more.
#pragma once

#include "kernels/diffusion/gpu/pixel_collection.cuh"

namespace mezzo::diffusion {

template <uint32_t kSlope>
struct KnightPixels {
  PixelWavefronts<kSlope> wavefronts;
  uint16_t* tones;
  int16_t* outcomes;  // 2 * residue + ink

  __device__ size_t at(uint32_t x, uint32_t i) const {
    const uint32_t k = wavefronts.index(x, i);
    return size_t{k} * wavefronts.most_pixels() + (i - wavefronts.first_row(k));
  }
  __device__ int tone(uint32_t x, uint32_t i) const { return tones[at(x, i)]; }
  __device__ int residue(uint32_t x, uint32_t i) const { return outcomes[at(x, i)] >> 1; }
  __device__ bool ink(uint32_t x, uint32_t i) const { return outcomes[at(x, i)] & 1; }
  __device__ void put(uint32_t x, uint32_t i, const Decision& decision) const {
    outcomes[at(x, i)] = static_cast<int16_t>(2 * decision.residue + decision.ink);
  }
};
static_assert(2 * kMostResidue + 1 <= INT16_MAX);

/// A thread a pixel; blockIdx.x is the row.
template <uint32_t kSlope>
__global__ void order_tones(DeviceBand band, KnightPixels<kSlope> pixels) {
  const uint32_t i = blockIdx.x;
  const uint32_t x = blockIdx.y * blockDim.x + threadIdx.x;
  if (x >= band.width_px) return;
  pixels.tones[pixels.at(x, i)] = static_cast<uint16_t>(band.tone(x, i));
}

template <Rule R, uint32_t kSlope>
__global__ void collect_in_order(R rule,
                                 DeviceBand band,
                                 KnightPixels<kSlope> pixels,
                                 PixelWavefront at) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_previous_kernel();
  const uint32_t i = at.first_row + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= at.last_row) return;
  const uint32_t x = pixels.wavefronts.column(at.k, i);
  pixels.put(x, i, collect(rule, band, pixels, x, i));
}

/// A warp a word, a lane a pixel of it; blockIdx.x is the row.
template <uint32_t kSlope>
__global__ void pack_bits(DeviceBand band, KnightPixels<kSlope> pixels) {
  const uint32_t i = blockIdx.x;
  const uint32_t x = blockIdx.y * blockDim.x + threadIdx.x;
  const bool ink = x < band.width_px && pixels.ink(x, i);
  const uint32_t bits = __brev(__ballot_sync(0xffffffffu, ink));
  if (x % 32 == 0 && x < band.width_px) {
    band.words[size_t{i} * band.row_words() + x / 32] = gpu::plate_word(bits);
  }
}

template <Rule R>
class Knight final : public RuleSchedule<R> {
 public:
  Knight(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : RuleSchedule<R>(rule),
        device_(device),
        tones_(device, room({width_px, max_rows})),
        outcomes_(device, room({width_px, max_rows})) {}

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    gpu::use(device_);
    constexpr uint32_t kSlope = kSlopeOf<R>;
    const KnightPixels<kSlope> pixels = {
        {band.width_px, band.rows}, tones_.data(), outcomes_.data()};
    const dim3 by_rows(band.rows, (band.width_px + kPixelThreads - 1) / kPixelThreads);
    gpu::launch("ordering the tones of knight",
                order_tones<kSlope>,
                by_rows,
                kPixelThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band,
                pixels);
    launch_wavefronts("starting a wavefront of knight",
                      pixels.wavefronts,
                      stream,
                      collect_in_order<R, kSlope>,
                      rule_,
                      band,
                      pixels);
    gpu::launch("packing the bits of knight",
                pack_bits<kSlope>,
                by_rows,
                kPixelThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band,
                pixels);
    launch_hand_down(rule_, band, pixels, stream);
  }

 private:
  static size_t room(const WavefrontsOf<R>& wavefronts) {
    return size_t{wavefronts.count()} * wavefronts.most_pixels();
  }

  using RuleSchedule<R>::rule_;
  gpu::Device device_;
  gpu::Array<uint16_t> tones_;
  gpu::Array<int16_t> outcomes_;
};

}  // namespace mezzo::diffusion
