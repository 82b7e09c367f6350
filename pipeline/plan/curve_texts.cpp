#include "pipeline/plan/curve_texts.h"

#include <fmt/format.h>

#include "manifests/curve/curve_file.h"

namespace mezzo::plan {

std::string curves_text(const PlatePlan& plate) {
  std::string text;
  for (const PlateCurve& one : plate.curves) {
    text += fmt::format("{}{} {} ({})",
                        text.empty() ? "" : ", ",
                        curve::name_of(one.curve->kind),
                        one.file,
                        one.curve->digest.substr(0, 8));
  }
  return text;
}

std::string curve_digests(const ToneSettings& tone) {
  std::string text;
  for (const ToneSettings::PressCurve& one : tone.curves) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", curve::name_of(one.kind), one.digest);
  }
  return text;
}

}  // namespace mezzo::plan
