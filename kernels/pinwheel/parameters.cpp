#include "kernels/pinwheel/parameters.h"

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::pinwheel {
namespace {

constexpr int kOne = 1 << 15;

/// The weights of the targets that are left, scaled to sum to one again.
Weights renormalised(const std::array<uint16_t, kTargets>& weights, int legal) {
  std::array<int, kTargets> left{};
  int sum = 0;
  for (int k = 0; k < kTargets; ++k) {
    left[k] = legal >> k & 1 ? weights[k] : 0;
    sum += left[k];
  }
  if (sum == 0) {
    for (int k = 0; k < kTargets; ++k) sum += left[k] = legal >> k & 1;
  }
  Weights result;
  for (int k = primary_target(legal) + 1; k < kTargets; ++k) {
    if (legal >> k & 1) {
      result.part[k] = static_cast<int16_t>(std::min((kOne * left[k] + sum / 2) / sum, kOne - 1));
    }
  }
  return result;
}

}  // namespace

ParameterSet floyd_steinberg_parameters() {
  static constexpr Level kLevel = [] {
    Level level = {.weights = {{{10240, 10240, 6144, 6144},
                                {14336, 10240, 2048, 6144},
                                {17645, 12603, 2520, 0},
                                {28672, 0, 4096, 0}}},
                   .thresholds = {}};
    level.thresholds.fill(kSolid / 2);
    return level;
  }();
  return {&kLevel, 1};
}

Tables::Tables(ParameterSet parameters) : levels_(static_cast<int>(parameters.size())) {
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int legal = 0; legal < 1 << kTargets; ++legal) {
      for (const Level& level : parameters) {
        weights_.push_back(legal == 0 ? Weights{} : renormalised(level.weights[kind], legal));
      }
    }
  }
  for (int which = 0; which < kThresholdClasses; ++which) {
    MZ_ASSERT(levels_ > 1 || parameters[0].thresholds[which] == parameters[0].thresholds[0]);
    const int of_class = class_spread(which);
    for (const Level& level : parameters) {
      thresholds_.push_back({level.thresholds[which],
                             static_cast<int16_t>(levels_ == 1 ? 0 : of_class + level.spread)});
    }
  }
}

Rule Tables::rule(const Noise& noise) const {
  return {weights_.data(), thresholds_.data(), levels_, noise};
}

}  // namespace mezzo::pinwheel
