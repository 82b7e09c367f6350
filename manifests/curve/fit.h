// A curve fitted to the measured ramp of an ink, so that it prints a target; and all that speaks against
// using it.
//
// Repeats become their mean, the means a rising sequence (isotonic regression), plateaus one point each;
// through these goes a monotone cubic of nominal tones over measured ones, which gives the tone to
// print for each tone of the target. Only steps that lie close together even each other out: the jump
// where dots touch is real.
#pragma once

#include <vector>

#include "manifests/curve/fit_result.h"
#include "manifests/curve/target.h"

namespace mezzo::curve {

/// `on` are the points of the curve that the wedge was printed with and that is refined, or null: the new
/// curve is that one of corrected tones. The source is that of the ramp's places.
CurveFit fit_curve(const Ramp& ramp,
                   const Target& target,
                   const std::vector<CurvePoint>* on,
                   const manifests::SourceText& source);

}  // namespace mezzo::curve
