#include "pipeline/cluster/plan/plan_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "manifests/curve/curve_file.h"
#include "manifests/plate_settings.h"
#include "manifests/settings/field_value.h"
#include "manifests/settings/setting.h"
#include "manifests/source_text.h"
#include "pipeline/plan/ink_map.h"
#include "stages/ink_names.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kMostThreads = 65'536;

template <typename... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw Error(ErrorKind::kData, fmt::format(text, std::forward<Arguments>(arguments)...));
}

void check_text(const std::string& text, const std::string& where) {
  if (is_clean_text(text)) return;
  refuse("{} is {}, which holds control characters or is not UTF-8",
         where,
         manifests::in_quotes(text));
}

void check_path(const std::string& path, const std::string& where) {
  check_text(path, where);
  if (!fs::path(path).is_absolute())
    refuse("{} is {}, not an absolute path", where, manifests::in_quotes(path));
}

bool is_hexadecimal(const std::string& text, size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void check_task(const TaskSettings& task) {
  if (task.threads < 1 || task.threads > kMostThreads) {
    refuse("task.threads is {}, not in 1 .. {}", task.threads, kMostThreads);
  }
  if (task.tries < 1) refuse("task.tries is 0");
  if (task.program.empty()) refuse("task.program is empty");
  check_text(task.program, "task.program");
  check_text(task.partition, "task.partition");
  check_text(task.begin, "task.begin");
  for (const std::string& option : task.sbatch) check_text(option, "an option of task.sbatch");
}

void check_job(const PlannedJob& job, const std::string& where) {
  check_text(job.name, where + ".name");
  if (!job.manifest.empty()) check_path(job.manifest, where + ".manifest");
  check_path(job.folder, where + ".folder");
  if (job.limits.threads > kMostThreads) {
    refuse("{}.threads is {}, more than {}", where, job.limits.threads, kMostThreads);
  }
}

/// Settings of which no machine makes a halftoner; a plate's have the numbers of its screen.
void check_halftone(const HalftoneSettings& halftone,
                    const std::string& where,
                    bool is_of_plate = false) {
  try {
    is_of_plate ? static_cast<void>(complete(halftone))
                : static_cast<void>(with_defaults(halftone));
  } catch (const Error& error) {
    refuse("{}: {}", where, error.what());
  }
  if (first_schedule(halftone) != nullptr) return;
  refuse("{}: method '{}' has no schedule {} for engine '{}'",
         where,
         halftone.method,
         manifests::in_quotes(halftone.schedule),
         to_string(halftone.engine));
}

void check_tile(const TileFile& tile, const std::string& where) {
  if (!tile.path.empty()) check_path(tile.path, where + ".tile");
  check_text(tile.digest, where + ".tile_xxh3");
}

void check_template(const std::string& path, const std::string& where) {
  check_path(path, where);
  const fs::path plain = path;
  if (plain.has_filename() && plain.lexically_normal().string() == path) return;
  refuse("{} is {}, not a plain path of a file", where, manifests::in_quotes(path));
}

/// A value that a manifest could have; templates of paths are whole in plans.
void check_value(const manifests::Field& field,
                 const manifests::SettingValue& value,
                 const std::string& where) {
  if (std::holds_alternative<std::monostate>(value)) return;
  if (const std::string fault = fault_of(field, value); !fault.empty()) {
    refuse("{} {}", where, fault);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *texts) check_text(text, where);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  check_text(*text, where);
  using manifests::FieldType;
  const bool is_template =
      field.type == FieldType::kTemplate || field.type == FieldType::kFileTemplate;
  if (is_template) check_template(*text, where);
}

void check_settings(const manifests::PageSettings& settings, const std::string& where) {
  for (const manifests::SettingGroup* group : manifests::setting_groups()) {
    for (const auto& row : group->rows) {
      check_value(row.field, row.in.get(settings), where + ".settings." + key_of(*group, row));
    }
  }
}

/// The settings that an ink has of its own.
void check_settings(const manifests::Overlay& over, const std::string& where) {
  for (const auto& [group, row, key] : manifests::settings_of_inks()) {
    const manifests::SettingValue* own = find_own(over, key);
    if (own != nullptr) check_value(row->field, *own, where + ".settings." + key);
  }
}

void check_inks(const PlannedSheet& sheet, const std::string& where) {
  const manifests::PageSettings& page = sheet.page.settings;
  if (page.press) {
    check_text(page.press->name, where + ".press.name");
    check_text(page.press->xxh3, where + ".press.xxh3");
  }
  for (size_t i = 0; i < page.inks.size(); ++i) {
    const std::string place = fmt::format("{}.inks[{}]", where, i);
    check_text(page.inks[i].ink, place + ".ink");
    check_text(page.inks[i].label, place + ".label");
    check_text(page.inks[i].plate, place + ".plate");
    check_text(page.inks[i].from, place + ".from");
    check_settings(page.inks[i].over, place);
    for (const manifests::InkShare& share : page.inks[i].shares) {
      check_text(share.ink, place + ".shares");
      if (share.percent >= 0 && share.percent <= 100) continue;
      refuse("{}.shares: {} is no percentage", place, share.percent);
    }
    const manifests::PlateSettings plate = manifests::plate_settings(page, page.inks[i].ink);
    check_halftone(plate.halftone, place);
    check_tile(page.inks[i].halftone.tile, place);
    const std::string tone = check(plate.tone);
    if (!tone.empty()) refuse("{}.tone: {}", place, tone);
  }
}

void check_output(const PlannedSheet& sheet, const std::string& where) {
  const std::string& path = sheet.page.settings.output.path;
  if (sheet.page.pages.empty() && !sheet.failure) refuse("{} has no page", where);
  if (sheet.page.pages.size() > 1 && manifests::has_page_number(path)) {
    refuse("{} has several pages, each with plates of its own", where);
  }
  if (sheet.plates.empty() && !sheet.failure) refuse("{} has no plate", where);
  if (sheet.page.pages.empty() && !sheet.plates.empty()) refuse("{} has plates of no page", where);
}

/// A plate of one bit has one that the levels of its ink have.
void check_drop_bit(const PlannedPlate& plate,
                    const HalftoneSettings& halftone,
                    const std::string& where) {
  const auto& levels = halftone.levels;
  const bool has_planes = levels && levels->format == LevelFormat::kPlanes;
  const bool is_good = plate.drop_bit
                           ? has_planes && *plate.drop_bit < drop_bits(levels->drops.size())
                           : !has_planes;
  if (is_good) return;
  refuse("{}: the plate of {} is not a bit of its levels", where, manifests::in_quotes(plate.ink));
}

/// Curves whose digests are theirs.
void check_curves(const PlannedPlate& plate, const std::string& where) {
  check_text(plate.numbers.tones, where + ", tones_xxh3");
  check_text(plate.numbers.method, where + ", method_xxh3");
  for (const plan::PlateCurve& one : plate.curves) {
    check_text(one.file, where + ", the file of a curve");
    const std::string fault = check(ToneSettings{.curves = {*one.curve}});
    if (!fault.empty()) refuse("{}, {}: {}", where, manifests::in_quotes(plate.ink), fault);
    if (one.curve->digest == curve::digest_of(*one.curve)) continue;
    refuse("{}: the curve {} of {} has another digest than its points",
           where,
           manifests::in_quotes(one.file),
           manifests::in_quotes(plate.ink));
  }
}

/// `taken`: names of the plates to make; a failed sheet takes none.
void check_plates(const PlannedSheet& sheet,
                  const std::string& where,
                  std::set<std::string_view>& taken) {
  const manifests::PageSettings& page = sheet.page.settings;
  std::vector<std::string> inks, on_press;
  for (const PlannedPlate& plate : sheet.plates) {
    inks.push_back(plate.ink);
    const std::string_view ink = plan::without_bit(plate.ink, plate.drop_bit);
    on_press.emplace_back(plan::ink_on_press(page, ink, plate.page_ink));
  }
  const std::vector<std::string> in_files = ink_file_names(inks);
  const std::vector<size_t> numbers = manifests::plate_numbers(page, on_press);
  for (size_t i = 0; i < sheet.plates.size(); ++i) {
    const PlannedPlate& plate = sheet.plates[i];
    check_text(plate.ink, where + ", an ink");
    check_text(plate.page_ink, where + ", an ink");
    check_path(plate.path, where + ", a plate");
    if (!sheet.failure && !taken.insert(plate.path).second) {
      refuse("{}: the plate {} is there twice", where, manifests::in_quotes(plate.path));
    }
    const manifests::PlateSettings settings =
        manifests::plate_settings(page, plate.page_ink.empty() ? plate.ink : plate.page_ink);
    check_drop_bit(plate, settings.halftone, where);
    HalftoneSettings halftone = settings.halftone;
    for (const auto& [parameter, value] : plate.screen) halftone.parameters[parameter] = value;
    check_halftone(halftone, where, !sheet.failure);
    check_curves(plate, where);
    const std::string label = plan::name_of_bit(settings.label, plate.drop_bit);
    const manifests::PlateName name{in_files[i], label, numbers[i]};
    if (plate.path != manifests::plate_path(settings.path, sheet.page.pages.front(), name)) {
      refuse("{}: the plate {} does not have the name that output.path gives it",
             where,
             manifests::in_quotes(plate.path));
    }
  }
}

void check_colours(const PlannedSheet& sheet, const std::string& where) {
  const std::vector<prepress::Conversion>& colours = sheet.page.conversions;
  if (!colours.empty() && colours.size() != sheet.page.pages.size()) {
    refuse("{} has the colours of {} pages, and {} pages",
           where,
           colours.size(),
           sheet.page.pages.size());
  }
  for (size_t i = 0; i < colours.size(); ++i) {
    const std::string place = fmt::format("{}.colours[{}]", where, i);
    const prepress::Conversion& colour = colours[i];
    check_text(colour.text, place + ".text");
    for (const std::string& ink : colour.inks) check_text(ink, place + ".inks");
    if (colour.digest.empty()) continue;
    if (!is_hexadecimal(colour.digest, 32)) {
      refuse(
          "{}.table is {}, not 32 hexadecimal digits", place, manifests::in_quotes(colour.digest));
    }
  }
}

void check_sheet(const PlannedSheet& sheet, size_t jobs, const std::string& where) {
  if (sheet.job >= jobs) refuse("{} is of job {}, and there are {}", where, sheet.job, jobs);
  check_path(sheet.page.input, where + ".input");
  if (sheet.page.sha256 && !is_hexadecimal(*sheet.page.sha256, 64)) {
    refuse("{}.sha256 is {}, not 64 hexadecimal digits",
           where,
           manifests::in_quotes(*sheet.page.sha256));
  }
  check_text(sheet.page.ink, where + ".ink");
  for (const manifests::Linework& linework : sheet.page.linework) {
    check_path(linework.file, where + ".linework.file");
    check_text(linework.ink, where + ".linework.ink");
    check_text(linework.xxh3, where + ".linework.xxh3");
  }
  check_settings(sheet.page.settings, where);
  check_halftone(sheet.page.settings.halftone, where);
  check_tile(sheet.page.settings.halftone.tile, where);
  const std::string tone = check(sheet.page.settings.tone);
  if (!tone.empty()) refuse("{}.tone: {}", where, tone);
  check_output(sheet, where);
  check_inks(sheet, where);
  check_colours(sheet, where);
}

void check_units(const ClusterPlan& plan) {
  size_t next = 0;
  for (size_t i = 0; i < plan.units.size(); ++i) {
    const Unit& unit = plan.units[i];
    if (unit.first != next || unit.count == 0 || unit.count > plan.sheets.size() - next) {
      refuse("units[{}] is of {} sheets from {}; expected some from {}, of {}",
             i,
             unit.count,
             unit.first,
             next,
             plan.sheets.size());
    }
    const auto first = plan.sheets.begin() + static_cast<ptrdiff_t>(next);
    const auto is_other = [&](const PlannedSheet& sheet) { return sheet.job != first->job; };
    if (std::any_of(first, first + unit.count, is_other)) {
      refuse("units[{}] has sheets of several jobs", i);
    }
    next += unit.count;
  }
  if (next != plan.sheets.size()) {
    refuse("{} of {} sheets are in no unit", plan.sheets.size() - next, plan.sheets.size());
  }
}

}  // namespace

