// Floyd-Steinberg of inks together as a SIMD wavefront: a lane a row, plane after plane, and as many
// threads as the team has, each on the next group of rows (cpu/wavefront.h).
//
// An account needs its left and upper-right pixels, as errors do, so the same rows run side by side
// at the same distance. The bits are those of account.h, computed in 16 bits in another form
// (inks_wavefront_group.cpp).
#pragma once

#include <memory>

#include "kernels/diffusion/together/account.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::diffusion::together {

class InksWavefront final : public mezzo::together::InksHalftoner {
 public:
  explicit InksWavefront(LightTones light) : light_(light) {}

  HalftonerTraits traits() const override;
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override;
  void run(const mezzo::together::InksBand& band, HalftonerState* state, Team& team) const override;

 private:
  LightTones light_;
};

}  // namespace mezzo::diffusion::together
