#include "pipeline/cluster/make_cluster_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <system_error>

#include "kernels/registry.h"
#include "manifests/named_files.h"
#include "manifests/plate_settings.h"
#include "pipeline/cluster/plan/paths.h"
#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/cluster/plan/sheet_plan.h"
#include "pipeline/cluster/plan/units.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/plan/plate_check.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/run/replaced_files.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

/// Throws for settings with which no GPU of any node would help, and for those that need one when
/// tasks get none.
void check_gpu(const manifests::JobPage& page,
               const HalftoneSettings& halftone,
               const TaskSettings& task) {
  if (find_method(halftone.method) == nullptr || !needs_gpu(halftone)) return;
  if (first_schedule(halftone) == nullptr) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: method '{}' has no schedule {}for engine '{}'",
                            page.input,
                            halftone.method,
                            halftone.schedule.empty() ? "" : "'" + halftone.schedule + "' ",
                            to_string(halftone.engine)),
                "use engine 'auto' or 'cpu'");
  }
  if (task.gpus > 0) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{}: {} '{}' needs a GPU, and tasks get none; ask for GPUs, or use "
                  "engine 'auto' or 'cpu'",
                  page.input,
                  halftone.engine == Engine::kAutomatic ? "schedule" : "engine",
                  halftone.engine == Engine::kAutomatic ? std::string_view(halftone.schedule)
                                                        : to_string(halftone.engine)));
}

/// The same for all inks of a page.
void check_gpu(const manifests::JobPage& page, const TaskSettings& task) {
  check_gpu(page, page.settings.halftone, task);
  for (const manifests::InkSettings& ink : page.settings.inks) {
    check_gpu(page, manifests::plate_settings(page.settings, ink.ink).halftone, task);
  }
}

/// The settings for the CPU, which describe a sheet without asking CUDA.
HalftoneSettings on_cpu(HalftoneSettings halftone) {
  if (needs_gpu(halftone)) halftone.schedule.clear();
  halftone.engine = Engine::kCpu;
  return halftone;
}

/// The page as the plan keeps it: with absolute paths, and the settings of its task.
manifests::JobPage frozen(const manifests::JobPage& page, const TaskSettings& task) {
  manifests::JobPage result = page;
  result.input = absolute_path(page.input);
  for (manifests::Linework& linework : result.linework) {
    linework.file =
        linework.is_of_each_ink ? absolute_template(linework.file) : absolute_path(linework.file);
  }
  for (const manifests::NamedFile& file : manifests::named_files(result.settings, nullptr)) {
    *file.path = absolute_path(*file.path);
  }
  std::string& tables = result.settings.colour.tables;
  if (!tables.empty()) tables = absolute_path(tables);
  manifests::change_plate_templates(result.settings,
                                    [](std::string& path) { path = absolute_template(path); });
  HalftoneSettings& halftone = result.settings.halftone;
  // So that tasks do not look for GPUs that they were not given.
  const bool is_open = halftone.engine == Engine::kAutomatic && halftone.schedule.empty();
  if (is_open && task.gpus == 0) halftone.engine = Engine::kCpu;
  return result;
}

PlannedJob planned_job(const manifests::Job& job) {
  return {.name = job.name,
          .manifest = job.manifest.empty() ? "" : absolute_path(job.manifest),
          .folder = absolute_path(job.folder),
          .limits = job.limits};
}

/// Whether an Error of this kind concerns a sheet alone, whose failure it is then.
bool is_of_sheet(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kData:
    case ErrorKind::kUnsupported:
    case ErrorKind::kLimit:
    case ErrorKind::kChecksum:
    case ErrorKind::kMissing:
    case ErrorKind::kCannotCreate:
    case ErrorKind::kIo:
      return true;
    default:
      return false;
  }
}

/// Plates of every job that earlier submissions of the plan's folder made.
std::set<std::string> recorded_plates(const ClusterPlan& plan) {
  std::set<std::string> plates;
  for (const auto& [path, sealed] : read_earlier(plan)) plates.insert(path);
  for (const Attempt& attempt : read_attempts(plan)) {
    for (const auto& [path, sealed] : attempt.sealed) plates.insert(path);
  }
  return plates;
}

/// Refuses sheets with a plate that exists and may not be replaced, unless it is the plan's own.
void keep_existing(const ClusterPlan& plan, plan::JobPlan& sheets) {
  std::optional<std::set<std::string>> recorded;
  for (plan::SheetPlan& sheet : sheets.sheets) {
    for (const plan::PlatePlan& plate : sheet.plates) {
      std::error_code error;
      if (sheet.failure || sheet.settings.output.replace ||
          !fs::exists(fs::symlink_status(plate.path, error))) {
        continue;
      }
      if (!recorded) recorded = recorded_plates(plan);
      if (recorded->contains(plate.path)) continue;
      sheet.failure = {ErrorKind::kCannotCreate,
                       fmt::format("{}: the plate {} exists already, and output.existing is "
                                   "'refuse'",
                                   sheet.input,
                                   plate.path),
                       "move it away, or set output.existing to 'replace'"};
    }
  }
}

