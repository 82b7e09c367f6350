// Repeats a measurement for its median, within a time budget.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo {

/// Runs of a measurement, of which the first warms up.
struct WarmRuns {
  /// Calls `run` once to warm up and `repetitions` times after that, until `budget_seconds` have
  /// passed.
  template <typename Run>
  static void repeat(uint32_t repetitions, double budget_seconds, const Run& run) {
    const auto begin = std::chrono::steady_clock::now();
    for (uint32_t i = 0; i <= repetitions; ++i) {
      run();
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      if (spent.count() > budget_seconds) return;
    }
  }

  /// The median of their times, without the first, unless it is the only one.
  static double median(std::vector<double> values) {
    if (values.empty()) return 0;
    if (values.size() > 1) values.erase(values.begin());
    std::ranges::sort(values);
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  }
};

}  // namespace mezzo
