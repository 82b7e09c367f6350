// What run, check and halftone share: options, planning, running, reporting.

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>

#include "manifests/scalars.h"
#include "pipeline/job_runner.h"
#include "pipeline/report/job_report.h"
#include "pipeline/text.h"
#include "tools/commands.h"
#include "tools/exit_status.h"
#include "tools/interrupt.h"
#include "tools/report.h"

namespace mezzo {
namespace {

/// A job that cannot begin as it was asked for: an engine is missing, the disk is too small, or
/// what is asked for does not go together.
std::optional<Failure> reason_not_to_start(const JobPlan& plan) {
  for (const SheetPlan& sheet : plan.sheets) {
    if (!sheet.failure) continue;
    const ErrorKind kind = sheet.failure->kind;
    if (kind == ErrorKind::kDevice || kind == ErrorKind::kDiskFull || kind == ErrorKind::kUsage) {
      return sheet.failure;
    }
  }
  return std::nullopt;
}

}  // namespace

void add_job_options(CLI::App& command, JobOptions& options) {
  command.add_option("--threads", options.threads, "Threads to use; default: all processors")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("--memory", options.memory, "Memory budget, e.g. 256MiB; default: 1 GiB");
  command.add_option("--device-memory",
                     options.device_memory,
                     "Memory budget of each GPU, e.g. 4GiB; default: nine tenths of what is free");
  command.add_option("--report",
                     options.report,
                     "Folder for report.html and report.json, which say what became of the job");
  command.add_flag("--explain", options.explain, "Say which schedule and bands are used, and why");
  command.add_option("--band-rows", options.band_rows, "Rows of a band; default: as fits")
      ->check(CLI::Range(1U, 1'000'000U))
      ->group("Testing");
  command.add_flag("--simple", options.simple, "One thread, one stage after another")
      ->group("Testing");
}

JobLimits limits_with(const JobLimits& limits, const JobOptions& options) {
  JobLimits result = limits;
  if (options.threads) result.threads = *options.threads;
  if (options.memory)
    result.memory_bytes = flag_value("--memory", parse_byte_size(*options.memory));
  if (options.device_memory) {
    result.device_memory_bytes =
        flag_value("--device-memory", parse_byte_size(*options.device_memory));
  }
  return result;
}

JobEnd plan_and_run(Job job, const JobOptions& options, const CommonOptions& common) {
  job.limits = limits_with(job.limits, options);
  const JobPlan plan = make_plan(job, {.band_rows = options.band_rows, .verify = options.verify});
  if (options.dry_run) {
    common.json ? print_plan_json(plan) : print_plan(plan, options.explain);
    for (const SheetPlan& sheet : plan.sheets) {
      if (sheet.failure) return {exit_status(sheet.failure->kind), sheet.failure};
    }
    return {};
  }
  std::optional<JobReport> report;
  if (!options.report.empty()) report.emplace(plan, options.report);
  if (const auto failure = reason_not_to_start(plan)) {
    if (report) report->write({}, failure);
    throw Error(failure->kind, failure->message);
  }
  if (options.explain) {
    common.json ? print_plan_json(plan) : print_plan(plan, true);
    std::fflush(stdout);  // before the messages of the run, wherever standard output goes
  }

  RunOptions run;
  run.verify = options.verify;
  run.simple = options.simple;
  if (report) run.pictures = &*report;
  JobResult result;
  {
    Progress progress(plan, common.verbosity());
    result = run_job(plan, run, progress, stop_requested());
  }
  if (common.json) {
    print_result_json(plan, result);
  } else if (!common.quiet) {
    print_summary(plan, result);
    if (options.explain) print_stages(plan, result);
  }
  if (report) report->write(result);
  JobEnd end{exit_status(result), std::nullopt};
  for (const SheetResult& sheet : result.sheets) {
    if (sheet.failure && !end.first_failure) end.first_failure = sheet.failure;
  }
  return end;
}

}  // namespace mezzo
