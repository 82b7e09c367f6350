#include "manifests/plate_settings.h"

#include <algorithm>
#include <numeric>

#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "manifests/kinds/kind.h"
#include "manifests/path_template.h"
#include "manifests/settings/setting.h"

namespace mezzo::manifests {
namespace {

/// The page's engine, where the method has a schedule for it.
Engine engine_for(const HalftoneSettings& halftone, Engine of_page) {
  const MethodInfo* method = find_method(halftone.method);
  if (method == nullptr || of_page == Engine::kAutomatic) return of_page;
  if (find_schedule(*method, halftone.schedule, of_page) != nullptr) return of_page;
  const bool runs_there =
      halftone.schedule.empty() &&
      std::ranges::any_of(method->schedules, [&](const ScheduleInfo& schedule) {
        return schedule.engine == of_page && (schedule.has_levels || !halftone.levels);
      });
  if (runs_there) return of_page;
  return halftone.schedule.empty() ? Engine::kCpu : Engine::kAutomatic;
}

HalftoneSettings merged(HalftoneSettings page, const HalftoneSettings& ink) {
  const Engine of_page = page.engine;
  if (!ink.method.empty() && ink.method != page.method) {
    page = {.method = ink.method, .levels = std::move(page.levels)};
  }
  if (ink.levels) page.levels = ink.levels;
  if (!ink.schedule.empty()) page.schedule = ink.schedule;
  if (!ink.tile.path.empty()) {
    page.tile = ink.tile;
    page.parameters.erase("shift");  // of the other file
  }
  for (const auto& [name, value] : ink.parameters) page.parameters[name] = value;
  page.engine = ink.engine == Engine::kAutomatic ? engine_for(page, of_page) : ink.engine;
  return page;
}

const InkSettings* entry_of(const PageSettings& page, std::string_view ink) {
  const auto found = std::ranges::find_if(
      page.inks, [&](const InkSettings& entry) { return prepress::is_same_ink(entry.ink, ink); });
  return found == page.inks.end() ? nullptr : &*found;
}

/// The entry of the ink of the press that the plate of an entry is named after; null when there is none.
const InkSettings* entry_of_plate(const PageSettings& page, const InkSettings& own) {
  if (own.plate.empty() || !page.press) return nullptr;
  const InkSettings* named = entry_of(page, name_on_press(page, own.plate));
  return named == &own ? nullptr : named;
}

/// Puts the settings that an ink has of its own over those of its page, and its label over another.
void put_ink_over(PageSettings& page, std::string& label, const InkSettings& ink) {
  page.halftone = merged(std::move(page.halftone), ink.halftone);
  put_over(page, ink.over);
  if (!ink.label.empty()) label = ink.label;
}

/// The settings that are templates of paths.
std::span<const SettingPlace> template_settings() {
  static const std::vector<SettingPlace> all = settings_where(
      [](const Setting<PageSettings>& row) { return kind_of(row.field).is_template; });
  return all;
}

}  // namespace

std::string_view name_on_press(const PageSettings& page, std::string_view ink) {
  const auto place = page.press ? page.press->find(ink) : std::nullopt;
  return place ? std::string_view(page.press->inks[*place].ink) : ink;
}

bool is_one_ink(const PageSettings& page, std::string_view a, std::string_view b) {
  return prepress::is_same_ink(name_on_press(page, a), name_on_press(page, b));
}

const InkSettings* find_ink(const PageSettings& page, std::string_view ink) {
  const InkSettings* own = entry_of(page, name_on_press(page, ink));
  const bool has_spots = page.press && page.press->find(kSpotInks);
  return own != nullptr || !has_spots ? own : entry_of(page, kSpotInks);
}

std::vector<size_t> plate_numbers(const PageSettings& page, const std::vector<std::string>& inks) {
  std::vector<size_t> order(inks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto place = [&](size_t i) {
    return page.press ? page.press->place_of(inks[i]).value_or(page.press->inks.size()) : 0;
  };
  std::ranges::stable_sort(order, {}, place);
  std::vector<size_t> numbers(inks.size());
  for (size_t i = 0; i < order.size(); ++i) numbers[order[i]] = i + 1;
  return numbers;
}

PlateSettings plate_settings(const PageSettings& page, std::string_view ink) {
  PageSettings own;
  own.halftone = page.halftone;
  own.tone = page.tone;
  own.protect = page.protect;
  own.output = page.output;
  std::string label;
  if (const InkSettings* entry = find_ink(page, ink)) {
    if (const InkSettings* named = entry_of_plate(page, *entry)) put_ink_over(own, label, *named);
    put_ink_over(own, label, *entry);
  }
  return {.halftone = std::move(own.halftone),
          .tone = std::move(own.tone),
          .protect = own.protect,
          .path = std::move(own.output.path),
          .compression = std::move(own.output.compression),
          .label = std::move(label)};
}

std::vector<std::string> plate_templates(const PageSettings& page) {
  std::vector<std::string> paths;
  const auto add = [&](const SettingValue& value) {
    if (const auto* path = std::get_if<std::string>(&value)) paths.push_back(*path);
  };
  for (const auto& [group, row, key] : template_settings()) {
    add(row->in.get(page));
    for (const InkSettings& ink : page.inks) {
      if (const auto* own = find_own(ink.over, key)) add(*own);
    }
  }
  return paths;
}

void change_plate_templates(PageSettings& page, const std::function<void(std::string&)>& change) {
  for (const auto& [group, row, key] : template_settings()) {
    SettingValue value = row->in.get(page);
    if (auto* path = std::get_if<std::string>(&value)) {
      change(*path);
      row->in.set(page, value);
    }
    for (InkSettings& ink : page.inks) {
      if (auto* own = find_own(ink.over, key)) change(std::get<std::string>(*own));
    }
  }
}

bool names_start(const Job& job) {
  return std::ranges::any_of(job.pages, [](const JobPage& page) {
    return std::ranges::any_of(plate_templates(page.settings), has_start);
  });
}

void put_start(Job& job, const JobStart& start) {
  for (JobPage& page : job.pages) {
    change_plate_templates(page.settings,
                           [&](std::string& path) { path = with_start(path, start); });
  }
}

}  // namespace mezzo::manifests
