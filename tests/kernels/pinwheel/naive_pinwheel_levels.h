// A parameter set of the program in the form that the naive pinwheel takes.
#pragma once

#include "kernels/pinwheel/parameters.h"
#include "tests/kernels/pinwheel/naive_pinwheel.h"

namespace mezzo::test {

/// `levels` are 256.
inline void take_levels(pinwheel::ParameterSet levels, NaivePinwheel& naive) {
  static_assert(pinwheel::kThresholdClasses == NaivePinwheel::kClasses);
  const std::pair<NaivePinwheel::Kind, pinwheel::Kind> kinds[] = {
      {NaivePinwheel::kFour, pinwheel::kFour},
      {NaivePinwheel::kThree, pinwheel::kThree},
      {NaivePinwheel::kTwo, pinwheel::kTwo},
      {NaivePinwheel::kCorner, pinwheel::kCorner},
  };
  for (size_t i = 0; i < levels.size(); ++i) {
    for (const auto& [to, from] : kinds) {
      const auto& weights = levels[i].weights[from];
      naive.weights[to][i] = {weights[0], weights[1], weights[2], weights[3]};
    }
    for (size_t c = 0; c < naive.thresholds.size(); ++c) {
      naive.thresholds[c][i] = levels[i].thresholds[c];
      naive.spreads[c][i] = pinwheel::class_spread(static_cast<int>(c)) + levels[i].spread;
    }
  }
}

}  // namespace mezzo::test
