#include "manifests/curve/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mezzo::curve {
namespace {

class Judge {
 public:
  Judge(const Ramp& ramp, const CurveFit& fit, const manifests::SourceText& source)
      : ramp_(ramp), fit_(fit), source_(source) {}

  std::vector<Diagnostic> all();

 private:
  void solid();
  void steps();
  void gain();
  void curve();
  void slope();
  void refuse(Place place, const std::string& message, std::string hint);
  Place place_of(double nominal) const;

  const Ramp& ramp_;
  const CurveFit& fit_;
  const manifests::SourceText& source_;
  std::vector<Diagnostic> refusals_;
};

/// The value with at least so many decimals, and with as many as it takes to show that it is not on
/// the other side of the bound, nor equal to it.
std::string shown_against(double bound, double value, int decimals) {
  for (constexpr int kMostDecimals = 9;; ++decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const double shown = std::stod(text);
    const bool is_true = value < bound ? shown < bound : value > bound ? shown > bound : true;
    if (is_true || decimals == kMostDecimals) return text;
  }
}

void Judge::refuse(Place place, const std::string& message, std::string hint) {
  refusals_.push_back(source_.diagnostic(place, ramp_.ink + ": " + message, std::move(hint)));
}

/// Of the step that is nearest to a tone.
Place Judge::place_of(double nominal) const {
  return std::ranges::min_element(
             fit_.steps, {}, [&](const Step& step) { return std::abs(step.nominal - nominal); })
      ->place;
}

void Judge::solid() {
  if (ramp_.solid_density && *ramp_.solid_density < kLeastSolidDensity) {
    refuse(ramp_.solid_place,
           fmt::format("the solid has a density of {} over paper, and an ink has at least {:g}",
                       shown_against(kLeastSolidDensity, *ramp_.solid_density, 2),
                       kLeastSolidDensity),
           "the wrong filter or column, paper and solid exchanged, or no ink on the patch");
  }
  const auto darkest = std::ranges::max_element(fit_.steps, {}, &Step::mean);
  const double solid = fit_.steps.back().mean;
  const double share = 100 * solid / std::max(darkest->mean, 100.0);
  if (share < kLightestSolid) {
    refuse(
        ramp_.solid_place,
        darkest->mean > 100
            ? fmt::format("the solid reads {} % of the step {:g} %, which is darker",
                          shown_against(kLightestSolid, share, 1),
                          darkest->nominal)
            : fmt::format("the solid reads {} % of dot", shown_against(kLightestSolid, solid, 1)),
        "columns or patches are exchanged, or the solid was not read well");
  }
}

void Judge::steps() {
  if (fit_.steps.size() < kFewestSteps) {
    refuse(ramp_.readings.front().place,
           fmt::format(
               "{} steps were measured, and a curve needs {}", fit_.steps.size(), kFewestSteps),
           "print a wedge of 'mezzotint wedge', which has 33");
  }
  const Step* highest = &fit_.steps.front();
  const Step* worst = nullptr;
  double back = kMostStepBack;
  const Step* from = nullptr;
  for (const Step& step : fit_.steps) {
    if (highest->mean - step.mean > back) {
      back = highest->mean - step.mean;
      worst = &step;
      from = highest;
    }
    if (step.mean > highest->mean) highest = &step;
  }
  if (worst != nullptr) {
    refuse(worst->place,
           fmt::format("the step {:g} % is {} % of dot lighter than {:g} %, which is below it",
                       worst->nominal,
                       shown_against(kMostStepBack, back, 1),
                       from->nominal),
           "a patch is read twice or out of order, or is damaged; measure these again");
  }
  const auto widest = std::ranges::max_element(fit_.steps, {}, &Step::spread);
  if (widest->spread > kMostSpread) {
    refuse(widest->place,
           fmt::format("the repeats of {:g} % differ by {} % of dot (standard deviation), and {:g} "
                       "% is the most",
                       widest->nominal,
                       shown_against(kMostSpread, widest->spread, 1),
                       kMostSpread),
           "a patch is damaged, or the print is uneven: measure again, or print again");
  }
}

void Judge::gain() {
  if (fit_.gain_50 >= kLeastGain && fit_.gain_50 <= kMostGain) return;
  refuse(place_of(50),
         fmt::format(
             "the tone value increase at 50 % is {}{}, and presses have {:+g} to {:+g}",
             fit_.gain_50 < 0 ? "" : "+",
             shown_against(fit_.gain_50 < kLeastGain ? kLeastGain : kMostGain, fit_.gain_50, 1),
             kLeastGain,
             kMostGain),
         "columns are exchanged, the file is of another wedge, or the wedge is a negative");
}

void Judge::curve() {
  if (std::abs(fit_.largest_change) <= kMostChange) return;
  refuse(place_of(fit_.changed_at),
         fmt::format(
             "the curve would move {:g} % by {}{}, and {:g} is the most",
             fit_.changed_at,
             fit_.largest_change < 0 ? "" : "+",
             shown_against(std::copysign(kMostChange, fit_.largest_change), fit_.largest_change, 1),
             kMostChange),
         "is the target meant for this press?");
}

/// The worst of both kinds.
void Judge::slope() {
  constexpr double kBegin = 5, kEnd = 95, kWindow = 2, kStep = 0.5;
  double worst = 1, at = 0;
  for (double tone = kBegin; tone + kWindow <= kEnd; tone += kStep) {
    const double slope =
        (value_at(fit_.points, tone + kWindow) - value_at(fit_.points, tone)) / kWindow;
    const bool is_outside = slope > kMostSlope || slope < kLeastSlope;
    if (!is_outside || std::abs(std::log(std::max(slope, 1e-6))) <= std::abs(std::log(worst))) {
      continue;
    }
    worst = std::max(slope, 1e-6);
    at = tone;
  }
  if (worst == 1) return;
  refuse(
      place_of(value_at(fit_.points, at)),
      fmt::format(
          "between {1:g} and {2:g} % the curve would rise by {0} for each 1 %; a curve must rise "
          "by {3:g} to {4:g}",
          shown_against(worst > 1 ? kMostSlope : kLeastSlope, worst, 2),
          at,
          at + kWindow,
          kLeastSlope,
          kMostSlope),
      worst > 1 ? "tones hardly print there: look at the patches"
                : "tones jump there: look at the patches");
}

std::vector<Diagnostic> Judge::all() {
  solid();
  steps();
  gain();
  curve();
  slope();
  return std::move(refusals_);
}

}  // namespace

std::vector<Diagnostic> judge(const Ramp& ramp,
                              const CurveFit& fit,
                              const manifests::SourceText& source) {
  return Judge(ramp, fit, source).all();
}

}  // namespace mezzo::curve
