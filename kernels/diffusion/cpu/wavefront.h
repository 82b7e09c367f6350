// Floyd-Steinberg as a SIMD wavefront: a lane a row, as many rows at once as a vector has 16-bit
// lanes, and as many threads as the team has, each on the next such group of rows.
//
// A pixel needs its left neighbour and three of the row above, the last of them one column ahead.
// So the rows of a group run side by side, each three columns behind the one above it: two would
// do, the third gives the error of the upper right a whole step to travel from lane to lane, which
// takes it off the critical path. One source serves all targets of Highway, chosen at run time; the
// bits are those of fs::decide() (the wavefront computes them in another form, derived in
// wavefront_group.cpp).
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/band/tone.h"
#include "kernels/halftoner.h"

namespace mezzo::diffusion {

class WavefrontDiffusion final : public Halftoner {
 public:
  HalftonerTraits traits() const override;
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;
};

/// Rows that one pass of the wavefront takes on this machine: 8, 16 or 32.
uint32_t wavefront_rows();

}  // namespace mezzo::diffusion
