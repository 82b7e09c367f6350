// The data that all jobs of a watcher share.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/watch/job/gpu_backoff.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/machine/machine.h"
#include "pipeline/watch/view/watch_listener.h"

namespace mezzo::watch {

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
