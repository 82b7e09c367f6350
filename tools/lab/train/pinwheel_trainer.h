// Trains the weights and thresholds of pinwheel error diffusion.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lab/train/cma_es.h"
#include "tools/lab/train/levels.h"
#include "tools/lab/train/pinwheel_model.h"

namespace mezzo::train {

/// The quality of a level at one size of block; RMS on the 0 .. 255 scale.
struct PinwheelLook {
  double fine = 0;       ///< RMS under a Gaussian of 1.5 pixels
  double coarse = 0;     ///< and of 3 pixels
  double mean_bias = 0;  ///< ink - tone, mean over the patterns
  int largest_error = 0;
};
PinwheelLook look(const Rendered& rendered);

/// What training minimises.
double cost(const Rendered& rendered);

/// Floyd-Steinberg's weights on legal targets, thresholds at one half.
pinwheel::Level untrained_row();

class PinwheelTrainer {
 public:
  /// Trains weights with blocks of the first of these sizes, and balances with all of them.
  PinwheelTrainer(const std::vector<uint32_t>& blocks, uint32_t seed);

  /// Mean cost over the sizes.
  double cost(size_t level, const pinwheel::Level& row) const;

  /// Gives the row the thresholds that make the mean error 0, class by class.
  void balance(size_t level, pinwheel::Level& row) const;

  /// The start of a level without trained neighbours.
  static Point untrained(size_t level);
  /// The row of a point at a level, for any numbers; its thresholds are yet to be balanced.
  pinwheel::Level row(size_t level, const Point& point) const;
  /// Trains one level in at most this many evaluations, with thresholds that make the mean error
  /// 0 at every place of a walk.
  Point train(const LevelTask& task, uint32_t evaluations) const;

 private:
  std::vector<PinwheelModel> models_;
  uint32_t seed_;
};

}  // namespace mezzo::train
