#include "kernels/quality/seams.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace mezzo::quality {
namespace {

constexpr uint32_t kLongest = 512;
constexpr uint32_t kReturns = 4;
constexpr size_t kReach = 16;  // rows on either side that a row is compared with
constexpr double kLeastRatio = 1.25;
constexpr double kLeastExcess = 8;

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

/// How far rows lie from 1 by chance.
double spread_of(const std::vector<double>& relative) {
  std::vector<double> distances;
  for (const double one : relative) distances.push_back(std::abs(one - 1));
  return std::max(1.4826 * median(distances), 0.01);
}

struct Candidate {
  double ratio = 1;
  double excess = 0;
};

/// The highest phase of this period.
Candidate fold(const std::vector<double>& relative, uint32_t period, double spread) {
  Candidate best;
  std::vector<double> returns;
  for (uint32_t phase = 0; phase < period; ++phase) {
    returns.clear();
    for (size_t i = phase; i < relative.size(); i += period) returns.push_back(relative[i]);
    const double count = static_cast<double>(returns.size());
    const double ratio = median(returns);
    const double excess = (ratio - 1) / (1.25 * spread / std::sqrt(count));
    if (excess > best.excess) best = {ratio, excess};
  }
  return best;
}

}  // namespace

Seam find_seam(const std::vector<double>& power, Team& team) {
  const auto longest = static_cast<uint32_t>(std::min<size_t>(kLongest, power.size() / kReturns));
  if (longest < 2) return {};
  const std::vector<double> relative = relative_to_surroundings(power);
  const double spread = spread_of(relative);
  std::vector<Candidate> candidates(longest + 1);
  for_each_index(
      team, longest - 1, [&](uint32_t i) { candidates[i + 2] = fold(relative, i + 2, spread); });
  const auto best = std::ranges::max_element(candidates, {}, &Candidate::excess);
  if (best->excess < kLeastExcess || best->ratio < kLeastRatio) return {};
  return {static_cast<uint32_t>(best - candidates.begin()), best->ratio};
}

}  // namespace mezzo::quality
