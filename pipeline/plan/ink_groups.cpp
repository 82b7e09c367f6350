#include "pipeline/plan/ink_groups.h"

#include <algorithm>

#include "kernels/registry.h"
#include "pipeline/plan/side_files.h"

namespace mezzo::plan {
namespace {

proof::PrintColours print_of(const SheetPlan& sheet, const InkGroup& group) {
  std::vector<std::string> inks;
  for (const uint32_t plate : group) inks.push_back(print_ink_of(sheet, plate));
  const auto& press = sheet.settings.press;
  return colours_of(press ? &*press : nullptr, inks).colours;
}

void sort_by_darkness(const SheetPlan& sheet, InkGroup& group) {
  const std::vector<proof::Lab> solids = print_of(sheet, group).solids;
  std::vector<size_t> order(group.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return solids[i].l; });
  InkGroup sorted;
  for (const size_t i : order) sorted.push_back(group[i]);
  group = std::move(sorted);
}

}  // namespace

std::vector<InkGroup> ink_groups(const SheetPlan& sheet) {
  std::vector<InkGroup> groups;
  std::vector<HalftoneSettings> settings;  // of each group
  for (uint32_t plate = 0; plate < sheet.plates.size(); ++plate) {
    const HalftoneSettings own = settings_of(sheet, sheet.plates[plate]).halftone;
    if (!are_together(own)) continue;
    const auto same = std::ranges::find(settings, own);
    if (same == settings.end()) {
      settings.push_back(own);
      groups.push_back({plate});
    } else {
      groups[static_cast<size_t>(same - settings.begin())].push_back(plate);
    }
  }
  std::erase_if(groups, [](const InkGroup& group) { return group.size() < 2; });
  for (InkGroup& group : groups) sort_by_darkness(sheet, group);
  return groups;
}

InkColours colours_of_group(const SheetPlan& sheet, const InkGroup& group) {
  return ink_colours(print_of(sheet, group));
}

std::string together_text(const SheetPlan& sheet, const std::string& ink) {
  for (const InkGroup& group : ink_groups(sheet)) {
    std::string text;
    bool has_ink = false;
    for (const uint32_t plate : group) {
      text += (text.empty() ? "" : ", ") + sheet.plates[plate].ink;
      has_ink = has_ink || sheet.plates[plate].ink == ink;
    }
    if (has_ink) return text;
  }
  return {};
}

}  // namespace mezzo::plan
