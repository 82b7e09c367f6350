// The dot areas that a press is to print.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/curve/ramp.h"
#include "manifests/scalars.h"

namespace mezzo::curve {

struct Target {
  std::string text;                    ///< "linear", "tvi: 16%", "like: fogra51.txt", "points"
  std::function<double(double)> tone;  ///< percent of percent; 0 at 0, 100 at 100, never falling
};

Target linear_target();

/// A tone value increase of `percent` (-25 .. 25) at 50 %: the parabola a + 4 T a (1 - a).
Target tvi_target(double percent);

/// Straight lines between points that begin at 0 % and end at 100 %, and never fall.
Target points_target(std::vector<CurvePoint> points);

/// The tones of a ramp that was printed as it should be.
Target like_target(const Ramp& ramp, std::string_view file);

/// "linear", "sctv" (as linear), "tvi: 16%" and with it "tvi:16".
manifests::Parsed<Target> parse_target(std::string_view text);

}  // namespace mezzo::curve
