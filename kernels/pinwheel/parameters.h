// The sets of parameters of pinwheel error diffusion, and the engines' tables of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/pinwheel/rule.h"

namespace mezzo::pinwheel {

/// The weights and thresholds of a level of tone. Weights are Q15 parts of one and sum to 32768 a
/// kind; targets that a kind does not use have 0. Thresholds are in tone steps.
struct Level {
  std::array<std::array<uint16_t, kTargets>, kKinds> weights;
  std::array<uint16_t, kThresholdClasses> lower;  ///< 0 .. upper
  std::array<uint16_t, kThresholdClasses> upper;  ///< .. 4096
};

/// One level for all tones, or kLevels of them.
using ParameterSet = std::span<const Level>;

/// Floyd-Steinberg's weights for all tones: 7 sixteenths ahead, 5 to the side, 1 ahead-side and 3
/// behind-side, those of missing targets shared out in proportion; at corners 5, 5, 3 and 3.
ParameterSet floyd_steinberg_parameters();

/// A parameter set for engines: the weights of every possible set of targets.
class Tables {
 public:
  /// `mask` has kMaskSide x kMaskSide values in Q15 and stays the caller's; null where lower and
  /// upper thresholds are the same.
  Tables(ParameterSet parameters, const uint16_t* mask);

  /// A rule that points into these tables.
  Rule rule(const Noise& noise) const;

  std::span<const Weights> weights() const { return weights_; }
  std::span<const Threshold> thresholds() const { return thresholds_; }
  const uint16_t* mask() const { return mask_; }

 private:
  int levels_;
  std::vector<Weights> weights_;
  std::vector<Threshold> thresholds_;
  const uint16_t* mask_;
};

}  // namespace mezzo::pinwheel
