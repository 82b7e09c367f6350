// Several levels of ink by any screen of thresholds.
//
// Such a screen puts ink where tone > T(x, y). Between the levels v[j-1] and v[j] the threshold of
// level j is v[j-1] + ((v[j] - v[j-1]) T >> 12), and the level of a pixel is the number of its
// thresholds below the tone. That is the screen itself with a curve for each level: the part of the
// tone that lies in the gap, stretched to 0 .. 4096 and rounded up, exceeds T just where the tone
// exceeds the threshold of the level. So every screen has levels, as fast as it is, without knowing.
//
// Bit b of the level is the parity of level >> b, which is the number of levels 2^b, 2 2^b, .. that
// the pixel has: the XOR of their halftones.
#pragma once

#include <memory>

#include "kernels/band/drop_levels.h"
#include "kernels/halftoner.h"

namespace mezzo::screen {

class ThresholdLevels final : public Halftoner {
 public:
  /// One bit of the levels that `screen` gives.
  ThresholdLevels(std::unique_ptr<Halftoner> screen, const DropLevels& levels, uint32_t bit);

  HalftonerTraits traits() const override { return screen_->traits(); }
  const gpu::MethodOnGpu* on_gpu() const override { return on_gpu_.get(); }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override;
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;

 private:
  std::unique_ptr<Halftoner> screen_;
  DropLevels levels_;
  uint32_t step_;                                   // every so many levels change the bit
  std::shared_ptr<const gpu::MethodOnGpu> on_gpu_;  // null: it runs here
};

}  // namespace mezzo::screen
