// Pinwheel error diffusion of constant tones inside a page, many patterns at once: a square of
// whole blocks that repeats, so that there are no borders, with another part of the mask and
// another tone in each pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/pinwheel/tables/tables.h"
#include "tools/train/lanes.h"
#include "tools/train/texture.h"

namespace mezzo::train {

/// A blue-noise mask of 64 x 64 values, 0 .. 32767.
using Mask = std::array<uint16_t, 64 * 64>;

/// Ranks 0 .. 4095 as values of a mask.
Mask mask_of(const std::vector<uint32_t>& ranks);

struct Rendered {
  ErrorField field;
  int largest_error = 0;  ///< in tone units, of either sign
};

class PinwheelModel {
 public:
  /// Blocks of `block` x `block` pixels, on the spiral; `block` even, 4 .. 64. The seed chooses the
  /// parts of the mask.
  PinwheelModel(uint32_t block, const Mask& mask, uint32_t seed);

  uint32_t block() const { return block_; }
  Rendered render(const Integers& tones, const pinwheel::Level& row) const;

  /// The largest sum of weights, Q15, that can meet in a pixel when each neighbour has the level
  /// that gives most.
  int most_incoming(const pinwheel::ToneTable& table) const;

 private:
  /// Pixels that have the same kind and the same legal targets.
  struct Variant {
    size_t kind;
    unsigned legal;  ///< bit k: target k
  };
  struct Step {
    size_t place;
    std::array<size_t, 4> targets;  ///< those that are legal
    size_t variant, threshold_class;
  };
  /// The weights of a variant at a level.
  struct Handing {
    std::array<int, 4> weights{};  ///< Q15; of illegal targets and of the primary 0
    int primary = -1;              ///< -1: the error is lost
  };

  void add_block(size_t by, size_t bx);
  size_t variant_of(const Variant& variant);
  static Handing handing(const Variant& variant, const pinwheel::Level& row);

  uint32_t block_;
  size_t blocks_, side_;
  std::vector<Variant> variants_;
  std::vector<Step> steps_;
  IntegerField mask_;
};

}  // namespace mezzo::train
