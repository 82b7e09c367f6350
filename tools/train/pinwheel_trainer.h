// Trains the weights and thresholds of pinwheel error diffusion.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/train/cma_es.h"
#include "tools/train/levels.h"
#include "tools/train/pinwheel_model.h"

namespace mezzo::train {

/// The quality of a level at one size of block; RMS on the 0 .. 255 scale.
struct PinwheelLook {
  double fine = 0;           ///< RMS under a Gaussian of 1.5 pixels
  double coarse = 0;         ///< and of 3 pixels
  double fine_repeated = 0;  ///< the part of it that repeats from block to block
  double coarse_repeated = 0;
  double bias = 0;       ///< ink - tone, root mean square over the patterns
  double mean_bias = 0;  ///< ink - tone, mean over the patterns
  int largest_error = 0;
};
PinwheelLook look(const PinwheelModel& model, const Integers& tones, const pinwheel::Level& row);

/// Floyd-Steinberg's weights on legal targets, thresholds at one half.
pinwheel::Level untrained_row();

class PinwheelTrainer {
 public:
  /// For the sizes of block given, all alike.
  PinwheelTrainer(const std::vector<uint32_t>& blocks, const Mask& mask, uint32_t seed);

  /// Mean cost over the sizes, which training minimises.
  double cost(size_t level, const pinwheel::Level& row) const;

  /// The start of a level without trained neighbours.
  static Point untrained(size_t level);
  /// The row of a point at a level, for any numbers.
  static pinwheel::Level row(size_t level, const Point& point);
  /// Trains one level in at most this many evaluations.
  Point train(const LevelTask& task, uint32_t evaluations) const;

 private:
  std::vector<PinwheelModel> models_;
  uint32_t seed_;
};

}  // namespace mezzo::train
