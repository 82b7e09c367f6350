#include "kernels/diffusion/cpu/wavefront.h"

#include <hwy/base.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/diffusion/cpu/wavefront_group.h"

namespace mezzo::diffusion {

uint32_t wavefront::wait_for(const Progress& group, uint32_t columns) {
  constexpr uint32_t kSpins = 4096;
  for (uint32_t spins = 0;; ++spins) {
    const uint32_t done = group.load(std::memory_order_acquire);
    if (done >= columns) return done;
    if (spins < kSpins) {
      hwy::Pause();
    } else {
      std::this_thread::yield();  // more threads than processors: let that group run
    }
  }
}

namespace {

using wavefront::kNoError;
using wavefront::kPadding;
using wavefront::Progress;

/// One row of errors, in place: a group reads it at its first row and writes it, columns behind, at
/// its last row; the next group follows in the same row.
struct WavefrontState final : HalftonerState {
  explicit WavefrontState(uint32_t width_px) : errors(size_t{width_px} + 2 * kPadding, kNoError) {}
  uint16_t* column0() { return errors.data() + kPadding; }
  std::vector<uint16_t> errors;
};

}  // namespace

uint32_t wavefront_rows() {
  return wavefront::rows_per_group();
}

HalftonerTraits WavefrontDiffusion::traits() const {
  return {.row_multiple = wavefront_rows()};
}

std::unique_ptr<HalftonerState> WavefrontDiffusion::make_state(uint32_t width_px) const {
  return std::make_unique<WavefrontState>(width_px);
}

void WavefrontDiffusion::run(const SampleBand& in,
                             const ToneCurve& curve,
                             const BitBand& out,
                             HalftonerState* state,
                             Team& team) const {
  const uint32_t rows = wavefront_rows();
  const uint32_t groups = (in.rows + rows - 1) / rows;
  std::vector<Progress> progress(groups);
  uint16_t* errors = static_cast<WavefrontState*>(state)->column0();
  // Groups start in order, so the group above is always finished or in the hands of a running
  // thread, and waiting for it ends.
  for_each_index(team, groups, [&](uint32_t g) {
    const uint32_t first = g * rows;
    const uint32_t count = std::min(rows, in.rows - first);
    wavefront::run_group({in.slice(first, count),
                          out.slice(first, count),
                          &curve,
                          errors,
                          g == 0 ? nullptr : &progress[g - 1],
                          &progress[g]});
  });
}

}  // namespace mezzo::diffusion
