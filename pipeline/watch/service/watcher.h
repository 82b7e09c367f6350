// The watcher: keeps hot folders printing, unattended.
//
// One thread in one poll(2): events of folders, signals, pipes of workers, the control socket,
// timers. It never opens a page; workers do, one process a job. The queue is the folders
// themselves: a job is claimed when a worker is free for it, so that several watchers share
// folders, and whatever happens to this process, the next one finds all there is.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/watch/job/active_job.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct WatcherOptions {
  std::vector<std::string> folders;
  std::string state;   ///< folder of the history and of the journals; on a local disk
  std::string socket;  ///< of the control socket; empty: none
  uint32_t jobs = 2;   ///< workers at once
  bool once = false;   ///< end when everything that is there has been worked off
  /// What runs a job: the words before `--journal FILE --within FOLDER ... MANIFEST`.
  std::vector<std::string> worker_command;
  int signals = -1;  ///< signalfd(2) of SIGTERM, SIGINT and SIGHUP; -1: stop() alone ends it
  WatchListener* listener = nullptr;
  std::chrono::milliseconds grace = std::chrono::seconds(30);  ///< of workers that are to stop
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(30)};
};

/// How it ended.
struct WatchEnd {
  uint64_t failed = 0;    ///< jobs, since it began
  size_t troubled = 0;    ///< folders that could not be watched at the end
  int second_signal = 0;  ///< that ended it at once; 0: it ended in good order
};

class Watcher final : public WatchControl {
 public:
  /// Opens the history and the control socket. Throws Error (kCannotCreate, kIo, kUsage).
  explicit Watcher(WatcherOptions options);
  ~Watcher() override;

  /// Watches until a signal, stop(), or with `once` until there is nothing left to do. Workers are
  /// children of the calling thread, and get SIGTERM should it end.
  WatchEnd run();

  /// Asks run() to end in good order: no new jobs, workers stop, their jobs stay in .work. Safe for
  /// any thread.
  void stop();

  /// Both wait for the main loop, 2 s at most: after that, view() is the last one, and a request is
  /// refused. For other threads than that of run().
  WatchView view() const override;
  std::string request(const std::string& json) override;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace mezzo::watch
