#include "pipeline/plan/ink_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/together/parameter.h"
#include "pipeline/plan/side_files.h"
#include "stages/files/xxh3.h"

namespace mezzo::plan {
namespace {

/// By the name of the ink on the press where its colour is known, else by that on the page: a plate
/// that is merely renamed keeps its dots.
proof::PrintColours print_of(const SheetPlan& sheet, const InkGroup& group) {
  const manifests::Press* press = sheet.settings.press ? &*sheet.settings.press : nullptr;
  std::vector<std::string> inks;
  for (const uint32_t plate : group) {
    const PlatePlan& own = sheet.plates[plate];
    std::string ink = print_ink_of(sheet, plate);
    const bool is_unknown = !colours_of(press, {ink}).unknown.empty();
    if (is_unknown && !own.page_ink.empty()) ink = own.page_ink;
    inks.push_back(std::move(ink));
  }
  return colours_of(press, inks).colours;
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

/// Empty for a plate in no group.
InkGroup group_of(const SheetPlan& sheet, const std::string& ink) {
  const auto own = std::ranges::find(sheet.plates, ink, &PlatePlan::ink);
  if (own == sheet.plates.end() || !together::are_together(settings_of(sheet, *own).halftone)) {
    return {};
  }
  for (InkGroup& group : ink_groups(sheet)) {
    const auto has_ink = [&](uint32_t plate) { return sheet.plates[plate].ink == ink; };
    if (std::ranges::any_of(group, has_ink)) return std::move(group);
  }
  return {};
}

std::string names_text(const SheetPlan& sheet, const InkGroup& group) {
  std::string text;
  for (const uint32_t plate : group) text += (text.empty() ? "" : ", ") + sheet.plates[plate].ink;
  return text;
}

}  // namespace

std::vector<InkGroup> ink_groups(const SheetPlan& sheet) {
  std::vector<InkGroup> groups;
  std::vector<HalftoneSettings> settings;  // of each group
  for (uint32_t plate = 0; plate < sheet.plates.size(); ++plate) {
    const HalftoneSettings own = settings_of(sheet, sheet.plates[plate]).halftone;
    if (!together::are_together(own)) continue;
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

together::InkColours colours_of_group(const SheetPlan& sheet, const InkGroup& group) {
  if (group.size() > together::InkColours::kMostInks) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: {} inks are to be halftoned together, at most {} can be",
                            sheet.input,
                            group.size(),
                            together::InkColours::kMostInks),
                "give some of them 'inks: apart'")
        .about("halftone.inks");
  }
  return together::InkColours::of(print_of(sheet, group));
}

std::string together_text(const SheetPlan& sheet, const std::string& ink) {
  return names_text(sheet, group_of(sheet, ink));
}

std::string together_settings_text(const SheetPlan& sheet, const std::string& ink) {
  const InkGroup group = group_of(sheet, ink);
  if (group.empty()) return {};
  const auto states = colours_of_group(sheet, group).states;
  files::Xxh3 digest;
  digest.add(states.data(), states.size() * sizeof(states.front()));
  return fmt::format("together={}\ncolours of inks={}\n", names_text(sheet, group), digest.hex64());
}

}  // namespace mezzo::plan
