#include "pipeline/plan/screens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "kernels/screen/am_method.h"
#include "kernels/screen/ink_angles.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/plate_resolution.h"

namespace mezzo::plan {
namespace {

using screen::Am;
using screen::Cell;

bool is_am(const HalftoneSettings& halftone) {
  return halftone.method == Am::kName;
}

std::string ink_of(const SheetPlan& sheet, const PlatePlan& plate) {
  const std::string_view ink = without_bit(plate.ink, plate.drop_bit);
  return std::string(ink_on_press(sheet.settings, ink, plate.page_ink));
}

double number_of(const HalftoneSettings& halftone, std::string_view name) {
  return with_defaults(halftone).parameters.find(name)->second;
}

/// The resolution of the plates; 0 where the settings have to say it. Throws where nobody does.
double resolution_for(const SheetPlan& sheet, const HalftoneSettings& halftone) {
  const double of_page =
      dpi_of_plates(sheet, "method 'am' makes screens", "a plate of method 'am' has one screen");
  if (of_page != 0 || number_of(halftone, "dpi") != 0) return of_page;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format(
          "{}: the page does not say its resolution, which method 'am' needs for its ruling",
          sheet.input),
      "give it with 'assume_resolution: 300' or --assume-resolution 300")
      .about("halftone.method");
}

CompleteSettings completed(const SheetPlan& sheet,
                           const PlatePlan& plate,
                           const HalftoneSettings& halftone) {
  const CompleteSettings::Plate facts{.dpi = resolution_for(sheet, halftone),
                                      .ink = ink_of(sheet, plate)};
  try {
    return complete(halftone, facts);
  } catch (const Error& error) {
    throw error.at(fmt::format("{}: {}: ", sheet.input, plate.ink));
  }
}

/// The numbers of the plate's screen that its settings do not have.
ParameterNumbers numbers_of(const SheetPlan& sheet, const PlatePlan& plate) {
  using Source = ParameterInfo::Source;
  const HalftoneSettings halftone = asked_of(sheet, plate).halftone;
  const CompleteSettings whole = completed(sheet, plate, halftone);
  ParameterNumbers numbers;
  for (const ParameterInfo& parameter : find_method(whole->method)->parameters) {
    const bool is_left_out = !halftone.parameters.contains(parameter.name);
    if (parameter.source == Source::kPlate || (parameter.source == Source::kInk && is_left_out))
      numbers.insert(*whole->parameters.find(parameter.name));
  }
  const Cell cell = Am::screen(*whole).cell;
  numbers.emplace("cell_repeats", cell.repeats);
  numbers.emplace("cell_m", cell.m);
  numbers.emplace("cell_n", cell.n);
  return numbers;
}

bool accepts_moire(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.plates, [&](const PlatePlan& plate) {
    const HalftoneSettings halftone = settings_of(sheet, plate).halftone;
    return is_am(halftone) && number_of(halftone, "moire") != 0;
  });
}

void judge_moire(SheetPlan& sheet) {
  constexpr double kShort = 300, kLong = 1000;  // mm
  const double period = moire_of(sheet);
  if (period < kShort && !accepts_moire(sheet)) {
    throw Error(
        ErrorKind::kData,
        fmt::format("{}: the screens of its inks make moire with a period of {}, which shows",
                    sheet.input,
                    period_text(period)),
        "give inks one ruling and angles 30 degrees apart, or set 'moire: accept'")
        .about("halftone.ruling");
  }
  if (period >= kLong) return;
  sheet.warnings.push_back("the screens of its inks make moire with a period of " +
                           period_text(period) +
                           "; angles 30 degrees apart at one ruling have none below 3 m");
}

/// Grids look the same after a quarter turn.
bool has_one_angle(double a, double b) {
  const double apart = std::fmod(std::abs(a - b), 90);
  return std::min(apart, 90 - apart) < 1;
}

void warn_of_angles(SheetPlan& sheet) {
  std::vector<std::pair<std::string, double>> inks;
  for (const PlatePlan& plate : sheet.plates) {
    const auto screen = screen_of(sheet, plate);
    if (!screen) continue;
    const std::string ink = ink_of(sheet, plate);
    const double own = screen::angle_of(screen->cell);
    for (const auto& [other, angle] : inks) {
      if (!has_one_angle(angle, own) || screen::may_share_angle(ink, other)) continue;
      if (prepress::is_same_ink(ink, other)) continue;  // drop bits of one ink
      sheet.warnings.push_back(fmt::format(
          "{} at {:.4g} degrees and {} at {:.4g} have the same screen: where they overlap, their "
          "colour changes with the register; give one of them another angle",
          other,
          angle,
          ink,
          own));
    }
    inks.emplace_back(ink, own);
  }
}

