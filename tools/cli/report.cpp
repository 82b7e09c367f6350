#include "tools/cli/report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "kernels/registry.h"
#include "manifests/json/members.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/engine_choice.h"
#include "pipeline/plan/gpu_way.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/plan/screens.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/tiles.h"
#include "pipeline/report/event_json.h"
#include "pipeline/report/report_data.h"
#include "pipeline/run/result_json.h"
#include "pipeline/text.h"
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"

namespace mezzo::cli {
namespace {

/// The settings that change the plate, beside its method.
void print_settings(const plan::SheetPlan& sheet) {
  const manifests::PageSettings& settings = sheet.settings;
  std::string parameters;
  for (const auto& [name, value] : plan::parameter_texts(settings.halftone)) {
    if (plan::is_planned(sheet, name)) continue;
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name, value);
  }
  if (!parameters.empty()) fmt::print("    parameters: {}\n", parameters);
  const std::string tile = plan::tile_text(settings.halftone);
  if (!tile.empty()) fmt::print("    thresholds: {}\n", tile);
  if (settings.tone != ToneSettings()) {
    fmt::print("    tone: {}\n", plan::tone_text(settings.tone));
  }
  if (settings.protect.any()) {
    fmt::print("    protected: {}\n", manifests::name_of(settings.protect));
  }
  if (settings.output.mirror) fmt::print("    mirrored plates\n");
  if (settings.output.negative) fmt::print("    negative plates\n");
}

/// Where the plates of inks with settings of their own differ from those of the page.
void print_inks(const plan::SheetPlan& sheet, bool explain) {
  for (const plan::PlatePlan& plate : sheet.plates) {
    const auto texts = plan::ink_texts(sheet, plate);
    if (texts.empty()) continue;
    std::string text;
    for (const auto& [name, value] : texts) text += fmt::format(", {} {}", name, value);
    fmt::print("    ink {}: {}\n", plate.ink, text.substr(2));
    const HalftoneSettings halftone = settings_of(sheet, plate).halftone;
    if (!halftone.tile.path.empty() && halftone.tile != sheet.settings.halftone.tile) {
      fmt::print("    thresholds of {}: {}\n", plate.ink, plan::tile_text(halftone));
    }
    if (!explain) continue;
    fmt::print(
        "    schedule of {}: {}, engine {}\n", plate.ink, plate.schedule, to_string(plate.engine));
  }
}

std::string dpi_text(Resolution resolution) {
  return resolution.x_dpi > 0 ? ", " + plan::resolution_text(resolution) : "";
}

/// The failure without the name of the input, which is on the line above.
std::string failure_text(const plan::SheetPlan& sheet) {
  plan::Failure failure = *sheet.failure;
  const std::string file = sheet.input + ": ";
  if (failure.message.starts_with(file)) failure.message.erase(0, file.size());
  return failure.text();
}

void print_sheet(const plan::SheetPlan& sheet, bool explain) {
  if (sheet.failure) {
    fmt::print("  {}\n    cannot run: {}\n", sheet.input, failure_text(sheet));
    return;
  }
  const PageInfo& first = source_of(sheet, 0);
  std::string pages;
  if (sheet.infos.size() > 1) pages = fmt::format(", {} pages", sheet.infos.size());
  fmt::print("  {}\n    {} x {} px{}{}, {}\n",
             sheet.input,
             first.width_px,
             first.height_px,
             dpi_text(first.resolution),
             pages,
             first.format);
  for (const std::string& note : sheet.infos.front().notes) fmt::print("    note: {}\n", note);
  for (const std::string& warning : sheet.warnings) fmt::print("    warning: {}\n", warning);
  for (const plan::PlatePlan& plate : sheet.plates) fmt::print("    -> {}\n", plate.path);
  for (const plan::SideFile& file : sheet.side_files) {
    fmt::print("    -> {}, {}\n", file.path, name_of(file.kind));
  }
  if (!sheet.stages.empty()) {
    const PageInfo& plate = sheet.infos.front();
    fmt::print("    plates of {} x {} px{}:\n",
               plate.width_px,
               plate.height_px,
               dpi_text(plate.resolution));
    for (const std::string& stage : sheet.stages) fmt::print("      {}\n", stage);
  }
  fmt::print("    {}, compression {}, {} of memory\n",
             sheet.settings.halftone.method,
             sheet.settings.output.compression,
             bytes_text(sheet.memory_bytes));
  if (const auto& levels = sheet.settings.halftone.levels) {
    fmt::print("    levels {}\n", plan::levels_text(*levels));
  }
  print_settings(sheet);
  if (!sheet.linework.empty()) fmt::print("    line work: {}\n", plan::linework_text(sheet));
  print_inks(sheet, explain);
  if (plan::has_screens(sheet)) {
    fmt::print("    moire of its screens: {}\n", plan::period_text(plan::moire_of(sheet)));
  }
  const tiff::VerifyLevel level = sheet.settings.output.verify;
  if (explain || level != manifests::OutputSettings().verify) {
    fmt::print("    each plate is verified by {} before it gets its name\n", to_string(level));
  }
  if (!explain) return;
  const plan::BandPlan& bands = sheet.bands.front();
  fmt::print("    schedule {}: {}\n", sheet.schedule, sheet.schedule_reason);
  const plan::GpuWay way = plan::gpu_way(sheet);
  if (!way.text.empty()) fmt::print("    the GPU {}\n", way.text);
  fmt::print("    bands of {} rows, {} in flight\n", bands.rows, bands.in_flight);
}

}  // namespace

