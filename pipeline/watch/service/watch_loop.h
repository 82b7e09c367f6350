// The main loop of a watcher's process. It takes a turn when one is due, and as soon as one poll(2) reports
// something: events of folders, signals, pipes of workers, the control socket, timers.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "pipeline/watch/service/call_queue.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/service/service_status.h"
#include "pipeline/watch/service/watcher.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct LoopOptions {
  std::string socket{};  ///< of the control socket; empty: none
  int signals = -1;      ///< signalfd(2) of SIGTERM, SIGINT and SIGHUP; -1: stop() alone ends it
};

/// WatchControl's methods are for other threads than that of run(). They and stop() use only `wakeup_`,
/// `calls_`, `turned_`, `is_stop_requested_` and `last_view_`; the other members belong to the thread of
/// run().
class WatchLoop final : public WatchControl {
 public:
  /// Opens the control socket, then makes the Watcher. Throws Error (kCannotCreate, kIo, kUsage).
  explicit WatchLoop(WatcherOptions watcher, LoopOptions options = {});

  /// Watches until a signal, stop(), or with `once` until there is nothing left to do. Workers are
  /// children of the calling thread.
  WatchEnd run();

  /// Asks run() to stop the watcher in good order. Safe for any thread.
  void stop();

  /// Waits for the main loop for 2 s at most, then returns the last view.
  WatchView view() override;
  SteadyTime turned() const override { return turned_; }

  /// Waits for the main loop for 2 s at most, then returns a refusal.
  std::string request(const std::string& json) override;

  /// Watcher::set_page(). Must be called before run().
  void set_page(std::string url) { watcher_.set_page(std::move(url)); }

 private:
  void read_signals(const Moment& now);
  void stop_watcher(const Moment& now);
  void answer_calls(const Moment& now);
  void report_status(const Moment& now);
  void wait(const Moment& turn);
  WatchEnd end(const Moment& now);
  void keep_view(const Moment& now);

  const LoopOptions options_;
  const Clock& clock_;
  const std::shared_ptr<Wakeup> wakeup_ = std::make_shared<Wakeup>();
  CallQueue calls_;
  /// Before `watcher_`, which must not begin when another watcher has the socket.
  std::optional<ControlServer> control_;
  Watcher watcher_;
  ServiceStatus service_;
  std::atomic<SteadyTime> turned_{SteadyTime{}};
  std::atomic<bool> is_stop_requested_{false};
  std::mutex view_mutex_;
  WatchView last_view_;
  int second_signal_ = 0;
};

}  // namespace mezzo::watch
