// Passes lines of a worker's standard error on to the log.
//
// Warnings are logged as they come. Errors, and the lines after them, wait for the worker's end:
// most are in its results too, and then in the reason of the job's failure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/watch/folder/folder_jobs.h"
#include "pipeline/watch/job/worker_report.h"

namespace mezzo::watch {

class WorkerLog {
 public:
  /// Each line begins with `label`. `claim` must outlive the log.
  WorkerLog(std::string label, const ClaimedJob& claim) : label_(std::move(label)), claim_(claim) {}

  /// A line of standard error.
  void add(std::string_view line);

  /// A line of standard output that is not a result: the first one is logged.
  void add_no_result(std::string_view line);

  /// Logs the lines that were held back, but for those that the report has too.
  void end(const WorkerReport& report);

  /// Drops the lines that were held back: those of a worker that was told to stop.
  void end_stopped() { held_.clear(); }

  /// Replaces paths in .work by the names under which files were dropped.
  std::string as_dropped(std::string text) const;

 private:
  void log(std::string_view line);

  const std::string label_;
  const ClaimedJob& claim_;
  size_t logged_ = 0;
  size_t no_results_ = 0;
  std::vector<std::string> held_;
};

}  // namespace mezzo::watch
