#include "manifests/curve/fit.h"

#include <algorithm>
#include <cmath>

#include "manifests/curve/judge.h"
#include "manifests/fields.h"

namespace mezzo::curve {
namespace {

// Percent. The jump where dots touch is in the curve that is refined, and need not be spared.
constexpr double kNear = 3.5, kNearOfRefined = 6;

}  // namespace

CurveFit fit_curve(const Ramp& ramp,
                   const Target& target,
                   const std::vector<CurvePoint>* on,
                   const manifests::SourceText& source) {
  CurveFit fit;
  Ramp kept = ramp;
  fit.outlier = take_outlier(kept);
  fit.steps = steps_of(kept);
  double squares = 0;
  for (const Step& step : fit.steps) squares += step.spread * step.spread;
  fit.spread = std::sqrt(squares / static_cast<double>(fit.steps.size()));
  const MonotoneCubic nominal_of =
      nominal_over_measured(evened(fit.steps, on == nullptr ? kNear : kNearOfRefined));
  const auto curve = [&](double tone) {
    const double nominal = tone <= 0 ? 0 : tone >= 100 ? 100 : nominal_of.at(target.tone(tone));
    return on == nullptr ? nominal : value_at(*on, nominal);
  };
  constexpr double kTolerance = 0.004;  // percent: a sixth of a step of tones
  fit.points = few_points(curve, kTolerance, manifests::kMaxCurvePoints);
  const MonotoneCubic tones = tones_of(fit.steps);
  fit.gain_25 = tones.at(25) - 25;
  fit.gain_50 = tones.at(50) - 50;
  fit.gain_75 = tones.at(75) - 75;
  for (const CurvePoint& point : fit.points) {
    const double change = point.out_percent - point.in_percent;
    if (std::abs(change) <= std::abs(fit.largest_change)) continue;
    fit.largest_change = change;
    fit.changed_at = point.in_percent;
  }
  fit.refusals = judge(ramp, fit, source);
  return fit;
}

}  // namespace mezzo::curve
