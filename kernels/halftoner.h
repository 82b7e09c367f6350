// The one interface of every halftoning method.
//
// A Halftoner is configured once, never changes, and is shared by all threads; everything that
// changes lives in a HalftonerState, one for each plane in progress. A method knows nothing of
// files, threads or the order of pages. Its result depends on the samples, the tone curve, its
// settings and the position (x, y) alone: never on the team, on the engine, or on how the page was
// cut into bands where the method leaves that open.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "kernels/band/bands.h"
#include "kernels/halftoner_traits.h"

namespace mezzo {

namespace gpu {
struct MethodOnGpu;
}

class Team;
class ToneCurve;

/// The state of a plane between one band and the next.
class HalftonerState {
 public:
  virtual ~HalftonerState() = default;

  /// Called after each round and within long ones, by methods that have rounds; may be empty, and
  /// may throw to stop run(), which passes the exception on.
  std::function<void(const RoundReport&)> on_round;
};

class Halftoner {
 public:
  virtual ~Halftoner() = default;

  virtual HalftonerTraits traits() const = 0;

  /// How a GPU makes its bits (gpu/gpu_halftoner.cuh), for those that go on with them there; null
  /// where none does. Lives as long as the halftoner.
  virtual const gpu::MethodOnGpu* on_gpu() const { return nullptr; }

  /// The most memory of this machine for the state of one plane, when its bands have so many rows;
  /// given by methods that need more than some rows.
  virtual uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const;

  /// For --explain: the division of bands of this size among this many threads, if any. Throws
  /// Error.
  virtual std::string describe(uint32_t width_px, uint32_t rows, uint32_t threads) const;

  /// The state before the first row of a plane of this width. May be null for a stateless method.
  virtual std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const = 0;

  /// Halftones the rows of `in` into `out` (same width and rows), padding bits included. Where the
  /// context of `in` is less than context_rows, the page ends. `state` is that of make_state(), as
  /// the band above left it. On the CPU throws only the exceptions of on_round; a device that fails
  /// is an Error (kDevice, kOutOfMemory).
  virtual void run(const SampleBand& in,
                   const ToneCurve& curve,
                   const BitBand& out,
                   HalftonerState* state,
                   Team& team) const = 0;

  /// Called once a band is complete, or with its failure, from any thread; must be quick and must
  /// not call the halftoner.
  using Done = std::function<void(std::exception_ptr)>;

  /// On a GPU, begins run() and returns; elsewhere runs to the end. Bands of one state are started
  /// in order, from one thread at a time, and the next may be started before the last is done.
  /// `in`, `out` and the state stay until `done` was called, which happens exactly once, in the
  /// order of the bands, perhaps before start() returns. Does not throw.
  virtual void start(const SampleBand& in,
                     const ToneCurve& curve,
                     const BitBand& out,
                     HalftonerState* state,
                     Team& team,
                     Done done) const;
};

/// Halftones a whole plane, from `in` to `out`, in one band or in the bands that the method needs.
/// Throws the errors of run().
void run_plane(const Halftoner& halftoner,
               const SampleBand& in,
               const ToneCurve& curve,
               const BitBand& out,
               Team& team);

}  // namespace mezzo
