// Floyd-Steinberg of inks together, as account.h defines it and nothing more: pixel after pixel, and
// at each the planes in their order. What the other schedules are compared with.
#pragma once

#include "kernels/diffusion/together/account.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::diffusion::together {

/// `ec` of inks together: a row of errors a plane and of every account is carried from band to band.
class InksCollection final : public mezzo::together::InksHalftoner {
 public:
  explicit InksCollection(LightTones light) : light_(light) {}

  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override;
  void run(const mezzo::together::InksBand& band, HalftonerState* state, Team& team) const override;

 private:
  LightTones light_;
};

}  // namespace mezzo::diffusion::together