void check_plan(const ClusterPlan& plan) {
  if (!is_hexadecimal(plan.id, 12))
    refuse("id is {}, not 12 hexadecimal digits", manifests::in_quotes(plan.id));
  check_text(plan.program, "program");
  check_task(plan.task);
  for (size_t i = 0; i < plan.jobs.size(); ++i) check_job(plan.jobs[i], fmt::format("jobs[{}]", i));
  if (plan.sheets.empty()) refuse("it has no sheets");
  std::set<std::string_view> plates;
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    const std::string where = fmt::format("sheets[{}]", i);
    check_sheet(plan.sheets[i], plan.jobs.size(), where);
    check_plates(plan.sheets[i], where, plates);
  }
  check_units(plan);
}

const ScheduleInfo* first_schedule(const HalftoneSettings& halftone) {
  const MethodInfo* method = find_method(halftone.method);
  if (method == nullptr) return nullptr;
  for (const ScheduleInfo& schedule : method->schedules) {
    const bool is_named = halftone.schedule.empty() || halftone.schedule == schedule.name;
    const Engine engine = halftone.engine;
    const bool on_engine = engine == Engine::kAutomatic || engine == schedule.engine;
    if (is_named && on_engine) return &schedule;
  }
  return nullptr;
}

bool needs_gpu(const HalftoneSettings& halftone) {
  if (halftone.engine != Engine::kAutomatic) return halftone.engine != Engine::kCpu;
  const ScheduleInfo* schedule = first_schedule(halftone);
  return schedule != nullptr && schedule->engine != Engine::kCpu;
}

}  // namespace mezzo::cluster
