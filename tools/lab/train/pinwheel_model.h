// Pinwheel error diffusion of constant tones inside a page, many patterns at once: a square of
// whole blocks that repeats, so that there are no borders, with other noise and another tone in
// each pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/pinwheel/tables/tables.h"
#include "kernels/pinwheel/walk_cache.h"
#include "tools/lab/train/lanes.h"
#include "tools/lab/train/texture.h"

namespace mezzo::train {

/// The pixels of a class of thresholds: how many there were, the sum of their errors, in dots, how
/// many had a sum near the threshold, and the sum of those thresholds, in tone units.
struct ClassSums {
  double pixels = 0, error = 0, near = 0, thresholds = 0;
};
inline constexpr int kNear = 200;  ///< tone units

struct Rendered {
  ErrorField field;
  int largest_error = 0;  ///< in tone units, of either sign
  std::array<ClassSums, pinwheel::kThresholdClasses> classes;
};

class PinwheelModel {
 public:
  /// Blocks of `block` x `block` pixels, on the spiral; `block` even, 4 .. 64.
  PinwheelModel(uint32_t block, uint32_t seed);

  uint32_t block() const { return block_; }

  /// With the thresholds of the row.
  Rendered render(const Integers& tones, const pinwheel::Level& row) const {
    return render(tones, row, false);
  }
  /// With thresholds that make the mean error 0 at every place of a walk, instead.
  Rendered render_balanced(const Integers& tones, const pinwheel::Level& row) const {
    return render(tones, row, true);
  }

  /// The largest sum of weights, Q15, that can meet in a pixel when each neighbour has the level
  /// that gives most.
  int most_incoming(const pinwheel::ToneTable& table) const;

 private:
  /// The weights of a step at a level.
  struct Handing {
    std::array<int, 4> weights{};  ///< Q15; of illegal targets and of the primary 0
    int primary = -1;              ///< -1: the error is lost
  };
  struct Phase {
    pinwheel::Walk walk;
    std::vector<std::array<size_t, 2>> blocks;  ///< y, x of their first pixels
    IntegerField noise;                         ///< by block
  };
  struct Work;

  Rendered render(const Integers& tones, const pinwheel::Level& row, bool balanced) const;
  size_t place(const Phase& phase, size_t block, pinwheel::Vector pixel) const;
  static Handing handing(const pinwheel::Step& step, const pinwheel::Level& row);
  void decide(const Phase& phase, size_t step, Work& work) const;

  uint32_t block_;
  size_t side_;
  std::array<Phase, 2> phases_;
};

}  // namespace mezzo::train
