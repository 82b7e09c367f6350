// A plane's way over a GPU: from rows of its page, at the page's resolution, to strips of its plate.
//
// What goes up is small, and what comes down is coded: scaling, the tone curve, halftoning, the
// protection of paper and solids, line work, the finish, the digest, the sums of a preview and T.6 all
// happen in the memory of the GPU, and T.6 is decoded there again. The strips and their digests are those
// that the stages of the CPU make of the same rows.
//
// No CUDA header: a build without CUDA has the same interface, and no planes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "kernels/device_chain/picture.h"
#include "kernels/device_chain/strips.h"
#include "kernels/halftoner.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::device_chain {

class Plane {
 public:
  virtual ~Plane() = default;

  /// Bytes that start() needs for a band.
  virtual size_t memory_bytes() const = 0;

  /// Begins with a band. `memory` is page-locked. Coded strips that take more than the rows come
  /// down as rows. All that the arguments view stays until `done` is called, in the order of the
  /// bands, from any thread. Does not throw. A method that has rounds comes to their end before this
  /// returns.
  virtual void start(const BandInput& in,
                     const ToneCurve& curve,
                     std::span<std::byte> memory,
                     Strips& strips,
                     Halftoner::Done done) = 0;

  /// After the last band is done, once. Throws Error, kDevice.
  virtual PictureSums picture() = 0;

  /// As that of HalftonerState, within start(), whose band fails where it throws.
  std::function<void(const RoundReport&)> on_round;
};

/// What Plane::start() takes, of one ink of several.
struct InkBand {
  BandInput in;
  const ToneCurve* curve;
  std::span<std::byte> memory;
  Strips* strips;
};

/// The planes of inks that are halftoned together, on one GPU.
class InkPlanes {
 public:
  virtual ~InkPlanes() = default;

  /// Bytes that start() needs for a band of any ink.
  virtual size_t memory_bytes() const = 0;

  /// As Plane::start(), with the same band of each ink, in the order of the inks.
  virtual void start(std::span<const InkBand> inks, Halftoner::Done done) = 0;

  /// As Plane::picture(), of one ink.
  virtual PictureSums picture(uint32_t ink) = 0;

  std::function<void(const RoundReport&)> on_round;  ///< as that of Plane
};

/// The plane of a halftoner that runs on a GPU; null where it does not, where memory that the host
/// locks is not the GPU's to write, or where the GPU has no room. Throws Error, kDevice.
std::unique_ptr<Plane> make_plane(const Halftoner& halftoner, const PlaneSettings& settings);

/// The same for inks together, with the settings of each: their plates have the same size, their strips
/// may differ.
std::unique_ptr<InkPlanes> make_ink_planes(const together::InksHalftoner& halftoner,
                                           std::span<const PlaneSettings> settings);

}  // namespace mezzo::device_chain
