// The AM screens of a sheet's plates: what follows from the plates' resolution and their inks.
//
// A screen is planned once: angle and resolution that the settings leave open, and the cell, which is
// three whole numbers, go into PlatePlan::screen, and from there into runs, plates and records.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/screen/cells.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Fills in PlatePlan::screen of plates whose method is am, and adds warnings: of a moire with a period
/// below a metre, of small cells, of few pixels a dot on the page, and of inks at one angle. Throws
/// Error: kUnsupported without a resolution or with two, kUsage for settings that do not fit the
/// plates, kData for a moire with a period below 300 mm that the settings do not accept.
void plan_screens(SheetPlan& sheet);

/// The screen of a plate; nothing for other methods.
struct PlateScreen {
  double ruling, angle;  ///< asked for: lpi, degrees
  double resolution;     ///< dpi
  screen::Cell cell;
};
std::optional<PlateScreen> screen_of(const SheetPlan& sheet, const PlatePlan& plate);

/// "175 lpi at 15 degrees: 174.87 lpi at 14.98 degrees, 4097 levels, cells of (411, 110) / 31 px".
std::string screen_text(const PlateScreen& screen);

bool has_screens(const SheetPlan& sheet);

/// Whether plates have numbers of their own for the parameter.
bool is_planned(const SheetPlan& sheet, std::string_view parameter);

/// In mm, of all screens of the sheet: moire_period() of cells.h.
double moire_of(const SheetPlan& sheet);

/// "none", "180 mm", "3.2 m".
std::string period_text(double period_mm);

}  // namespace mezzo::plan