/// Cells that the settings name, and that are not those of the ruling and angle beside them.
void warn_of_cells(SheetPlan& sheet) {
  constexpr double kNear = 0.015;  // of the ruling, and of a radian
  for (const PlatePlan& plate : sheet.plates) {
    const auto screen = screen_of(sheet, plate);
    if (!screen) continue;
    const double ruling = screen::ruling_of(screen->cell, screen->resolution);
    const double angle = screen::angle_of(screen->cell);
    const double turned = std::remainder(angle - screen->angle, 90) * std::numbers::pi / 180;
    if (std::abs(ruling / screen->ruling - 1) < kNear && std::abs(turned) < kNear) continue;
    sheet.warnings.push_back(
        fmt::format("{}: the cell that is set has {:.2f} lpi at {:.2f} degrees, not {:.6g} lpi at "
                    "{:.6g} degrees",
                    ink_of(sheet, plate),
                    ruling,
                    angle,
                    screen->ruling,
                    screen->angle));
  }
}

void warn_of_pixels(SheetPlan& sheet, const PlateScreen& finest) {
  constexpr double kFewPixels = 8, kFewOfPage = 1.5;
  const double side = finest.resolution / finest.ruling;
  if (side < kFewPixels) {
    sheet.warnings.push_back(fmt::format(
        "a cell of {:.6g} lpi at {:.6g} dpi is {:.2g} px wide, which makes tints grainy; give the "
        "plates {:.6g} dpi or more, or use {:.6g} lpi or less",
        finest.ruling,
        finest.resolution,
        side,
        std::ceil(kFewPixels * finest.ruling),
        std::floor(finest.resolution / kFewPixels)));
  }
  const double of_page = source_of(sheet, 0).resolution.x_dpi;
  if (of_page > 0 && of_page < kFewOfPage * finest.ruling) {
    sheet.warnings.push_back(
        fmt::format("the page has {:.6g} dpi, which is little detail for a screen of {:.6g} lpi; "
                    "{:.6g} dpi and more would use it",
                    of_page,
                    finest.ruling,
                    std::ceil(kFewOfPage * finest.ruling)));
  }
}

}  // namespace

void plan_screens(SheetPlan& sheet) {
  std::optional<PlateScreen> finest;
  for (PlatePlan& plate : sheet.plates) {
    if (!is_am(settings_of(sheet, plate).halftone)) continue;
    plate.screen = numbers_of(sheet, plate);
    const auto screen = screen_of(sheet, plate);
    if (!finest || screen->ruling > finest->ruling) finest = screen;
  }
  if (!finest) return;
  judge_moire(sheet);
  if (!accepts_moire(sheet)) warn_of_angles(sheet);
  warn_of_cells(sheet);
  warn_of_pixels(sheet, *finest);
}

std::optional<PlateScreen> screen_of(const SheetPlan& sheet, const PlatePlan& plate) {
  if (plate.screen.empty()) return std::nullopt;
  const HalftoneSettings halftone = with_defaults(settings_of(sheet, plate).halftone);
  return PlateScreen{number_of(halftone, "ruling"),
                     number_of(halftone, "angle"),
                     number_of(halftone, "dpi"),
                     Am::screen(halftone).cell};
}

std::string screen_text(const PlateScreen& screen) {
  const auto& [repeats, m, n] = screen.cell;
  return fmt::format(
      "{:.6g} lpi at {:.6g} degrees: {:.2f} lpi at {:.2f} degrees, {} levels, cells of ({}, {}) / "
      "{} "
      "px",
      screen.ruling,
      screen.angle,
      screen::ruling_of(screen.cell, screen.resolution),
      screen::angle_of(screen.cell),
      screen::levels_of(screen.cell),
      m,
      n,
      repeats);
}

bool has_screens(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.plates,
                             [](const PlatePlan& plate) { return !plate.screen.empty(); });
}

bool is_planned(const SheetPlan& sheet, std::string_view parameter) {
  return std::ranges::any_of(
      sheet.plates, [&](const PlatePlan& plate) { return plate.screen.contains(parameter); });
}

double moire_of(const SheetPlan& sheet) {
  std::vector<Cell> cells;
  double resolution = 1;
  for (const PlatePlan& plate : sheet.plates) {
    const auto screen = screen_of(sheet, plate);
    if (!screen) continue;
    cells.push_back(screen->cell);
    resolution = screen->resolution;
  }
  return screen::moire_period(cells, resolution);
}

std::string period_text(double period_mm) {
  if (!std::isfinite(period_mm)) return "none";
  return period_mm < 1000 ? fmt::format("{:.3g} mm", period_mm)
                          : fmt::format("{:.2g} m", period_mm / 1000);
}

}  // namespace mezzo::plan
