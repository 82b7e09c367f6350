#include "pipeline/plan/set_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "kernels/prepress/ink_key.h"
#include "manifests/source_text.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

bool is_separator(char c) {
  return c == '_' || c == '-' || c == '.' || c == ' ';
}

/// Where the ink stands in a file's name, under the name it is given by or, as a word of its own,
/// another of its names; the size is 0 when it does not.
std::pair<size_t, size_t> place_of_ink(const std::string& stem, const std::string& ink) {
  const size_t at = manifests::lower_case(stem).rfind(manifests::lower_case(ink));
  if (at != std::string::npos) return {at, ink.size()};
  for (size_t end = stem.size(); end > 0;) {
    size_t begin = end;
    while (begin > 0 && !is_separator(stem[begin - 1])) --begin;
    const std::string_view word = std::string_view(stem).substr(begin, end - begin);
    if (prepress::is_same_ink(word, ink)) return {begin, word.size()};
    end = begin > 0 ? begin - 1 : 0;
  }
  return {0, 0};
}

/// The input's path without its ink and its suffix; empty when the ink is not in its name.
std::string name_of_set(const SheetPlan& sheet) {
  const std::filesystem::path path = sheet.input;
  std::string stem = path.stem().string();
  if (sheet.ink.empty()) return {};
  const auto [at, size] = place_of_ink(stem, sheet.ink);
  if (size == 0) return {};
  stem.replace(at, size, "/");
  return fmt::format("{}/{}/{}", path.parent_path().string(), stem, sheet.pages.front());
}

bool fit(const SheetPlan& a, const SheetPlan& b) {
  return std::ranges::equal(a.infos, b.infos, [](const PageInfo& one, const PageInfo& other) {
    return one.width_px == other.width_px && one.height_px == other.height_px &&
           agree(one.resolution, other.resolution);
  });
}

std::string size_text(const PageInfo& page) {
  return fmt::format("{} x {} px", page.width_px, page.height_px);
}

std::string dpi_text(const PageInfo& page) {
  return page.resolution.x_dpi > 0 ? resolution_text(page.resolution) : "none";
}

/// The first difference of two sheets for which fit() is false: "tea_gold.tif has 300 dpi and tea_cyan.tif
/// none. A set needs one resolution".
std::string difference(const SheetPlan& odd, const SheetPlan& first) {
  const auto differ = [&](const auto& text, const char* needed) {
    return fmt::format("{} has {} and {} {}. A set needs {}",
                       std::filesystem::path(odd.input).filename().string(),
                       text(odd),
                       std::filesystem::path(first.input).filename().string(),
                       text(first),
                       needed);
  };
  if (odd.infos.size() != first.infos.size()) {
    return differ([](const SheetPlan& sheet) { return counted(sheet.infos.size(), "page"); },
                  "one number of pages");
  }
  for (size_t i = 0; i < odd.infos.size(); ++i) {
    if (size_text(odd.infos[i]) == size_text(first.infos[i])) continue;
    return differ([&](const SheetPlan& sheet) { return size_text(sheet.infos[i]); }, "one size");
  }
  size_t i = 0;
  while (agree(odd.infos[i].resolution, first.infos[i].resolution)) ++i;
  return differ([&](const SheetPlan& sheet) { return dpi_text(sheet.infos[i]); }, "one resolution");
}

/// Two files of a set for one ink of their press would both be its plate.
std::string one_ink_text(const SheetPlan& a, const SheetPlan& b) {
  const auto on_press = [](const SheetPlan& sheet) {
    const PlatePlan& plate = sheet.plates.front();
    return ink_on_press(sheet.settings, without_bit(plate.ink, plate.drop_bit), plate.page_ink);
  };
  const bool is_one = a.settings.press && a.input != b.input && !a.plates.empty() &&
                      !b.plates.empty() && prepress::is_same_ink(on_press(a), on_press(b));
  if (!is_one) return {};
  return fmt::format("{} and {} are one ink of the press '{}', '{}'",
                     std::filesystem::path(a.input).filename().string(),
                     std::filesystem::path(b.input).filename().string(),
                     a.settings.press->name,
                     on_press(a));
}

/// All sheets fail with the same message, which names the files that matter.
void refuse_set(const std::vector<SheetPlan*>& sheets,
                const std::string& reason,
                const std::string& advice) {
  for (SheetPlan* sheet : sheets) sheet->failure = {ErrorKind::kData, reason, advice};
}

/// Returns whether it did.
bool refuse_one_ink_twice(const std::vector<SheetPlan*>& sheets) {
  for (size_t i = 0; i < sheets.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const std::string reason = one_ink_text(*sheets[k], *sheets[i]);
      if (reason.empty()) continue;
      refuse_set(sheets, reason, "leave one of them out, or give it the ink that it is of");
      return true;
    }
  }
  return false;
}

}  // namespace

void refuse_uneven_sets(JobPlan& plan) {
  std::map<std::string, std::vector<SheetPlan*>> sets;
  for (SheetPlan& sheet : plan.sheets) {
    if (sheet.failure || sheet.ink.empty()) continue;
    const std::string name = name_of_set(sheet);
    if (!name.empty()) sets[name].push_back(&sheet);
  }
  for (const auto& [name, sheets] : sets) {
    if (refuse_one_ink_twice(sheets)) continue;
    const SheetPlan& first = *sheets.front();
    const auto odd =
        std::ranges::find_if(sheets, [&](const SheetPlan* sheet) { return !fit(first, *sheet); });
    if (odd == sheets.end()) continue;
    refuse_set(sheets, difference(**odd, first), "export all separations of the page again");
  }
}

}  // namespace mezzo::plan
