// The interface of methods that halftone the inks of a sheet in the sight of each other.
//
// A Halftoner (halftoner.h) sees one ink. An InksHalftoner gets the rows of all inks of a group at once,
// and may place the dots of one by the dots of the others. Like a Halftoner it never changes and is
// shared; its result depends on the samples, the curves, its settings, the order of the inks and the
// position alone: never on the team, the engine or, where the method leaves them open, the bands.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernels/band/bands.h"
#include "kernels/halftoner.h"

namespace mezzo::gpu {
struct InksOnGpu;
}

namespace mezzo::together {

/// A band of several inks: one entry an ink in each list, the darkest ink first. All have the same
/// width and rows.
struct InksBand {
  std::span<const SampleBand> in;
  std::span<const ToneCurve* const> curves;
  std::span<const BitBand> out;
};

class InksHalftoner {
 public:
  virtual ~InksHalftoner() = default;

  /// The bands that it needs, of all inks alike.
  virtual HalftonerTraits traits() const = 0;

  /// As Halftoner::on_gpu() (gpu/planes_on_gpu.cuh).
  virtual const gpu::InksOnGpu* on_gpu() const { return nullptr; }

  /// As Halftoner::working_bytes(), for all inks of a group together.
  virtual uint64_t working_bytes(uint32_t width_px, uint32_t band_rows, uint32_t inks) const;

  /// The state before the first row of a group of planes of this width. May be null.
  virtual std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const = 0;

  /// Halftones the rows of all inks, padding bits included. `state` is that of make_state(), as the
  /// band above left it. Throws as Halftoner::run() does.
  virtual void run(const InksBand& band, HalftonerState* state, Team& team) const = 0;

  /// As Halftoner::start(). What the lists of `band` point at stays until `done` was called.
  virtual void start(const InksBand& band,
                     HalftonerState* state,
                     Team& team,
                     Halftoner::Done done) const;
};

}  // namespace mezzo::together