void print_line(const json::Value& object) {
  // File names need not be UTF-8; other bytes are replaced, so that every line is valid JSON.
  fmt::print("{}\n", json::to_text(object));
  // Flushed, so that a reader at the end of a pipe sees each line at once.
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

void print_plan(const plan::JobPlan& plan, bool explain) {
  fmt::print("{}: {}\n",
             plan.job.empty() ? "job" : "job " + plan.job,
             counted(plan.sheets.size(), "sheet"));
  for (const plan::SheetPlan& sheet : plan.sheets) print_sheet(sheet, explain);
  const std::optional<double> seconds = plan::estimate_seconds(plan);
  fmt::print("total: {:.1f} Mpx, up to {} of disk, within {} of memory, {}, {}\n",
             static_cast<double>(plan.pixels) / 1e6,
             bytes_text(plan.disk_bytes),
             bytes_text(plan.memory_bytes),
             counted(plan.threads, "thread"),
             seconds ? "about " + duration_text(*seconds) : "duration not known");
  const auto failed = std::ranges::count_if(
      plan.sheets, [](const plan::SheetPlan& sheet) { return sheet.failure.has_value(); });
  if (failed > 0) {
    fmt::print("{} of {} cannot run.\n", failed, counted(plan.sheets.size(), "sheet"));
  }
}

void print_summary(const plan::JobPlan& plan, const run::JobResult& result) {
  size_t plates = 0, failed = 0, before = 0;
  uint64_t pixels = 0, bytes = 0;
  for (const run::SheetResult& sheet : result.sheets) {
    // Sheets that were stopped have not failed.
    failed += sheet.failure && sheet.failure->kind != ErrorKind::kInterrupted;
    before += sheet.already_done;
    if (sheet.already_done) continue;
    plates += sheet.plates.size();
    pixels += sheet.pixels;
    for (const run::PlateResult& plate : sheet.plates) bytes += plate.file_bytes;
  }
  size_t warnings = 0;
  for (const plan::SheetPlan& sheet : plan.sheets) warnings += sheet.warnings.size();
  const std::string warned = warnings > 0 ? "; " + counted(warnings, "warning") : "";
  if (!result.job.empty()) fmt::print("{}: ", result.job);
  if (before > 0 && before == plan.sheets.size()) {
    fmt::print("{} made before and unchanged; --fresh makes them again{}\n",
               before == 1 ? "the sheet was" : fmt::format("all {} sheets were", before),
               warned);
    return;
  }
  fmt::print("{}", counted(plates, "plate"));
  if (plates > 0) {
    fmt::print(", {}, {:.1f} Mpx in {} ({})",
               bytes_text(bytes),
               static_cast<double>(pixels) / 1e6,
               duration_text(result.seconds),
               rate_text(static_cast<double>(pixels) / std::max(result.seconds, 1e-6)));
  }
  if (before > 0) fmt::print("; {} made before", counted(before, "sheet"));
  if (failed > 0) fmt::print("; {} of {} failed", counted(failed, "sheet"), plan.sheets.size());
  if (result.interrupted) fmt::print("; interrupted");
  if (result.out_of_time) fmt::print("; the time is up");
  if (result.device_lost) fmt::print("; the GPU failed, run the same command again");
  if (const size_t rest = plan.sheets.size() - result.sheets.size(); rest > 0) {
    fmt::print(", {} not begun", counted(rest, "sheet"));
  }
  fmt::print("{}\n", warned);
}

void print_stages(const plan::JobPlan& plan, const run::JobResult& result) {
  run::StageSeconds total{};
  for (const run::SheetResult& sheet : result.sheets) {
    for (size_t i = 0; i < total.size(); ++i) total[i] += sheet.stages[i];
  }
  const double threads = result.seconds * plan.threads;
  fmt::print("stages: seconds of the threads that lead them, and their part of {} x {}:\n",
             counted(plan.threads, "thread"),
             duration_text(result.seconds));
  for (size_t i = 0; i < total.size(); ++i) {
    if (total[i] == 0) continue;
    fmt::print("  {:<9}{:9.3f} s", run::kStageNames[i], total[i]);
    if (i == static_cast<size_t>(run::Stage::kDevice)) {
      fmt::print("  bands on their way through a GPU, summed\n");
    } else {
      fmt::print("{:6.1f} %\n", 100 * total[i] / threads);
    }
  }
}

namespace {

/// From threads that an exception must not leave. A standard output that fails, fails again when
/// the job's own line is printed, which is where it is told.
void print_event(const json::Value& object) {
  try {
    print_line(object);
  } catch (const std::system_error&) {
  }
}

}  // namespace

void JsonEvents::sheet_started(const plan::SheetPlan& sheet) {
  const std::lock_guard lock(mutex_);
  print_event({{"v", 1},
               {"type", "begun"},
               {"input", sheet.input},
               {"pages", run::page_numbers(sheet.pages)},
               {"pixels", sheet.pixels}});
}

void JsonEvents::pixels_done(uint64_t pixels) {
  pulse(pixels);
}

void JsonEvents::round_done(const plan::SheetPlan&, const std::string&, const RoundReport&) {
  pulse(0);
}

void JsonEvents::pulse(uint64_t pixels) {
  constexpr auto kPause = std::chrono::milliseconds(500);
  const std::lock_guard lock(mutex_);
  pixels_ += pixels;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_pulse_ < kPause) return;
  last_pulse_ = now;
  print_event({{"v", 1}, {"type", "pulse"}, {"pixels_done", pixels_}});
}

