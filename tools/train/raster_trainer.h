// Trains the weights and thresholds of tone-dependent error diffusion in raster order.
#pragma once

#include <cstdint>

#include "tools/train/cma_es.h"
#include "tools/train/levels.h"
#include "tools/train/raster_model.h"

namespace mezzo::train {

/// The quality of a level; RMS on the 0 .. 255 scale, away from the borders unless noted.
struct RasterLook {
  double finest = 0;      ///< RMS under a Gaussian of 1 pixel
  double fine = 0;        ///< of 1.5 pixels
  double coarse = 0;      ///< of 3 pixels
  double anisotropy = 0;  ///< of the error under the Gaussian of 1.5 pixels
  double bias = 0;        ///< ink - tone
  double start_bias = 0;  ///< ink - tone of the first 16 rows
  double start_rms = 0;   ///< `fine` of the first 16 rows
};
RasterLook look(const RasterModel& model, const Integers& tones, const diffusion::ToneEntry& entry);

diffusion::ToneEntry floyd_steinberg_entry();

class RasterTrainer {
 public:
  explicit RasterTrainer(uint32_t seed);

  /// 4 for Floyd-Steinberg itself, and more where there is a bias.
  double cost(size_t level, const diffusion::ToneEntry& entry) const;

  /// The start of a level without trained neighbours.
  static Point untrained(size_t level);
  /// The entry of a point at a level, for any numbers.
  static diffusion::ToneEntry entry(size_t level, const Point& point);
  /// Trains one level in at most this many evaluations.
  Point train(const LevelTask& task, uint32_t evaluations) const;

 private:
  RasterModel model_;
  uint32_t seed_;
};

}  // namespace mezzo::train
