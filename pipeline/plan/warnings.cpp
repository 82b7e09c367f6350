#include "pipeline/plan/warnings.h"

#include <algorithm>

namespace mezzo::plan {
namespace {

bool is_separated(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.infos, [](const PageInfo& info) {
    return info.inks != std::vector<std::string>{"black"};
  });
}

bool becomes_grey(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.infos, &PageInfo::becomes_grey);
}

bool is_plate(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.infos, &PageInfo::is_plate);
}

}  // namespace

void add_warnings(JobPlan& plan) {
  for (SheetPlan& sheet : plan.sheets) {
    if (sheet.failure || !is_plate(sheet)) continue;
    sheet.warnings.push_back(
        "it is a plate that mezzotint made; let plates go to a folder that no pattern searches");
  }
  if (std::ranges::none_of(plan.sheets, is_separated)) return;
  for (SheetPlan& sheet : plan.sheets) {
    if (sheet.failure || !becomes_grey(sheet)) continue;
    sheet.warnings.push_back(
        "its colours become one grey plate, while other pages of the job are separated; convert it "
        "to inks if it is to be printed in colour");
  }
}

}  // namespace mezzo::plan