void JsonEvents::sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) {
  const std::lock_guard lock(mutex_);
  print_event(report::sheet_json(sheet, result));
}

void JsonEvents::paused(const run::Pause& pause) {
  const std::lock_guard lock(mutex_);
  print_event({{"v", 1},
               {"type", "paused"},
               {"reason", pause.reason},
               {"folder", pause.folder},
               {"wanted_bytes", pause.wanted_bytes}});
}

void JsonEvents::continued() {
  const std::lock_guard lock(mutex_);
  print_event({{"v", 1}, {"type", "continued"}});
}

void print_plan_json(const plan::JobPlan& plan) {
  for (const plan::SheetPlan& sheet : plan.sheets) print_line(report::plan_json(sheet));
  print_line(report::plan_json(plan));
}

void print_job_json(const plan::JobPlan& plan, const run::JobResult& result) {
  print_line(report::job_json(plan, result));
}

void print_diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    print_line({{"v", 1},
                {"type", "diagnostic"},
                {"file", diagnostic.file},
                {"line", diagnostic.line},
                {"column", diagnostic.column},
                {"message", diagnostic.message},
                {"hint", diagnostic.hint}});
  }
}

int report_error(const Error& error, const CommonOptions& common) {
  log::error("{}", error.what());
  if (common.json) {
    print_line({{"v", 1},
                {"type", "error"},
                {"kind", name_of(error.kind())},
                {"message", error.finding()},
                {"hint", report::advice_on(error)}});
  }
  return with_signal(status_of(error.kind()));
}

void print_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic diagnostic : diagnostics) {
    if (log_format() == LogFormat::kText) {
      fmt::print(stderr, "{}\n", to_string(diagnostic));
    } else {
      diagnostic.excerpt.clear();  // its caret means nothing in a log
      log::error("{}", to_string(diagnostic));
    }
  }
}

}  // namespace mezzo::cli
