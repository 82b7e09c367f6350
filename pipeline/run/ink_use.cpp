#include "pipeline/run/ink_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/prepress/ink_key.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/run/csv.h"

namespace mezzo::run {
namespace {

constexpr double kCm2PerInch2 = 2.54 * 2.54;

/// Of all pages of a plate; nothing when one does not say its resolution.
std::optional<double> plate_cm2(const plan::SheetPlan& sheet) {
  double cm2 = 0;
  for (const PageInfo& page : sheet.infos) {
    const auto [x_dpi, y_dpi] = page.resolution;
    if (x_dpi <= 0 || y_dpi <= 0) return std::nullopt;
    cm2 += kCm2PerInch2 * page.width_px * page.height_px / (x_dpi * y_dpi);
  }
  return cm2;
}

}  // namespace

void add_ink_use(const plan::SheetPlan& sheet, size_t p, PlateResult& plate) {
  const std::optional<double> whole = plate_cm2(sheet);
  if (!whole) return;
  const bool is_negative = sheet.settings.output.negative;
  const double percent = is_negative ? 100 - plate.coverage_percent : plate.coverage_percent;
  plate.ink_cm2 = *whole * percent / 100;
  double film = kUsualFilmGsm, density = kUsualDensityGml;
  if (const auto& press = sheet.settings.press) {
    if (const auto place = press->find(plan::print_ink_of(sheet, p))) {
      film = press->inks[*place].film_gsm.value_or(film);
      density = press->inks[*place].density_gml.value_or(density);
    }
  }
  plate.ink_ml = plate.volume_ml ? *plate.volume_ml : *plate.ink_cm2 * film / density / 1e4;
}

std::vector<InkUse> ink_use_of(const std::vector<SheetResult>& sheets) {
  std::vector<InkUse> use;
  for (const SheetResult& sheet : sheets) {
    if (sheet.failure) continue;
    for (const PlateResult& plate : sheet.plates) {
      if (!plate.ink_cm2) continue;
      auto found = std::ranges::find_if(
          use, [&](const InkUse& one) { return prepress::is_same_ink(one.ink, plate.ink); });
      if (found == use.end()) found = use.insert(use.end(), InkUse{plate.ink});
      found->cm2 += *plate.ink_cm2;
      found->ml += plate.ink_ml.value_or(0);
    }
  }
  return use;
}

std::string ink_use_csv(const std::vector<InkUse>& use) {
  std::string text = "ink,cm2,ml\n";
  for (const InkUse& one : use) {
    text += fmt::format("{},{:.4f},{:.6f}\n", csv_field(one.ink), one.cm2, one.ml);
  }
  return text;
}

}  // namespace mezzo::run
