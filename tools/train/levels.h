// The order in which the levels of a table are trained: from coarse to fine, each from its
// neighbours on, so that a table changes little from level to level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tools/train/cma_es.h"

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

}  // namespace mezzo::train
