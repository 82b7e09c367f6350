// What a watcher has of the machine that it runs on, each part behind a seam: tests give it a clock that
// they set, a disk that fails, workers that are no processes, and lanes that hang when they are told to.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/watch/machine/clock.h"
#include "pipeline/watch/machine/lane.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

class Machine {
 public:
  virtual ~Machine() = default;

  /// The one that this process runs on.
  static Machine& real();

  virtual const Clock& clock() const = 0;
  virtual files::FileSystem& disk() = 0;

  /// Starts a process (WorkerProcess). Throws Error(kOutOfMemory) when none can be had.
  virtual std::unique_ptr<process::Worker> start(const std::vector<std::string>& command,
                                                 int lock,
                                                 const std::vector<std::string>& changes) = 0;

  /// A lane; `wake`: see ThreadLane.
  virtual std::unique_ptr<Lane> make_lane(std::function<void()> wake,
                                          std::chrono::milliseconds patience) = 0;

  /// Does work for whose end nobody waits. Throws std::system_error when there is no thread for it.
  virtual void detach(std::function<void()> work) = 0;
};

}  // namespace mezzo::watch
