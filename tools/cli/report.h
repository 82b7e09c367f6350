// Plans and results on standard output: a table for people, or one JSON object a line for programs.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/error.h"
#include "manifests/json/value.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/job_runner.h"
#include "pipeline/run/result.h"
#include "tools/cli/common_options.h"

namespace mezzo::cli {

/// The plan of the job: sheets, plates, memory, disk, time. `explain` adds schedules and bands.
void print_plan(const plan::JobPlan& plan, bool explain);

/// The result of the job: counts, rate, and the sheets that failed.
void print_summary(const plan::JobPlan& plan, const run::JobResult& result);

/// The time of the job by stage.
void print_stages(const plan::JobPlan& plan, const run::JobResult& result);

/// The events of a job as JSON lines: sheets that begin and end, a pulse with the pixels done at
/// most twice a second, pauses.
class JsonEvents final : public run::JobObserver {
 public:
  void sheet_started(const plan::SheetPlan& sheet) override;
  void pixels_done(uint64_t pixels) override;
  void round_done(const plan::SheetPlan& sheet,
                  const std::string& ink,
                  const RoundReport& report) override;
  void sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) override;
  void paused(const run::Pause& pause) override;
  void continued() override;

 private:
  void pulse(uint64_t pixels);

  std::mutex mutex_;
  uint64_t pixels_ = 0;
  std::chrono::steady_clock::time_point last_pulse_{};
};

/// One object a line on standard output, which is flushed. Throws std::system_error.
void print_line(const json::Value& object);

/// The same as JSON lines; every object has "v": 1 and "type".
void print_plan_json(const plan::JobPlan& plan);
void print_job_json(const plan::JobPlan& plan, const run::JobResult& result);
void print_diagnostics_json(const std::vector<Diagnostic>& diagnostics);

/// Reports the error that ended a command, and returns its exit status.
int report_error(const Error& error, const CommonOptions& common);

/// Diagnostics on standard error: as a compiler prints them, or as messages when the log is not for
/// people.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics);

}  // namespace mezzo::cli
