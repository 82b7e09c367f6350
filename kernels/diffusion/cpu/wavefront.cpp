#include "kernels/diffusion/cpu/wavefront.h"

#include <algorithm>
#include <vector>

#include "kernels/diffusion/cpu/follow.h"
#include "kernels/diffusion/cpu/wavefront_group.h"

namespace mezzo::diffusion {

namespace {

using wavefront::kNoError;
using wavefront::kPadding;

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
  uint16_t* errors = static_cast<WavefrontState*>(state)->column0();
  for_each_follower(team, groups, [&](Progress* above, Progress& own, uint32_t g) {
    const uint32_t first = g * rows;
    const uint32_t count = std::min(rows, in.rows - first);
    wavefront::run_group(
        {in.slice(first, count), out.slice(first, count), &curve, errors, above, &own});
  });
}

}  // namespace mezzo::diffusion
