// What speaks against a measured curve. Everything here may be overruled by someone who knows better, with
// a reason that stays with the curve.
#pragma once

#include <vector>

#include "manifests/curve/fit_result.h"

namespace mezzo::curve {

inline constexpr size_t kFewestSteps = 9;
inline constexpr double kLeastSolidDensity = 0.3;          ///< of the solid over paper
inline constexpr double kMostStepBack = 1.5;               ///< percent of dot, and so below
inline constexpr double kLeastGain = -15, kMostGain = 45;  ///< tone value increase at 50 %
inline constexpr double kLeastSlope = 0.2,
                        kMostSlope = 4;  ///< of the curve from 5 to 95 %, over 2 %
inline constexpr double kMostChange = 30;
inline constexpr double kMostSpread = 2;  ///< of the repeats of a step, as a standard deviation
inline constexpr double kLightestSolid = 98;

/// The refusals of the curve of a ramp, each at the line of the measurement that shows it.
std::vector<Diagnostic> judge(const Ramp& ramp,
                              const CurveFit& fit,
                              const manifests::SourceText& source);

}  // namespace mezzo::curve
