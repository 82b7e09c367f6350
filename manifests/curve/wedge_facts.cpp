#include "manifests/curve/wedge_facts.h"

#include <algorithm>
#include <cmath>

#include "kernels/prepress/ink_key.h"
#include "manifests/curve/steps.h"
#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::curve {
namespace {

using manifests::in_quotes;

class FactSettler {
 public:
  FactSettler(const Measurement& measurement, const std::string& ink)
      : measurement_(measurement), ink_(ink) {}

  std::string settle(std::string_view what,
                     const std::string& said,
                     const std::string& of_wedge,
                     const CurveFile* on,
                     const std::string& of_curve);
  void check_curves(PressCurve::Kind kind, bool is_refined);
  void check_refined(const CurveFile& on, const std::string& curves_on);
  std::vector<Diagnostic> refusals;

 private:
  void refuse(const std::string& message, std::string hint);

  const Measurement& measurement_;
  const std::string& ink_;
};

void FactSettler::refuse(const std::string& message, std::string hint) {
  refusals.push_back(measurement_.source->diagnostic({}, ink_ + ": " + message, std::move(hint)));
}

/// The first that is said; the others must agree.
std::string FactSettler::settle(std::string_view what,
                                const std::string& said,
                                const std::string& of_wedge,
                                const CurveFile* on,
                                const std::string& of_curve) {
  if (!said.empty() && !of_wedge.empty() && said != of_wedge) {
    refuse("the wedge is of " + std::string(what) + " " + in_quotes(of_wedge) +
               ", and the curve is for " + in_quotes(said),
           "a curve holds for what its wedge was printed with");
  }
  const std::string& chosen = said.empty() ? of_wedge : said;
  if (on == nullptr) return chosen;
  if (!chosen.empty() && chosen != of_curve) {
    refuse("the curve that is refined is for " + std::string(what) + " " + in_quotes(of_curve) +
               ", and the wedge is of " + in_quotes(chosen),
           "refine the curve that the wedge was printed with");
  }
  return chosen.empty() ? of_curve : chosen;
}

void FactSettler::check_curves(PressCurve::Kind kind, bool is_refined) {
  const std::string& on = measurement_.facts.curves;
  if (on.empty()) return;
  const bool has_plate = on == "plate" || on == "all", has_press = on == "all";
  if (on != "none" && !has_plate) {
    refuse("the wedge says curves = " + in_quotes(on) + ", which is none of none, plate and all",
           "write which curves were on");
  } else if (kind == PressCurve::Kind::kPlate && has_press) {
    refuse("the wedge was printed with the curves of the press, and this one is for its plates",
           "print it again: mezzotint wedge --with plate");
  } else if (is_refined && !(kind == PressCurve::Kind::kPlate ? has_plate : has_press)) {
    refuse("the wedge was printed without the curve that is to be refined",
           "leave --refine out, or print the wedge with it: mezzotint wedge --with all");
  } else if (!is_refined && (kind == PressCurve::Kind::kPlate ? has_plate : has_press)) {
    refuse("the wedge was printed with a curve, and what it shows is what that leaves to correct",
           "name that curve: --refine FILE");
  }
}

/// What the wedge says of its curves has the beginning of the digest of each.
void FactSettler::check_refined(const CurveFile& on, const std::string& curves_on) {
  constexpr size_t kShownDigits = 8;
  const std::string digest = on.curve.digest.substr(0, kShownDigits);
  if (curves_on.empty() || curves_on.find(digest) != std::string::npos) return;
  refuse("the curve that is refined (" + digest +
             ") is not the one that the wedge was printed with: " + in_quotes(curves_on),
         "refine the curve that the wedge was printed with");
}

std::string text_of(const std::optional<double>& dpi) {
  return dpi ? manifests::plain_number(*dpi) : "";
}

/// What the wedge says of one ink, of those that it lists.
std::string of_ink(const WedgeFacts& facts,
                   const std::vector<std::string>& texts,
                   const std::string& ink) {
  if (facts.inks.empty()) return texts.empty() ? "" : texts.front();
  for (size_t i = 0; i < facts.inks.size() && i < texts.size(); ++i) {
    if (prepress::is_same_ink(facts.inks[i], ink)) return texts[i];
  }
  return "";
}

}  // namespace

std::vector<Diagnostic> settle_facts(const PrintFacts& said,
                                     const Measurement& measurement,
                                     const CurveFile* on,
                                     CurveFile& file,
                                     const std::string& ink) {
  const WedgeFacts& wedge = measurement.facts;
  const CurveFile none;
  const CurveFile& old = on == nullptr ? none : *on;
  FactSettler settler(measurement, ink);
  file.press = settler.settle("press", said.press, wedge.press, on, old.press);
  file.screen =
      settler.settle("screen", said.screen, of_ink(wedge, wedge.screens, ink), on, old.screen);
  const std::string dpi = settler.settle(
      "resolution", text_of(said.dpi), text_of(wedge.dpi), on, manifests::plain_number(old.dpi));
  file.dpi = number_of(dpi).value_or(0);
  file.paper = settler.settle("paper", said.paper, wedge.paper, on, old.paper);
  settler.check_curves(file.curve.kind, on != nullptr);
  if (on != nullptr) settler.check_refined(*on, of_ink(wedge, wedge.curves_on, ink));
  return std::move(settler.refusals);
}

std::vector<Measure> measures_of(const Ramp& ramp) {
  const auto rounded = [](double value) {
    return std::round(std::clamp(value, manifests::kLeastMeasure, manifests::kMostMeasure) * 1000) /
           1000;
  };
  std::vector<Measure> measures;
  if (ramp.readings.size() > manifests::kMaxMeasures) {
    for (const Step& step : steps_of(ramp)) measures.push_back({step.nominal, rounded(step.mean)});
    measures.resize(std::min(measures.size(), manifests::kMaxMeasures));
    return measures;
  }
  for (const Reading& reading : ramp.readings) {
    measures.push_back({rounded(reading.nominal), rounded(reading.area)});
  }
  return measures;
}

}  // namespace mezzo::curve
