// The common part of run, check and halftone: options, planning, running, reporting.

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "kernels/gpu/context.h"
#include "manifests/scalars.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/gpus_that_pay.h"
#include "pipeline/plan/plate_check.h"
#include "pipeline/report/job_report.h"
#include "pipeline/resume/resume.h"
#include "pipeline/run/disk_space.h"
#include "pipeline/run/job_observers.h"
#include "pipeline/run/job_runner.h"
#include "pipeline/run/memory_guard.h"
#include "pipeline/run/replaced_files.h"
#include "pipeline/text.h"
#include "stages/files/confined_file_system.h"
#include "stages/files/folder.h"
#include "stages/files/publish.h"
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/limit_text.h"
#include "tools/cli/report.h"
#include "tools/cli/settings_listing.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

/// Why the job cannot begin as requested: an engine is missing, the disk is too small, or the settings
/// fit no page. A page that they do not fit fails alone when there are others; with `keep_going`, so
/// does one without its engine or its disk.
std::optional<run::Failure> reason_not_to_start(const plan::JobPlan& plan, bool keep_going) {
  const bool is_any_good = std::ranges::any_of(
      plan.sheets, [](const plan::SheetPlan& sheet) { return !sheet.failure.has_value(); });
  if (keep_going && is_any_good) return std::nullopt;
  bool fits_a_page = false;
  std::optional<run::Failure> unfit;
  for (const plan::SheetPlan& sheet : plan.sheets) {
    const ErrorKind kind = sheet.failure ? sheet.failure->kind : ErrorKind::kData;
    if (kind == ErrorKind::kDevice || kind == ErrorKind::kDiskFull) return sheet.failure;
    if (kind != ErrorKind::kUsage) fits_a_page = true;
    if (kind == ErrorKind::kUsage && !unfit) unfit = sheet.failure;
  }
  return fits_a_page ? std::nullopt : unfit;
}

/// The folders of a confined job; nothing for one that is not confined.
std::unique_ptr<files::FileSystem> confine(const JobOptions& options) {
  if (options.within.empty()) return nullptr;
  std::vector<files::AllowedFolder> folders = files::folders_of_job(options.within, options.plates);
  if (!options.report.empty()) {
    folders.push_back({.path = options.report, .write = true, .make = true});
  }
  return std::make_unique<files::ConfinedFileSystem>(folders);
}

/// The journal of a job that is to run; null when it has none.
std::unique_ptr<resume::Journal> open_journal(const manifests::Job& job,
                                              const JobOptions& options) {
  if (options.dry_run || job.manifest.empty()) return nullptr;
  auto journal = resume::Journal::open(options.journal ? *options.journal
                                                       : resume::journal_path(job.manifest));
  if (!journal->damage().empty()) log::warn("{}", journal->damage());
  if (options.fresh) journal->forget();
  return journal;
}

/// Takes from the journal the sheets that need not be made again.
void resume(resume::Journal& journal, plan::JobPlan& plan, run::RunOptions& run) {
  // Also when nothing is known of an earlier run: its journal may have been forgotten or lost.
  resume::remove_orphaned_files(plan);
  resume::Resumed resumed = resume::take_done_sheets(plan, journal);
  for (const std::string& reason : resumed.reasons) log::info("{}", reason);
  run.done = std::move(resumed.done);
  run.on_sealed = resume::enter_into(journal);
  run.on_published = [&](const plan::SheetPlan& sheet) {
    resume::note_published(journal, *plan.files, sheet);
  };
}

run::JobResult run_observed(const plan::JobPlan& plan,
                            const run::RunOptions& run,
                            const CommonOptions& common) {
  cli::Progress progress(plan, common.verbosity());
  cli::JsonEvents events;
  run::JobObservers observers;
  observers.add(progress);
  if (common.json) observers.add(events);
  return run::run_job(plan, run, observers, cli::stop_requested());
}

