// The order in which the levels of a table are trained: from coarse to fine, each from its
// neighbours on, so that a table changes little from level to level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tools/lab/train/cma_es.h"

namespace mezzo::train {

inline constexpr size_t kTrainedLevels = 128;  ///< 0 .. 127; the others are their mirror images

struct LevelTask {
  size_t level = 0;
  Point start;  ///< between the two nearest trained levels, or the untrained one
  bool has_neighbours = false;
};

/// Gives every level a point. `train` is called once a level, from `threads` threads; the points do
/// not depend on their number. `untrained(level)` is where the first levels start.
std::vector<Point> train_levels(const std::function<Point(size_t)>& untrained,
                                unsigned threads,
                                const std::function<Point(const LevelTask&)>& train);

/// Does job(0), job(1) .. job(count - 1) in any order, from `threads` threads.
void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& job);

/// Trains one level in at most this many evaluations; the first points lie `first_step` from a
/// start without neighbours.
Point train_level(const LevelTask& task,
                  uint32_t evaluations,
                  uint32_t seed,
                  double first_step,
                  const std::function<double(const Point&)>& cost);

/// Calls job(0) to job(count - 1), from `threads` threads.
void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& job);

// Parts of a cost.

inline double square(double v) {
  return v * v;
}
/// Nothing below 0.
inline double excess(double v) {
  return square(std::max(0.0, v));
}
/// `sum` and the pull towards the task's start, which is that of the neighbours, if any.
double with_pull(double sum, const Point& point, const LevelTask& task);

/// Of the numbers without sign, so that these become parts of one; above 0.
double sum_of_sizes(std::span<const double> numbers);

// Thresholds are the middle of a range less and plus half its width, in parts of one. They keep the
// distance `least` to paper, so that noise on top of them leaves paper white; those of level 0 a
// larger one, as it has paper itself.

/// In tone units.
uint16_t threshold(size_t level, double part, double least);
/// The penalty that keeps thresholds in their range; 0 inside.
double threshold_cost(double middle, double half, double least);

}  // namespace mezzo::train
