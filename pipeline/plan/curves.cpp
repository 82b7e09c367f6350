#include "pipeline/plan/curves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/plate_resolution.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/wall_time.h"

namespace mezzo::plan {
namespace {

using curve::PressCurve;

std::string today() {
  return utc_text(std::chrono::system_clock::now()).substr(0, std::string("2026-11-20").size());
}

/// A curve that is past its last day.
void judge_age(const curve::LibraryCurve& found, SheetPlan& sheet) {
  const std::string& expires = found.file.expires;
  if (expires.empty() || today() <= expires) return;
  const std::string text = fmt::format("the {} curve of {}, {}, expired on {}; measure a new wedge",
                                       curve::name_of(found.file.curve.kind),
                                       found.file.ink,
                                       found.name,
                                       expires);
  if (sheet.settings.curves.is_strict) {
    throw Error(ErrorKind::kData, fmt::format("{}: {}", sheet.input, text));
  }
  sheet.warnings.push_back(text);
}

/// "there is no press curve of cyan, magenta in curves/".
std::string missing_text(PressCurve::Kind kind, const std::string& inks, const SheetPlan& sheet) {
  return fmt::format("there is no {} curve of {} in {}",
                     curve::name_of(kind),
                     inks,
                     sheet.settings.curves.library);
}

/// Nothing in the library is for the ink.
void refuse_missing(const curve::Wanted& wanted, const SheetPlan& sheet) {
  if (!sheet.settings.curves.is_strict) return;
  throw Error(ErrorKind::kData,
              fmt::format("{}: {}, and the press is strict about curves",
                          sheet.input,
                          missing_text(wanted.kind, wanted.ink, sheet)),
              "measure a wedge of the ink, or leave the kind out of 'kinds'");
}

/// A plate without tones between paper and solid has nothing to correct.
bool needs_curves(const SheetPlan& sheet, const PlatePlan& plate) {
  return asked_of(sheet, plate).halftone.method != "threshold";
}

/// False when there is none, and the ink needs one.
bool add(const curve::Library& library,
         const curve::Wanted& wanted,
         SheetPlan& sheet,
         PlatePlan& plate) {
  curve::LibraryCurvePtr found;
  try {
    found = library.find(wanted);
  } catch (const Error& error) {
    throw error.at(sheet.input + ": ");
  }
  if (found == nullptr) {
    if (!needs_curves(sheet, plate)) return true;
    refuse_missing(wanted, sheet);
    return false;
  }
  judge_age(*found, sheet);
  plate.curves.push_back(
      {std::shared_ptr<const PressCurve>(found, &found->file.curve), found->name});
  return true;
}

}  // namespace

std::string screen_digest(const SheetPlan& sheet, const PlatePlan& plate) {
  const HalftoneSettings halftone = settings_of(sheet, plate).halftone;
  std::string text = halftone.method;
  for (const auto& [name, value] : parameter_texts(halftone)) {
    if (name != "dpi") text += fmt::format(" {}={}", name, value);
  }
  if (!halftone.tile.path.empty()) text += " file=" + halftone.tile.digest;
  if (const auto& levels = halftone.levels) {
    text += fmt::format(" levels={}{} overlap={}",
                        fmt::join(levels->drops, ","),
                        levels->in_picolitres ? "pl" : "%",
                        levels->overlap_percent);
  }
  return text;
}

const curve::Library& CurveReader::library(const std::string& folder) {
  const auto known = libraries_.find(folder);
  if (known != libraries_.end()) return known->second;
  return libraries_.emplace(folder, curve::Library(folder)).first->second;
}

/// Once in a job for the same inks, which most often are those of all pages.
void CurveReader::warn_of_missing(PressCurve::Kind kind,
                                  std::vector<std::string> inks,
                                  SheetPlan& sheet) {
  inks.erase(std::unique(inks.begin(), inks.end()), inks.end());  // bits of levels
  const std::string text = missing_text(kind, fmt::format("{}", fmt::join(inks, ", ")), sheet);
  if (!missing_.insert(text).second) return;
  const manifests::CurveSettings& settings = sheet.settings.curves;
  const bool is_plate = kind == PressCurve::Kind::kPlate;
  const bool has_other = is_plate ? settings.has_press : settings.has_plate;
  sheet.warnings.push_back(fmt::format(
      "{}; plates are output uncorrected, also those of other pages with these inks. Measure a "
      "wedge, or, where no such curve is needed, set 'curves: {{kinds: [{}]}}'",
      text,
      !has_other ? ""
      : is_plate ? curve::name_of(PressCurve::Kind::kPress)
                 : curve::name_of(PressCurve::Kind::kPlate)));
}

void CurveReader::read(SheetPlan& sheet) {
  const manifests::CurveSettings& settings = sheet.settings.curves;
  if (settings.library.empty() || !(settings.has_plate || settings.has_press)) return;
  const curve::Library& from = library(settings.library);
  const double dpi = dpi_of_plates(sheet, "curves are", "its plates have one curve each");
  if (dpi == 0) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: the page does not say its resolution, which its curves depend on",
                            sheet.input),
                "set assume_resolution, or output.resolution");
  }
  std::map<PressCurve::Kind, std::vector<std::string>> missing;  // inks
  for (PlatePlan& plate : sheet.plates) {
    const std::string_view ink = without_bit(plate.ink, plate.drop_bit);
    curve::Wanted wanted{.press = sheet.settings.press ? sheet.settings.press->name : "",
                         .ink = std::string(ink_on_press(sheet.settings, ink, plate.page_ink)),
                         .screen = screen_digest(sheet, plate),
                         .dpi = dpi,
                         .paper = settings.paper};
    using Kind = PressCurve::Kind;
    for (const Kind kind : {Kind::kPress, Kind::kPlate}) {
      if (!(kind == Kind::kPlate ? settings.has_plate : settings.has_press)) continue;
      wanted.kind = kind;
      if (!add(from, wanted, sheet, plate)) missing[kind].push_back(wanted.ink);
    }
  }
  for (const auto& [kind, inks] : missing) warn_of_missing(kind, inks, sheet);
}

}  // namespace mezzo::plan
