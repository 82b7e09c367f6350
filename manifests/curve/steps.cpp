#include "manifests/curve/steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mezzo::curve {
namespace {

constexpr double kSameTone = 0.005;  // percent
constexpr double kOutlierSigmas = 4;
constexpr double kLeastSigma = 0.2;  // percent: instruments round
constexpr size_t kNeighbours = 4;    // steps on each side that share the sigma of a step

constexpr size_t kFewestRepeats = 3, kMostRepeats = 64;  // for which one can be left out

/// Readings of one nominal tone: first and count.
struct Repeats {
  size_t first = 0, count = 0;
};

std::vector<Repeats> repeats_of(const std::vector<Reading>& readings) {
  std::vector<Repeats> all;
  for (size_t i = 0; i < readings.size(); ++i) {
    if (all.empty() || readings[i].nominal - readings[all.back().first].nominal > kSameTone) {
      all.push_back({i, 0});
    }
    ++all.back().count;
  }
  return all;
}

Step step_of(const std::vector<Reading>& readings, Repeats repeats) {
  const Reading& first = readings[repeats.first];
  Step step{first.place, first.nominal, 0, 0, repeats.count};
  const auto count = static_cast<double>(repeats.count);
  for (size_t i = 0; i < repeats.count; ++i) step.mean += readings[repeats.first + i].area / count;
  double squares = 0;
  for (size_t i = 0; i < repeats.count; ++i) {
    const double away = readings[repeats.first + i].area - step.mean;
    squares += away * away;
  }
  if (repeats.count > 1) step.spread = std::sqrt(squares / (count - 1));
  return step;
}

/// Sums of the readings of a step, about their mean.
struct Scatter {
  double mean = 0, squares = 0, count = 0;
};

Scatter scatter_of(const std::vector<Reading>& readings, Repeats repeats, size_t without) {
  Scatter scatter;
  for (size_t i = repeats.first; i < repeats.first + repeats.count; ++i) {
    if (i == without) continue;
    ++scatter.count;
    const double away = readings[i].area - scatter.mean;
    scatter.mean += away / scatter.count;
    scatter.squares += away * (readings[i].area - scatter.mean);
  }
  return scatter;
}

/// How far a reading is from the others of its step, in the sigmas of the readings around it.
double sigmas_of(const std::vector<Reading>& readings,
                 const std::vector<Repeats>& steps,
                 size_t step,
                 size_t reading) {
  double squares = 0, freedom = 0;
  const size_t end = std::min(step + kNeighbours + 1, steps.size());
  for (size_t k = step - std::min(step, kNeighbours); k < end; ++k) {
    const Scatter scatter = scatter_of(readings, steps[k], reading);
    squares += scatter.squares;
    freedom += std::max(scatter.count - 1, 0.0);
  }
  const Scatter others = scatter_of(readings, steps[step], reading);
  const double sigma = std::max(freedom > 0 ? std::sqrt(squares / freedom) : 0, kLeastSigma);
  return std::abs(readings[reading].area - others.mean) / (sigma * std::sqrt(1 + 1 / others.count));
}

/// The reading that is too far from the others, and how far; of several the farthest.
std::optional<std::pair<size_t, double>> find_outlier(const std::vector<Reading>& readings,
                                                      const std::vector<Repeats>& steps) {
  std::optional<std::pair<size_t, double>> worst;
  for (size_t step = 0; step < steps.size(); ++step) {
    if (steps[step].count < kFewestRepeats || steps[step].count > kMostRepeats) continue;
    for (size_t i = steps[step].first; i < steps[step].first + steps[step].count; ++i) {
      const double sigmas = sigmas_of(readings, steps, step, i);
      if (sigmas > kOutlierSigmas && (!worst || sigmas > worst->second)) worst = {i, sigmas};
    }
  }
  return worst;
}

/// Knots of nominal tones over measured ones: one for each plateau of the rising means, and the ends.
struct Knots {
  std::vector<double> measured = {0}, nominal = {0};
};

Knots knots_of(const std::vector<Step>& steps) {
  constexpr double kSamePlateau = 1e-9;
  std::vector<double> means, weights, nominal;
  for (const Step& step : steps) {
    if (step.nominal == 0 || step.nominal == 100) continue;
    means.push_back(std::clamp(step.mean, 0.0, 100.0));
    weights.push_back(static_cast<double>(step.count));
    nominal.push_back(step.nominal);
  }
  const std::vector<double> rising = isotonic(means, weights);
  Knots knots;
  for (size_t i = 0; i < rising.size();) {
    double sum = 0, weight = 0;
    const double level = rising[i];
    for (; i < rising.size() && rising[i] - level <= kSamePlateau; ++i) {
      sum += nominal[i] * weights[i];
      weight += weights[i];
    }
    if (level <= kSamePlateau || level >= 100 - kSamePlateau) continue;
    knots.measured.push_back(level);
    knots.nominal.push_back(sum / weight);
  }
  knots.measured.push_back(100);
  knots.nominal.push_back(100);
  return knots;
}

}  // namespace

std::vector<Step> steps_of(const Ramp& ramp) {
  std::vector<Step> steps;
  for (const Repeats& repeats : repeats_of(ramp.readings)) {
    steps.push_back(step_of(ramp.readings, repeats));
  }
  return steps;
}

std::vector<Step> evened(const std::vector<Step>& steps, double window) {
  constexpr int kFewestOfALine = 3;
  std::vector<Step> result = steps;
  for (Step& step : result) {
    int count = 0;
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Step& other : steps) {
      const double away = other.nominal - step.nominal;
      const double weight = 1 - std::abs(away) / window;
      if (weight <= 0) continue;
      ++count;
      sum += weight;
      x += weight * away;
      y += weight * other.mean;
      xx += weight * away * away;
      xy += weight * away * other.mean;
    }
    if (count >= kFewestOfALine) step.mean = (xx * y - x * xy) / (sum * xx - x * x);
  }
  return result;
}

MonotoneCubic nominal_over_measured(const std::vector<Step>& steps) {
  Knots knots = knots_of(steps);
  return {std::move(knots.measured), std::move(knots.nominal)};
}

std::optional<Outlier> take_outlier(Ramp& ramp) {
  std::vector<Reading>& readings = ramp.readings;
  const std::vector<Repeats> steps = repeats_of(readings);
  const auto found = find_outlier(readings, steps);
  if (!found) return std::nullopt;
  const auto& [index, sigmas] = *found;
  Outlier outlier{readings[index], 0, sigmas};
  readings.erase(readings.begin() + static_cast<ptrdiff_t>(index));
  for (const Step& step : steps_of(ramp)) {
    if (std::abs(step.nominal - outlier.reading.nominal) <= kSameTone) outlier.others = step.mean;
  }
  return outlier;
}

MonotoneCubic tones_of(const std::vector<Step>& steps) {
  Knots knots = knots_of(steps);
  return {std::move(knots.nominal), std::move(knots.measured)};
}

}  // namespace mezzo::curve
