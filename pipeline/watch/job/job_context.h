// What the jobs of a watcher share.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/exit_status.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/machine/machine.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// Keeps workers off the machine's GPUs for a while after losses. A lost GPU ends every worker that
/// uses it, and would fail a night's jobs one after the other; CPUs give the same bits. Safe for several threads.
class GpuBackoff {
 public:
  static constexpr int kLossesInARow = 2;
  static constexpr std::chrono::minutes kRest{10};  ///< before GPUs are tried again

  /// A worker has ended by itself. True when the back-off begins with it.
  bool worker_ended(int exit_status, SteadyTime now) {
    const std::lock_guard lock(mutex_);
    const bool was_used = !until_ || now >= *until_;
    if (exit_status != kExitDeviceLost) {
      // The end of a worker that was kept off the GPUs does not count.
      if (was_used) losses_ = 0;
      return false;
    }
    if (++losses_ < kLossesInARow) return false;
    until_ = now + kRest;
    return was_used;
  }

  bool may_use(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return !until_ || now >= *until_;
  }

 private:
  mutable std::mutex mutex_;
  int losses_ = 0;  ///< in a row
  std::optional<SteadyTime> until_;
};

/// The data that all jobs of a watcher share.
struct JobContext {
  std::vector<std::string> worker_command;        ///< the words before those of the job
  std::string journals;                           ///< folder for the journals of workers
  std::chrono::milliseconds grace{0};             ///< between SIGTERM and SIGKILL
  std::vector<std::chrono::milliseconds> pauses;  ///< before the second try, the third, ...
  std::chrono::milliseconds finish_pause{0};      ///< between tries to move an end's files
  JobHistory* history = nullptr;                  ///< never null in use
  WatchListener* listener = nullptr;              ///< may be null
  GpuBackoff* gpus = nullptr;                     ///< may be null: they are always used
  std::function<void()> wake;                     ///< of the main loop, from any thread
  Machine* machine = &Machine::real();            ///< never null

  /// The journal of a job's worker.
  std::string journal_of(const std::string& id) const { return journals + "/watch-" + id + ".db"; }

  /// The press file of a job, as it was when the job first began, so that it ends as it began.
  std::string press_of(const std::string& id) const { return journals + "/watch-" + id + ".yaml"; }
};

}  // namespace mezzo::watch
