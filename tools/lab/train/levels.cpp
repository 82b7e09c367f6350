#include "tools/lab/train/levels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace mezzo::train {
namespace {

/// Levels a generation has between those of the one before; the first has every 32nd and the last.
constexpr size_t kFirstStride = 32;

/// The point at `level` of the line between two trained levels.
Point between(const std::vector<Point>& points, size_t below, size_t above, size_t level) {
  Point point = points[below];
  const double part = static_cast<double>(level - below) / static_cast<double>(above - below);
  for (size_t i = 0; i < point.size(); ++i) point[i] += part * (points[above][i] - point[i]);
  return point;
}

}  // namespace

void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& job) {
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < std::max(1U, threads); ++t) {
    workers.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) job(i);
    });
  }
}

std::vector<Point> train_levels(const std::function<Point(size_t)>& untrained,
                                unsigned threads,
                                const std::function<Point(const LevelTask&)>& train) {
  std::vector<Point> points(kTrainedLevels);
  std::vector<LevelTask> tasks;
  const auto run = [&] {
    in_parallel(tasks.size(), threads, [&](size_t i) { points[tasks[i].level] = train(tasks[i]); });
    tasks.clear();
  };
  const size_t last = kTrainedLevels - 1;
  for (size_t level = 0; level < last; level += kFirstStride) {
    tasks.push_back({level, untrained(level)});
  }
  tasks.push_back({last, untrained(last)});
  run();
  for (size_t stride = kFirstStride / 2; stride > 0; stride /= 2) {
    for (size_t level = stride; level < last; level += 2 * stride) {
      const size_t below = level - stride, above = std::min(level + stride, last);
      tasks.push_back({level, between(points, below, above, level), true});
    }
    run();
  }
  return points;
}

Point train_level(const LevelTask& task,
                  uint32_t evaluations,
                  uint32_t seed,
                  double first_step,
                  const std::function<double(const Point&)>& cost) {
  const double step = task.has_neighbours ? 0.03 : first_step;
  return minimise(cost, task.start, {step, evaluations, seed + static_cast<uint32_t>(task.level)})
      .at;
}

double with_pull(double sum, const Point& point, const LevelTask& task) {
  if (!task.has_neighbours) return sum;
  for (size_t i = 0; i < point.size(); ++i) sum += square(point[i] - task.start[i]);
  return sum;
}

double sum_of_sizes(std::span<const double> numbers) {
  double sum = 0;
  for (const double v : numbers) sum += std::abs(v);
  return std::max(sum, 1e-9);
}

uint16_t threshold(size_t level, double part, double least) {
  constexpr double kLeastOfPaper = 0.5;
  const double units = std::round(4096 * std::clamp(part, level == 0 ? kLeastOfPaper : least, 1.0));
  return static_cast<uint16_t>(units);
}

double threshold_cost(double middle, double half, double least) {
  return 10 * (excess(middle + half - 1) + excess(least - middle + half));
}

}  // namespace mezzo::train
