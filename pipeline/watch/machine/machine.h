// What a watcher uses of the machine that it runs on, as an interface. Tests replace it by a clock that they
// set, a disk that fails, workers that are not processes, and lanes that hang on request.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/process/worker_process.h"
#include "pipeline/watch/machine/clock.h"
#include "pipeline/watch/machine/lane.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

class Machine {
 public:
  virtual ~Machine() = default;

  /// The machine that this process runs on.
  static Machine& real();

  virtual const Clock& clock() const = 0;
  virtual files::FileSystem& disk() = 0;

  /// Starts a process (WorkerProcess). Throws Error(kOutOfMemory) when there is no process or
  /// descriptor left.
  virtual std::unique_ptr<process::Worker> start(const std::vector<std::string>& command,
                                                 int lock,
                                                 const std::vector<std::string>& changes) = 0;

  /// A lane; `wake`: see ThreadLane.
  virtual std::unique_ptr<Lane> make_lane(std::function<void()> wake,
                                          std::chrono::milliseconds patience) = 0;

  /// Runs `work` in the background; nobody waits for its end. Throws std::system_error when no thread can be
  /// started.
  virtual void detach(std::function<void()> work) = 0;
};

}  // namespace mezzo::watch
