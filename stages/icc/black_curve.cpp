#include "stages/icc/black_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "stages/icc/transform.h"

namespace mezzo::icc {
namespace {

constexpr size_t kPoints = 257;
constexpr size_t kPressPoints = 1025;

/// L* for equally spaced samples 0 to 1 of one ink, or of all channels alike.
std::vector<double> lightness_of(const Profile& device,
                                 std::optional<uint32_t> ink,
                                 size_t points) {
  const Transform transform = Transform::to_lab(device);
  std::vector<double> colours(points * transform.inputs(), 0.0), lab(points * 3), lightness;
  for (size_t i = 0; i < points; ++i) {
    for (uint32_t c = 0; c < transform.inputs(); ++c) {
      if (ink.value_or(c) != c) continue;
      colours[i * transform.inputs() + c] =
          static_cast<double>(i) / static_cast<double>(points - 1);
    }
  }
  transform.apply(colours, lab);
  for (size_t i = 0; i < points; ++i) {
    const double value = lab[3 * i];
    lightness.push_back(value > 0.0 ? std::min(value, 100.0) : 0.0);
  }
  return lightness;
}

/// From paper to solid, and never lighter again.
std::vector<double> press_lightness(const Profile& press, uint32_t black) {
  check_input(press);
  const bool is_grey = press.space() == ColourSpace::kGrey;
  std::vector<double> lightness = lightness_of(press, black, kPressPoints);
  if (is_grey) std::ranges::reverse(lightness);
  for (size_t i = 1; i < lightness.size(); ++i) {
    lightness[i] = std::min(lightness[i], lightness[i - 1]);
  }
  return lightness;
}

/// The ink, 0 to 1, of a lightness.
double ink_of(const std::vector<double>& falling, double lightness) {
  const auto darker = std::ranges::lower_bound(falling, lightness, std::ranges::greater());
  if (darker == falling.begin()) return 0.0;
  if (darker == falling.end()) return 1.0;
  const double before = *(darker - 1);
  const auto place = static_cast<double>(darker - falling.begin()) - 1.0;
  return (place + (before - lightness) / (before - *darker)) /
         static_cast<double>(falling.size() - 1);
}

}  // namespace

std::vector<uint16_t> black_curve(const Profile& input,
                                  const Profile& press,
                                  uint32_t black,
                                  bool black_point) {
  const bool is_ink = input.space() == ColourSpace::kCmyk;
  std::vector<double> wanted = lightness_of(
      input, is_ink ? ink_named(input.facts().ink_names, "Black") : std::nullopt, kPoints);
  if (!is_ink) std::ranges::reverse(wanted);
  const std::vector<double> press_has = press_lightness(press, black);
  const double white = wanted.front(), range = wanted.front() - wanted.back();
  const double press_range = press_has.front() - press_has.back();
  std::vector<uint16_t> curve;
  for (const double each : wanted) {
    const bool is_matched = black_point && range > 0.0;
    const double lightness =
        is_matched ? press_has.front() - (white - each) / range * press_range : each;
    curve.push_back(static_cast<uint16_t>(std::lround(ink_of(press_has, lightness) * kInk15)));
    if (curve.size() > 1) curve.back() = std::max(curve.back(), curve[curve.size() - 2]);
  }
  curve.front() = 0;
  curve.back() = kInk15;
  if (!is_ink) std::ranges::reverse(curve);
  return curve;
}

}  // namespace mezzo::icc
