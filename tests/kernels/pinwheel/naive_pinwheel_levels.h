// A parameter set of the program in the form that the naive pinwheel takes.
#pragma once

#include <span>

#include "kernels/pinwheel/parameters.h"
#include "tests/kernels/pinwheel/naive_pinwheel.h"

namespace mezzo::test {

/// `levels` are 256, `mask` has 64 x 64 values.
inline void take_levels(pinwheel::ParameterSet levels,
                        std::span<const uint16_t> mask,
                        NaivePinwheel& naive) {
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
    for (size_t c = 0; c < naive.lower.size(); ++c) {
      naive.lower[c][i] = levels[i].lower[c];
      naive.upper[c][i] = levels[i].upper[c];
    }
  }
  for (size_t i = 0; i < mask.size(); ++i) naive.mask[i] = static_cast<int16_t>(mask[i]);
}

}  // namespace mezzo::test