/// Programs that drop pages seldom sync them. One that has been printed must not be cut short by a
/// loss of power: it is kept in done/, where it would pass for one that was still being copied.
void sync_pages(const JobOptions& options, files::FileSystem& files) {
  try {
    const files::Descriptor folder(
        ::open(options.within.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) throw files::file_error(options.within, "opening the folder", errno);
    files::sync_tree(files, folder.get(), options.within);
  } catch (const Error& error) {
    log::warn("{}; a loss of power may cost pages of this job", error.what());
  }
}

JobEnd show_plan(const manifests::Job& job,
                 plan::JobPlan& plan,
                 const JobOptions& options,
                 const CommonOptions& common) {
  plan::refuse_unwritable_folders(plan);
  common.json ? cli::print_plan_json(plan) : cli::print_plan(plan, options.explain);
  if (options.settings || !job.press_file.empty()) {
    common.json ? cli::print_settings_json(job, options.settings)
                : cli::print_settings(job, options.settings);
  }
  for (const plan::SheetPlan& sheet : plan.sheets) {
    if (!sheet.failure) continue;
    const int status = status_of(sheet.failure->kind, !job.manifest.empty());
    return {cli::with_signal(status), sheet.failure};
  }
  return {};
}

/// A mistake in the settings of a manifest is one in its data.
Error error_of_start(run::Failure failure, const manifests::Job& job) {
  if (failure.kind == ErrorKind::kUsage && !job.manifest.empty()) failure.kind = ErrorKind::kData;
  return failure.error();
}

/// What is shown before the first page is made: the plan with --explain, and warnings.
void show_start(const plan::JobPlan& plan, const JobOptions& options, const CommonOptions& common) {
  if (options.explain) {
    common.json ? cli::print_plan_json(plan) : cli::print_plan(plan, true);
    std::fflush(stdout);  // before the messages of the run, wherever standard output goes
  }
  for (const plan::SheetPlan& sheet : plan.sheets) {
    for (const std::string& warning : sheet.warnings) log::warn("{}: {}", sheet.input, warning);
  }
}

JobEnd end_of(const run::JobResult& result) {
  JobEnd end{cli::with_signal(status_of(result)), std::nullopt};
  for (const run::SheetResult& sheet : result.sheets) {
    if (sheet.failure && !end.first_failure) end.first_failure = sheet.failure;
  }
  return end;
}

}  // namespace

void add_job_options(cli::Command& command, JobOptions& options) {
  command.option("--threads", options.threads, "Threads to use; default: all processors")
      .range(1, 1024);
  command
      .option("--memory",
              cli::parsed(options.memory_bytes, cli::limit_named("memory")),
              "Memory budget, e.g. 256MiB; default: 1 GiB")
      .takes("SIZE");
  command
      .option("--device-memory",
              cli::parsed(options.device_memory_bytes, cli::limit_named("device_memory")),
              "Memory budget of each GPU, e.g. 4GiB; default: nine tenths of its free memory")
      .takes("SIZE");
  command
      .option(
          "--report", options.report, "Folder for the job's report: report.html and report.json")
      .takes("FOLDER");
  command.flag("--explain", options.explain, "Show the schedule and bands that are used, and why");
  command.option("--band-rows", options.band_rows, "Rows of a band; default: as fits")
      .range(1, 1'000'000)
      .group("Testing");
  command.flag("--simple", options.simple, "One thread, one stage after another").group("Testing");
}

cli::Option& add_force_option(cli::Command& command, bool& force) {
  return command.flag(
      "--force",
      force,
      "Replace files with the names of plates, proofs and PPF files that mezzotint did not "
      "write");
}

void add_verify_option(cli::Command& command, JobOptions& options) {
  std::vector<std::string> names;
  for (const tiff::VerifyLevelInfo& level : tiff::verify_levels()) names.emplace_back(level.name);
  const auto read = [&options](const cli::Words& words) -> std::string {
    options.verify = tiff::verify_level_named(words.front());
    return {};
  };
  command
      .option("--verify",
              cli::Target{.read = read},
              "What is proved of every plate before it gets its name, in place of output.verify. "
              "recompute halftones each page again, on one thread: searches such as les then take "
              "10 to 30 times as long")
      .one_of(names)
      .takes("LEVEL")
      .alone("recompute");
}

