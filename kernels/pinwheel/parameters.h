// The sets of parameters of pinwheel error diffusion, and the engines' tables of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/pinwheel/rule.h"

namespace mezzo::pinwheel {

/// The weights and thresholds of a level of tone. Weights are Q15 parts of one and sum to 32768 a
/// kind; targets that a kind does not use have 0. Thresholds and their spread are in tone steps.
struct Level {
  std::array<std::array<uint16_t, kTargets>, kKinds> weights;
  std::array<int16_t, kThresholdClasses> thresholds;  ///< -kMostThreshold .. 4096 + kMostThreshold
  int16_t spread = 0;  ///< of all thresholds, besides what they have by class: 0 .. kMostSpread
};
inline constexpr int kMostThreshold = 8192;
inline constexpr int kMostSpread = 4096;

/// One level for all tones, or kLevels of them.
using ParameterSet = std::span<const Level>;

/// Floyd-Steinberg's weights for all tones: 7 sixteenths ahead, 5 to the side, 1 ahead-side and 3
/// behind-side, those of missing targets shared out in proportion; at corners 5, 5, 3 and 3.
ParameterSet floyd_steinberg_parameters();

/// A parameter set for engines: the weights of every possible set of targets.
class Tables {
 public:
  /// Thresholds of kLevels levels have the spread of their class and that of their level. One level
  /// has one threshold for all classes, without spread.
  explicit Tables(ParameterSet parameters);

  /// A rule that points into these tables.
  Rule rule(const Noise& noise) const;

  std::span<const Weights> weights() const { return weights_; }
  std::span<const Threshold> thresholds() const { return thresholds_; }

 private:
  int levels_;
  std::vector<Weights> weights_;
  std::vector<Threshold> thresholds_;
};

}  // namespace mezzo::pinwheel
