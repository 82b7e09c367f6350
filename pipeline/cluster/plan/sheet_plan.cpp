#include "pipeline/cluster/plan/sheet_plan.h"

namespace mezzo::cluster {

plan::SheetPlan sheet_plan_of(const PlannedSheet& planned) {
  plan::SheetPlan sheet;
  sheet.input = planned.page.input;
  sheet.sha256 = planned.page.sha256;
  sheet.settings = planned.page.settings;
  sheet.pages = planned.page.pages;
  for (const PlannedPlate& plate : planned.plates) sheet.plates.push_back({plate.ink, plate.path});
  sheet.pixels = planned.pixels;
  return sheet;
}

}  // namespace mezzo::cluster
