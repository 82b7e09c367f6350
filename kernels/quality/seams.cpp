#include "kernels/quality/seams.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace mezzo::quality {
namespace {

constexpr uint32_t kLongest = 512;
constexpr uint32_t kReturns = 8;
constexpr size_t kReach = 16;  // rows on either side that a row is compared with
constexpr double kLeastRatio = 1.25;
constexpr double kLeastChance = 1e-6;

/// The middle value, or the mean of the two in the middle. Reorders `values`.
double median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Each row over its surroundings.
std::vector<double> relative_to_surroundings(const std::vector<double>& power) {
  const double mean =
      std::accumulate(power.begin(), power.end(), 0.0) / static_cast<double>(power.size());
  const double floor = mean / 1000;
  std::vector<double> relative;
  std::vector<double> around;
  for (size_t i = 0; i < power.size(); ++i) {
    const auto first = power.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, kReach));
    const auto end =
        power.begin() + static_cast<std::ptrdiff_t>(std::min(i + kReach + 1, power.size()));
    around.assign(first, end);
    relative.push_back(mean > 0 ? (power[i] + floor) / (median(around) + floor) : 1);
  }
  return relative;
}

/// The ratio of a phase and period, and its probability by chance.
struct Candidate {
  double ratio = 1;
  double log_chance = 0;
};

/// Rows relative to their surroundings, and the data for the chance of a fold.
class Folds {
 public:
  explicit Folds(std::vector<double> relative)
      : relative_(std::move(relative)), sorted_(relative_), log_factorial_{0} {
    std::ranges::sort(sorted_);
    for (size_t n = 1; n <= relative_.size(); ++n) {
      log_factorial_.push_back(log_factorial_.back() + std::log(static_cast<double>(n)));
    }
  }

  /// The phase of this period that is least likely, of those whose ratio counts.
  Candidate least_likely(uint32_t period) const {
    Candidate best;
    std::vector<double> returns;
    for (uint32_t phase = 0; phase < period; ++phase) {
      returns.clear();
      for (size_t i = phase; i < relative_.size(); i += period) returns.push_back(relative_[i]);
      const size_t reaching = (3 * returns.size() + 3) / 4;
      const auto line = returns.begin() + static_cast<std::ptrdiff_t>(reaching - 1);
      std::ranges::nth_element(returns, line, std::greater<>());
      if (*line < kLeastRatio) continue;
      const double log_chance = log_chance_of(*line, returns.size(), reaching);
      if (log_chance < best.log_chance) best = {*line, log_chance};
    }
    return best;
  }

 private:
  double log_chance_of(double ratio, size_t returns, size_t reaching) const {
    const auto reach = sorted_.end() - std::ranges::lower_bound(sorted_, ratio * (1 - 1e-9));
    const double share = static_cast<double>(reach) / static_cast<double>(sorted_.size());
    return log_factorial_[returns] - log_factorial_[reaching] - log_factorial_[returns - reaching] +
           static_cast<double>(reaching) * std::log(share);
  }

  std::vector<double> relative_;
  std::vector<double> sorted_;
  std::vector<double> log_factorial_;
};

}  // namespace

Seam find_seam(const std::vector<double>& power, Team& team) {
  const auto longest = static_cast<uint32_t>(std::min<size_t>(kLongest, power.size() / kReturns));
  if (longest < 2) return {};
  const Folds folds(relative_to_surroundings(power));
  std::vector<Candidate> candidates(longest + 1);
  for_each_index(
      team, longest - 1, [&](uint32_t i) { candidates[i + 2] = folds.least_likely(i + 2); });
  const auto best = std::ranges::min_element(candidates, {}, &Candidate::log_chance);
  const double phases_tried = 0.5 * longest * (longest + 1.0) - 1;
  if (best->log_chance + std::log(phases_tried) >= std::log(kLeastChance)) return {};
  return {static_cast<uint32_t>(best - candidates.begin()), best->ratio};
}

}  // namespace mezzo::quality