/// Checks the plates of all jobs against each other, inputs, and existing files. Throws Error(kData)
/// for two jobs' plates of one name.
void check_plates(const ClusterPlan& plan,
                  const std::vector<uint32_t>& job_of,
                  plan::JobPlan& sheets) {
  plan::check_plates(sheets, [&](size_t sheet, const std::string& plate, size_t owner) {
    if (job_of[owner] == job_of[sheet]) return;
    throw Error(ErrorKind::kData,
                fmt::format("{}: two plates would be {}: {} of job '{}' has that name already",
                            sheets.sheets[sheet].input,
                            plate,
                            sheets.sheets[owner].input,
                            plan.jobs[job_of[owner]].name),
                "let output.path tell them apart");
  });
  keep_existing(plan, sheets);
  run::refuse_foreign_files(sheets, {});
}

/// Those that on_cpu() and the plan's own choice took.
void give_back_engines(const manifests::PageSettings& from, manifests::PageSettings& to) {
  const auto give_back = [](const HalftoneSettings& own, HalftoneSettings& planned) {
    planned.engine = own.engine;
    planned.schedule = own.schedule;
  };
  give_back(from.halftone, to.halftone);
  for (size_t i = 0; i < from.inks.size(); ++i) {
    give_back(from.inks[i].halftone, to.inks[i].halftone);
  }
}

/// Plans the sheets of one page for the CPU, and gives them the page's own settings back. Failures
/// name the page. Throws Error for those that are not of a sheet alone.
plan::JobPlan plan_page(const manifests::Job& job,
                        const manifests::JobPage& page,
                        const TaskSettings& task) {
  manifests::Job one;
  one.name = job.name;
  one.limits = job.limits;
  one.limits.threads = task.threads;
  one.pages = {page};
  manifests::PageSettings& settings = one.pages.front().settings;
  settings.halftone = on_cpu(settings.halftone);
  for (manifests::InkSettings& ink : settings.inks) {
    const HalftoneSettings whole = manifests::plate_settings(page.settings, ink.ink).halftone;
    if (needs_gpu(whole)) ink.halftone.schedule.clear();
    ink.halftone.engine = Engine::kAutomatic;  // the page's
  }
  plan::JobPlan plan = plan::make_plan(one);
  for (plan::SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) {
      const std::string& message = sheet.failure->message;
      const bool is_named = message.find(page.input) != std::string::npos;
      if (!is_named) sheet.failure->message = page.input + ": " + message;
      if (!is_of_sheet(sheet.failure->kind)) throw sheet.failure->error();
    }
    give_back_engines(page.settings, sheet.settings);
  }
  return plan;
}

std::string drawn_id() {
  std::random_device lot;
  return fmt::format("{:08x}{:04x}", lot(), lot() & 0xFFFFU);
}

/// Plans a job page by page, so that a mistake in one page keeps no other from being made.
plan::JobPlan plan_job(const manifests::Job& job, const TaskSettings& task) {
  plan::JobPlan plan;
  for (const manifests::JobPage& page : job.pages) {
    check_gpu(page, task);
    plan::JobPlan of_page = plan_page(job, frozen(page, task), task);
    plan.memory_bytes = of_page.memory_bytes;
    std::ranges::move(of_page.sheets, std::back_inserter(plan.sheets));
  }
  return plan;
}

}  // namespace

ClusterPlan make_cluster_plan(const std::vector<manifests::Job>& jobs,
                              const std::string& plan_folder,
                              const TaskSettings& task,
                              const UnitOptions& units) {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  ClusterPlan plan;
  plan.path = absolute_path(plan_folder);
  plan.id = drawn_id();
  plan.program = plan::provenance_software();
  plan.made = std::chrono::floor<milliseconds>(system_clock::now());  // as exact as the file is
  plan.task = task;
  plan::JobPlan all;
  std::vector<double> seconds;   // one a sheet
  std::vector<uint32_t> job_of;  // likewise
  for (const manifests::Job& job : jobs) {
    plan::JobPlan job_plan = plan_job(job, task);
    std::ranges::copy(estimate_sheet_seconds(job_plan, task), std::back_inserter(seconds));
    job_of.resize(seconds.size(), static_cast<uint32_t>(plan.jobs.size()));
    plan.jobs.push_back(planned_job(job));
    std::ranges::move(job_plan.sheets, std::back_inserter(all.sheets));
  }
  if (all.sheets.empty()) throw Error(ErrorKind::kUsage, "there are no pages to submit");
  check_plates(plan, job_of, all);
  for (size_t i = 0; i < all.sheets.size(); ++i) {
    plan.sheets.push_back(planned_sheet_of(all.sheets[i], job_of[i]));
    if (plan.sheets[i].failure) seconds[i] = 0;
    for (const chain::PageColourPtr& colour : all.sheets[i].colours) {
      if (colour != nullptr) plan.tables.emplace(colour->conversion.digest, colour->table);
    }
  }
  plan.units = partition_sheets(seconds, job_of, units);
  return plan;
}

}  // namespace mezzo::cluster