std::vector<manifests::Job> load_jobs(const std::vector<std::string>& manifests,
                                      const manifests::ManifestFolders& folders,
                                      bool keep_going,
                                      const CommonOptions& common,
                                      int& status,
                                      bool finds_all) {
  std::vector<manifests::Job> jobs;
  for (const std::string& path : manifests) {
    try {
      auto checked = manifests::load_manifest(
          path,
          folders,
          keep_going ? manifests::OnMistake::kFailPage : manifests::OnMistake::kRefuseJob);
      if (auto* job = std::get_if<manifests::Job>(&checked)) {
        jobs.push_back(std::move(*job));
        continue;
      }
      const auto& diagnostics = std::get<std::vector<Diagnostic>>(checked);
      common.json ? cli::print_diagnostics_json(diagnostics) : cli::print_diagnostics(diagnostics);
      status = kExitData;
      if (!finds_all) continue;
      auto rest = manifests::load_manifest(path, folders, manifests::OnMistake::kFailPage);
      if (auto* job = std::get_if<manifests::Job>(&rest)) jobs.push_back(std::move(*job));
    } catch (const Error& error) {
      if (!keep_going) throw;
      status = cli::report_error(error, common);
    }
  }
  std::ranges::stable_sort(jobs, std::ranges::greater{}, &manifests::Job::priority);
  return jobs;
}

/// 0 stands for all that there is.
template <typename T>
T at_most(T wanted, T most) {
  if (most == 0) return wanted;
  return wanted == 0 ? most : std::min(wanted, most);
}

manifests::JobLimits limits_with(const manifests::JobLimits& limits, const JobOptions& options) {
  manifests::JobLimits result = limits;
  result.threads = at_most(limits.threads, options.most.threads);
  result.memory_bytes = at_most(limits.memory_bytes, options.most.memory_bytes);
  result.device_memory_bytes =
      at_most(limits.device_memory_bytes, options.most.device_memory_bytes);
  if (options.threads) result.threads = *options.threads;
  if (options.memory_bytes) result.memory_bytes = *options.memory_bytes;
  if (options.device_memory_bytes) result.device_memory_bytes = *options.device_memory_bytes;
  return result;
}

JobEnd plan_and_run(manifests::Job job, const JobOptions& options, const CommonOptions& common) {
  job.limits = limits_with(job.limits, options);
  if (options.force) run::replace_any_file(job);
  const std::unique_ptr<files::FileSystem> confined = confine(options);
  const std::unique_ptr<resume::Journal> journal = open_journal(job, options);
  resume::put_start(job, journal.get(), options.id);
  if (options.is_only) {  // planning asks CUDA for its GPUs
    const uint32_t gpus = gpu::expected_devices();
    gpu::limit_devices(
        plan::gpus_that_pay(job, confined ? *confined : files::FileSystem::real(), gpus));
  }
  plan::JobPlan plan =
      plan::make_plan(job,
                      {.band_rows = options.band_rows,
                       .verify = options.verify,
                       .files = confined ? confined.get() : &files::FileSystem::real(),
                       .hot_folder = options.hot_folder,
                       .any_inks = options.any_inks});
  run::RunOptions run;
  std::optional<resume::SideFileJournal> side_files;
  if (journal) {
    resume(*journal, plan, run);
    run.side_files = &side_files.emplace(*journal, *plan.files);
  }
  run::refuse_foreign_files(plan, run.done);
  if (!options.wait_for_space) run::refuse_full_disk(plan, run.done);
  if (options.dry_run) return show_plan(job, plan, options, common);
  std::optional<report::JobReport> report;
  if (!options.report.empty()) report.emplace(plan, options.report);
  if (const auto failure = reason_not_to_start(plan, options.keep_going)) {
    if (report) report->write({}, failure);
    throw error_of_start(*failure, job);
  }
  show_start(plan, options, common);
  // A job that is confined is of people who drop files.
  run.is_guarded = !options.within.empty() && run::guard_memory(plan).has_value();
  run.simple = options.simple;
  run.keep_others = options.keep_others;
  run.wait_for_space = options.wait_for_space;
  run.deadline = options.deadline;
  run.reserve_bytes = options.reserve_bytes;
  if (report) run.pictures = &*report;
  const run::JobResult result = run_observed(plan, run, common);
  if (common.json) {
    cli::print_job_json(plan, result);
  } else if (!common.quiet) {
    cli::print_summary(plan, result);
    if (options.explain) cli::print_stages(plan, result);
  }
  if (report) report->write(result);
  if (!options.hot_folder.empty() && status_of(result) == kExitGood)
    sync_pages(options, *plan.files);
  if (journal && status_of(result) == kExitGood) journal->set_start(std::nullopt);
  return end_of(result);
}

}  // namespace mezzo::commands
