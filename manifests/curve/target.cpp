#include "manifests/curve/target.h"

#include <algorithm>
#include <cmath>

#include "manifests/curve/steps.h"
#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::curve {

Target linear_target() {
  return {"linear", [](double tone) { return tone; }};
}

Target tvi_target(double percent) {
  return {"tvi: " + manifests::plain_number(percent) + "%", [percent](double tone) {
            const double a = tone / 100;
            return tone + 4 * percent * a * (1 - a);
          }};
}

Target points_target(std::vector<CurvePoint> points) {
  return {"points", [points = std::move(points)](double tone) { return value_at(points, tone); }};
}

Target like_target(const Ramp& ramp, std::string_view file) {
  return {"like: " + std::string(file),
          [tones = tones_of(steps_of(ramp))](double tone) { return tones.at(tone); }};
}

manifests::Parsed<Target> parse_target(std::string_view text) {
  using Parsed = manifests::Parsed<Target>;
  constexpr double kSteepest = 25;  // beyond, the parabola leaves 0 .. 100
  if (text == "linear" || text == "sctv") {
    Target target = linear_target();
    target.text = text;
    return Parsed::good(std::move(target));
  }
  if (!text.starts_with("tvi:")) {
    return Parsed::bad("must be linear, tvi:PERCENT, sctv, like:FILE or points:IN:OUT,.., found " +
                       manifests::in_quotes(text));
  }
  std::string_view percent = manifests::trimmed(text.substr(4));
  if (percent.ends_with('%')) percent = manifests::trimmed(percent.substr(0, percent.size() - 1));
  const auto number = manifests::parse_number_from(-kSteepest, false, percent);
  if (number.value && std::abs(*number.value) <= kSteepest) {
    return Parsed::good(tvi_target(*number.value));
  }
  return Parsed::bad(
      "must have a tone value increase at 50 % from -25 to 25 percent, such as tvi:16, "
      "found " +
          manifests::in_quotes(text),
      number.value ? "for more, give the tones themselves: like:FILE or points:.." : "");
}

}  // namespace mezzo::curve
