// What a fit gives: a curve, and what was found on the way.
#pragma once

#include <optional>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/curve/steps.h"

namespace mezzo::curve {

struct CurveFit {
  std::vector<CurvePoint> points;  ///< the curve: 0 to 100 percent, at most 256
  std::vector<Step> steps;         ///< by rising nominal tone
  std::optional<Outlier> outlier;
  double gain_25 = 0, gain_50 = 0, gain_75 = 0;  ///< tone value increase as it was measured
  double largest_change = 0, changed_at = 0;     ///< out - in, where it is farthest from 0
  double spread = 0;                             ///< root mean square over the steps
  std::vector<Diagnostic> refusals;              ///< each may be overruled with a reason
};

}  // namespace mezzo::curve
