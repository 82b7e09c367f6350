// The program's output: messages on standard error, results on standard output, and
// a progress line that messages do not tear.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "pipeline/run/job_runner.h"
#include "pipeline/steady_time.h"
#include "tools/cli/log_format.h"
#include "tools/cli/verbosity.h"

namespace mezzo::cli {

/// Sets the log up: errors and warnings always, notes unless quiet, details when verbose. Colour
/// when standard error is a terminal and NO_COLOR is empty. Lines are JSON when `json`, else those
/// of the journal when standard error is one, else text; only text is ever coloured.
void set_up_log(Verbosity verbosity, bool json = false);

/// As set_up_log() chose it.
LogFormat log_format();

/// Shows the progress of a job: one line that is redrawn, at most ten times a second, when standard
/// error is a terminal; else a plain line for each sheet, and one every ten seconds. While a method
/// searches, the line has the last round in place of the rate; the log has all, when verbose. A log
/// of JSON has no such lines, only messages.
class Progress final : public run::JobObserver {
 public:
  /// `now` is the clock by which the line is redrawn.
  Progress(const plan::JobPlan& plan,
           Verbosity verbosity,
           std::function<SteadyTime()> now = SteadyClock::now);
  ~Progress() override;

  void pixels_done(uint64_t pixels) override;
  void round_done(const plan::SheetPlan& sheet,
                  const std::string& ink,
                  const RoundReport& report) override;
  void sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) override;
  void paused(const run::Pause& pause) override;
  void continued() override;

 private:
  class Line;

  void draw(bool at_once);
  void log_failure(const std::string& text);

  std::mutex mutex_;
  std::unique_ptr<Line> line_;  ///< null when quiet
  uint64_t pixels_total_;
  size_t sheets_total_;
  uint64_t pixels_ = 0;
  std::string round_;  ///< the last one, in words; empty when nothing searches
  size_t sheets_ = 0;
  std::string last_failure_;  ///< not logged twice: all files of a set fail with it
};

}  // namespace mezzo::cli
