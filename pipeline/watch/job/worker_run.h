// One try of a job: its worker from its start until its pipes are drained. Never blocks.
//
// Warnings of the worker are logged as they come. Errors, and the lines after them, wait for its end:
// most are in its results too, and then in the reason of the job's failure.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/job/worker_report.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class WorkerRun {
 public:
  enum class Stop { kNone, kCancel, kSuspend, kStall };

  /// `claim` and `listener`, which may be null, must outlive it.
  WorkerRun(std::unique_ptr<process::Worker> worker,
            const ClaimedJob& claim,
            std::string label,
            WatchListener* listener,
            SteadyTime now);

  /// Reads the worker's lines, and kills it when its grace is up or it has been silent for `stall`.
  /// Returns its end once it has ended and its pipes are drained.
  std::optional<process::WorkerEnd> advance(SteadyTime now, std::chrono::milliseconds stall);

  /// Its silence until now is not its own.
  void excuse(SteadyTime now) { heard_ = now; }

  /// Sends SIGTERM, and SIGKILL after `grace`. A cancellation replaces other reasons.
  void terminate(Stop why, SteadyTime now, std::chrono::milliseconds grace);
  void kill();

  /// Its processes stand still, with all that they hold, until go_on() or terminate().
  void stand_still(SteadyTime now);
  void go_on(SteadyTime now);
  bool stands_still() const { return still_since_.has_value(); }
  pid_t pid() const { return worker_->pid(); }

  /// Why the worker was stopped.
  Stop stop() const { return stop_; }

  /// After its end: the outcome for the job.
  Outcome outcome(const process::WorkerEnd& end);

  const WorkerReport& report() const { return report_; }
  double seconds(SteadyTime now) const;  ///< in which it did not stand still
  void add_polls(std::vector<pollfd>& polls) const;

  /// When advance() has something to do, if the worker stays silent.
  std::optional<SteadyTime> next_time(std::chrono::milliseconds stall) const;

 private:
  void read(SteadyTime now);
  void add_message(std::string_view line);
  void log(std::string_view line);
  std::string as_dropped(std::string text) const;

  const std::unique_ptr<process::Worker> worker_;
  WatchListener* listener_;
  const ClaimedJob& claim_;
  const std::string label_;
  size_t logged_ = 0;
  std::vector<std::string> held_messages_;  ///< until the worker's end
  bool has_odd_line_ = false;               ///< on its standard output
  WorkerReport report_;
  Stop stop_ = Stop::kNone;
  const SteadyTime begun_;
  SteadyTime heard_;               ///< when the last result came
  SteadyClock::duration still_{};  ///< for how long it stood still, before
  std::optional<SteadyTime> still_since_;
  std::optional<SteadyTime> kill_at_;
};

}  // namespace mezzo::watch
