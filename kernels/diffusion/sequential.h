// Floyd-Steinberg one pixel after another on one core, as textbooks and Kasagi et al. (section II)
// have it: `ec` collects the errors of finished neighbours (the reference), `ed` pushes each error
// on to the neighbours still to come. They differ in memory traffic, not in bits.
#pragma once

#include <vector>

#include "kernels/halftoner.h"

namespace mezzo {

/// `ec`: one row of errors is carried from band to band.
class SequentialCollection final : public Halftoner {
 public:
  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;
};

/// `ed`: one row of sums is carried: for each pixel of the row below, the weighted errors that have
/// reached it, in sixteenths, before rounding.
class SequentialDiffusion final : public Halftoner {
 public:
  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;
};

}  // namespace mezzo
