// Trains the table of tone-dependent error diffusion in raster order.
//
// The table is a line from knot to knot over the levels, because thresholds and weights that jump
// from level to level put a grain of their own on pictures. The knots are trained in turn, every
// other one at a time, on flat tints and on pictures of the tones that they reach.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tools/lab/train/cma_es.h"
#include "tools/lab/train/raster_model.h"

namespace mezzo::train {

/// The levels of the knots.
inline constexpr std::array<size_t, 23> kKnots = {1,  2,  3,  4,  6,  8,  11, 15,  20,  26,  32, 40,
                                                  48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 127};

/// The quality of a set of pages; RMS on the 0 .. 255 scale, away from the borders unless noted.
struct RasterLook {
  double finest = 0;      ///< RMS under a Gaussian of 1 pixel
  double fine = 0;        ///< of 1.5 pixels
  double coarse = 0;      ///< of 3 pixels
  double weighted = 0;    ///< RMS by the sensitivity of the weighted signal-to-noise ratio
  double anisotropy = 0;  ///< of the error under the Gaussian of 1.5 pixels
  double bias = 0;        ///< ink - tone
  double start_bias = 0;  ///< ink - tone of the first 16 rows
  double start_rms = 0;   ///< `fine` of the first 16 rows
};
RasterLook look(const RasterModel& model,
                const IntegerField& tones,
                const diffusion::ToneTable& table);

/// Floyd-Steinberg as a table.
diffusion::ToneTable floyd_steinberg_table();

class RasterTrainer {
 public:
  explicit RasterTrainer(uint32_t seed);

  /// Of the pages of a knot, relative to Floyd-Steinberg: 16 for itself, and more where there is a
  /// bias.
  double cost(size_t knot, const diffusion::ToneTable& table) const;

  /// The points of all knots, and their table, for any numbers.
  static std::vector<Point> untrained();
  static diffusion::ToneRows rows(const std::vector<Point>& points);
  /// Trains the knots, each in at most this many evaluations a round. The points do not depend on
  /// the number of threads.
  std::vector<Point> train(uint32_t evaluations, unsigned threads) const;

 private:
  RasterModel model_;
  uint32_t seed_;
};

}  // namespace mezzo::train
