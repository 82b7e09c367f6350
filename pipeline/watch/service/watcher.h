// The watcher: keeps hot folders printing, unattended.
//
// One thread in one poll(2): events of folders, signals, pipes of workers, the control socket,
// timers. It never opens a page; workers do, one process a job. It never uses the disk of a hot folder
// either: each folder has a lane for that (folder_lane.h), since a network share may hang for hours.
// The queue is the folders themselves: a job is claimed when a worker is free for it, so that several
// watchers share folders, and after any end of this process the next one finds all there is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/job/pace.h"
#include "pipeline/watch/service/call_queue.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/service/dispatcher.h"
#include "pipeline/watch/service/folder_set.h"
#include "pipeline/watch/service/service_status.h"
#include "pipeline/watch/service/wakeup.h"
#include "pipeline/watch/view/watch_listener.h"
#include "pipeline/watch/view/watch_requests.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct WatcherOptions {
  std::vector<std::string> folders;
  std::string state;            ///< folder of the history and of the journals; on a local disk
  std::string socket;           ///< of the control socket; empty: none
  uint32_t jobs = 2;            ///< workers at once
  bool once = false;            ///< end when all jobs that are there have ended
  bool needs_settings = false;  ///< a folder without a folder.yaml takes nothing
  /// Runs a job: the words before `--journal FILE --within FOLDER ... MANIFEST`.
  std::vector<std::string> worker_command;
  int signals = -1;  ///< signalfd(2) of SIGTERM, SIGINT and SIGHUP; -1: stop() alone ends it
  WatchListener* listener = nullptr;
  std::chrono::milliseconds grace = std::chrono::seconds(30);  ///< of workers that are to stop
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(30)};
  /// Between two tries to move the files of a job that has ended.
  std::chrono::milliseconds finish_pause = std::chrono::seconds(10);
};

/// The end of a watcher.
struct WatchEnd {
  uint64_t failed = 0;        ///< jobs, since it began
  size_t troubled = 0;        ///< folders that could not be watched at the end
  size_t short_of_space = 0;  ///< folders where pages wait for space on the disk
  int second_signal = 0;      ///< that ended it at once; 0: it ended by itself
  /// The disk of a folder does not answer: the Watcher cannot be destroyed before it does. Its process
  /// can end.
  bool is_held_up = false;
};

/// All private members but `calls_` and `turned_` are for the main loop's thread alone, or for the
/// lanes.
class Watcher final : public WatchControl {
 public:
  /// Opens the history and the control socket. Throws Error (kCannotCreate, kIo, kUsage).
  explicit Watcher(WatcherOptions options);

  /// Watches until a signal, stop(), or with `once` until there is nothing left to do. Workers are
  /// children of the calling thread, and get SIGTERM should it end.
  WatchEnd run();

  /// Asks run() to end in good order: no new jobs, workers stop, their jobs stay in .work. Safe for
  /// any thread.
  void stop() { calls_.request_stop(); }

  /// CallQueue's. For other threads than that of run().
  WatchView view() override { return calls_.view(); }
  SteadyTime turned() const override { return turned_; }
  std::string request(const std::string& json) override { return calls_.request(json); }

  /// The address of the status page with its buttons, for the verb "page". Before run().
  void set_page(std::string url) { page_ = std::move(url); }

 private:
  void turn(SteadyTime now);
  void read_signals(SteadyTime now);
  void begin_stop(SteadyTime now);
  void answer_calls(SteadyTime now);
  void report_status(SteadyTime now);
  void sleep(SteadyTime turn);
  bool is_idle(SteadyTime now);
  WatchEnd end();

  WatchView view_now(SteadyTime now);
  std::string answer(const std::string& json);

  const WatcherOptions options_;
  const std::shared_ptr<Wakeup> wakeup_ = std::make_shared<Wakeup>();
  Pace pace_{options_.listener};
  JobHistory history_;
  CallQueue calls_{wakeup_};
  std::atomic<SteadyTime> turned_{SteadyTime{}};
  std::optional<ControlServer> control_;
  FolderSet folders_{history_, [wakeup = wakeup_] { wakeup->wake(); }};
  std::optional<Dispatcher> jobs_;
  ServiceStatus service_;
  const WallTime started_ = std::chrono::system_clock::now();
  std::string page_;  ///< address of the status page; empty when there is none
  bool stopping_ = false;
  int second_signal_ = 0;
};

}  // namespace mezzo::watch
