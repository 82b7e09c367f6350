// Levels of ink in one band, with 2 or 4 bits a pixel: the bits of the level, which halftoners make
// one by one, laid side by side.
#pragma once

#include <memory>
#include <vector>

#include "kernels/halftoner.h"

namespace mezzo {

class PackedLevels final : public Halftoner {
 public:
  /// The halftoners of the bits, the lowest first; 2 to 4 of them, which suit the same bands.
  /// run() takes an `out` with the bits a pixel of traits(): 2 for 2 of them, else 4.
  explicit PackedLevels(std::vector<std::unique_ptr<Halftoner>> bits);

  HalftonerTraits traits() const override;
  const gpu::MethodOnGpu* on_gpu() const override { return on_gpu_.get(); }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override;
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;

 private:
  std::vector<std::unique_ptr<Halftoner>> bits_;
  std::shared_ptr<const gpu::MethodOnGpu> on_gpu_;  // null: it runs here
};

}  // namespace mezzo
