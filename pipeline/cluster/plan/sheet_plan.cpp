#include "pipeline/cluster/plan/sheet_plan.h"

#include <algorithm>
#include <filesystem>

namespace mezzo::cluster {

plan::SheetPlan sheet_plan_of(const PlannedSheet& planned) {
  plan::SheetPlan sheet;
  sheet.input = planned.page.input;
  sheet.sha256 = planned.page.sha256;
  sheet.ink = planned.page.ink;
  for (const manifests::Linework& one : planned.page.linework) {
    sheet.linework.push_back({.settings = one});
  }
  sheet.settings = planned.page.settings;
  sheet.pages = planned.page.pages;
  for (const prepress::Conversion& conversion : planned.page.conversions) {
    const bool is_converted = !conversion.digest.empty();
    sheet.colours.push_back(is_converted
                                ? std::make_shared<chain::PageColour>(chain::PageColour{conversion})
                                : nullptr);
  }
  for (const PlannedPlate& plate : planned.plates) {
    sheet.plates.push_back({.ink = plate.ink,
                            .path = plate.path,
                            .page_ink = plate.page_ink,
                            .drop_bit = plate.drop_bit,
                            .screen = plate.screen,
                            .curves = plate.curves});
  }
  sheet.pixels = planned.pixels;
  return sheet;
}

PlannedSheet planned_sheet_of(const plan::SheetPlan& sheet, uint32_t job) {
  PlannedSheet planned{.job = job,
                       .page = {.input = sheet.input,
                                .stem = std::filesystem::path(sheet.input).stem().string(),
                                .pages = sheet.pages,
                                .sha256 = sheet.sha256,
                                .ink = sheet.ink,
                                .linework = {},
                                .settings = sheet.settings,
                                .place = {}},
                       .plates = {},
                       .pixels = sheet.pixels,
                       .failure = sheet.failure};
  planned.page.settings.curves = {};  // plates have what follows from them
  for (const plan::LineworkPlan& one : sheet.linework) {
    planned.page.linework.push_back(one.settings);
  }
  if (std::ranges::any_of(sheet.colours, [](const auto& colour) { return colour != nullptr; })) {
    for (const chain::PageColourPtr& colour : sheet.colours) {
      planned.page.conversions.push_back(colour ? colour->conversion : prepress::Conversion());
    }
  }
  for (const plan::PlatePlan& plate : sheet.plates) {
    planned.plates.push_back({.ink = plate.ink,
                              .path = plate.path,
                              .page_ink = plate.page_ink,
                              .drop_bit = plate.drop_bit,
                              .screen = plate.screen,
                              .curves = plate.curves});
    if (!sheet.failure) planned.plates.back().numbers = plan::library_numbers(sheet, plate);
  }
  return planned;
}

}  // namespace mezzo::cluster
