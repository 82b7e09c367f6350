#include "pipeline/plan/warnings.h"

#include <algorithm>
#include <set>

#include "kernels/prepress/ink_key.h"
#include "kernels/together/parameter.h"
#include "pipeline/plan/ink_groups.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/page_chain.h"

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

bool has_ink(const SheetPlan& sheet, const std::string& ink) {
  const auto is_it = [&](const std::string& other) { return prepress::is_same_ink(other, ink); };
  for (size_t i = 0; i < sheet.infos.size(); ++i) {
    if (std::ranges::any_of(inks_of(sheet, i), is_it)) return true;
  }
  return std::ranges::any_of(sheet.plates, [&](const PlatePlan& plate) {
    return is_it(std::string(without_bit(plate.ink, plate.drop_bit)));
  });
}

std::string inks_text(const SheetPlan& sheet) {
  std::string text;
  for (const std::string& ink : inks_of(sheet, 0)) {
    text += (text.empty() ? "" : ", ") + ink;
  }
  return text;
}

/// Settings of an ink that no page of the job has: most likely its name is misspelt. Nothing is said
/// while pages fail, which may have it.
void warn_of_unknown_inks(JobPlan& plan) {
  if (std::ranges::any_of(plan.sheets, [](const SheetPlan& sheet) { return !!sheet.failure; })) {
    return;
  }
  std::set<std::string> known;
  for (SheetPlan& sheet : plan.sheets) {
    for (const manifests::InkSettings& ink : sheet.settings.inks) {
      if (!known.insert(prepress::ink_key(ink.ink)).second) continue;
      const bool is_of_press = sheet.settings.press && sheet.settings.press->find(ink.ink);
      if (is_of_press) continue;  // pages need not have all of its inks
      const std::string& source = ink.from.empty() ? ink.ink : ink.from;
      const auto has_it = [&](const SheetPlan& other) { return has_ink(other, source); };
      if (std::ranges::any_of(plan.sheets, has_it)) continue;
      const std::string what = ink.from.empty() ? "names '" + source + "'"
                                                : "makes '" + ink.ink + "' from '" + source + "'";
      sheet.warnings.push_back("'inks' " + what + ", which no page of the job has; this one has " +
                               inks_text(sheet));
    }
  }
}

/// Inks that are to see others, and have none to see. A page of one ink that does not say which is most
/// often grey, among pages in colour.
void warn_of_lone_inks(SheetPlan& sheet) {
  if (sheet.plates.size() < 2 && sheet.ink.empty()) return;
  std::string lone;
  for (const PlatePlan& plate : sheet.plates) {
    if (!together::are_together(settings_of(sheet, plate).halftone)) continue;
    if (!together_text(sheet, plate.ink).empty()) continue;
    lone += (lone.empty() ? "" : ", ") + plate.ink;
  }
  if (lone.empty()) return;
  sheet.warnings.push_back("'inks: together' changes nothing for " + lone +
                           ": no other ink of the page has the same halftone settings; inks in "
                           "files of their own are halftoned apart");
}

}  // namespace

void add_warnings(JobPlan& plan, bool any_inks) {
  if (!any_inks) warn_of_unknown_inks(plan);
  for (SheetPlan& sheet : plan.sheets) {
    if (!sheet.failure) warn_of_lone_inks(sheet);
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
