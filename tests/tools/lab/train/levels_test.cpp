#include "tools/lab/train/levels.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace mezzo::train::levels_test {
namespace {

Point untrained(size_t level) {
  return {static_cast<double>(level), 100};
}

TEST(Levels, EachIsTrainedOnce) {
  std::array<std::atomic<int>, kTrainedLevels> calls{};
  train_levels(untrained, 3, [&](const LevelTask& task) {
    ++calls.at(task.level);
    return task.start;
  });
  for (size_t level = 0; level < kTrainedLevels; ++level) EXPECT_EQ(calls[level], 1) << level;
}

TEST(Levels, StartBetweenTheirNeighbours) {
  // What is linear in the first levels is linear in all.
  const std::vector<Point> points = train_levels(untrained, 1, [](const LevelTask& task) {
    EXPECT_EQ(task.has_neighbours, task.level % 32 != 0 && task.level != 127) << task.level;
    return task.start;
  });
  for (size_t level = 0; level < kTrainedLevels; ++level) {
    EXPECT_NEAR(points[level][0], static_cast<double>(level), 1e-9);
    EXPECT_EQ(points[level][1], 100);
  }
}

TEST(Levels, DoNotDependOnTheNumberOfThreads) {
  const auto train = [](const LevelTask& task) {
    Point point = task.start;
    point[1] += std::sin(static_cast<double>(task.level));
    return point;
  };
  const auto one = train_levels(untrained, 1, train);
  EXPECT_EQ(one, train_levels(untrained, 2, train));
  EXPECT_EQ(one, train_levels(untrained, 7, train));
}

}  // namespace
}  // namespace mezzo::train::levels_test
