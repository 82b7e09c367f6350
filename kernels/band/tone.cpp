#include "kernels/band/tone.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

namespace mezzo {
namespace {

/// Coverage (0 .. 1) after the user's points; the ends are held.
double through_points(double coverage, std::span<const CurvePoint> points) {
  const double in = coverage * 100;
  if (in <= points.front().in_percent) return points.front().out_percent / 100;
  for (size_t i = 1; i < points.size(); ++i) {
    const CurvePoint& a = points[i - 1];
    const CurvePoint& b = points[i];
    if (in > b.in_percent) continue;
    const double part = (in - a.in_percent) / (b.in_percent - a.in_percent);
    return (a.out_percent + part * (b.out_percent - a.out_percent)) / 100;
  }
  return points.back().out_percent / 100;
}

bool is_percent(double value) {
  return value >= 0 && value <= 100;
}

std::string fault_of(std::span<const CurvePoint> points) {
  for (size_t i = 0; i < points.size(); ++i) {
    if (!is_percent(points[i].in_percent) || !is_percent(points[i].out_percent)) {
      return "curve points must lie in 0% .. 100%";
    }
    if (i == 0) continue;
    if (!(points[i].in_percent > points[i - 1].in_percent)) {
      return "the inputs of curve points must rise from point to point";
    }
    if (points[i].out_percent < points[i - 1].out_percent) {
      return "the outputs of curve points must not fall from point to point";
    }
  }
  return {};
}

std::string fault_of(const ToneSettings::PressCurve& curve) {
  const auto& points = curve.points;
  if (points.size() < 2 || points.front() != CurvePoint{0, 0} || points.back().in_percent != 100) {
    return "the curve of a press or a plate must begin at 0% with 0% and end at 100%";
  }
  const bool has_percents = is_percent(curve.cut_off_percent) &&
                            is_percent(curve.bump_from_percent) &&
                            is_percent(curve.bump_to_percent);
  if (!has_percents) return "cut_off and bump of a curve must lie in 0% .. 100%";
  return fault_of(std::span(points));
}

}  // namespace

double ToneSettings::PressCurve::operator()(double coverage) const {
  const double percent = coverage * 100;
  if (coverage <= 0 || percent < cut_off_percent) return 0;
  const double made = through_points(coverage, points);
  if (bump_to_percent == 0) return made;
  return percent < bump_from_percent ? 0 : std::max(made, bump_to_percent / 100);
}

std::string check(const ToneSettings& settings) {
  if (!(settings.gamma >= 0.1 && settings.gamma <= 10)) return "gamma must lie in 0.1 .. 10";
  for (const ToneSettings::PressCurve& curve : settings.curves) {
    if (const std::string fault = fault_of(curve); !fault.empty()) return fault;
  }
  return fault_of(settings.points);
}

ToneCurve::ToneCurve(uint32_t max_sample, Polarity polarity, const ToneSettings& settings) {
  MZ_ASSERT(max_sample >= 1 && max_sample <= 65535);
  MZ_ASSERT(check(settings).empty());
  table_.resize(size_t{max_sample} + 1);
  for (uint32_t sample = 0; sample <= max_sample; ++sample) {
    const bool from_top = (polarity == Polarity::kMaxIsPaper) != settings.invert;
    double coverage = static_cast<double>(from_top ? max_sample - sample : sample) / max_sample;
    if (settings.gamma != 1.0) coverage = std::pow(coverage, settings.gamma);
    if (!settings.points.empty()) coverage = through_points(coverage, settings.points);
    for (const ToneSettings::PressCurve& curve : settings.curves) coverage = curve(coverage);
    table_[sample] = static_cast<uint16_t>(std::lround(coverage * kSolid));
  }
  form_ = find_form();
}

ToneCurve::ToneCurve(std::vector<uint16_t> tones) : table_(std::move(tones)) {
  MZ_ASSERT(table_.size() >= 2 && table_.size() <= 65536);
  form_ = find_form();
}

ToneForm ToneCurve::find_form() const {
  const auto is = [this](auto&& tone) {
    for (uint32_t v = 0; v < table_.size(); ++v) {
      if (table_[v] != tone(v)) return false;
    }
    return true;
  };
  if (max_sample() == 255) {
    if (is([](uint32_t v) { return identity_tone(255 - v); })) return ToneForm::kInverse8;
    if (is([](uint32_t v) { return identity_tone(v); })) return ToneForm::kIdentity8;
  }
  if (max_sample() == kInk15 && is([](uint32_t v) { return identity_tone15(v); })) {
    return ToneForm::kIdentity15;
  }
  return ToneForm::kAny;
}

}  // namespace mezzo
