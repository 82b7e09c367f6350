// The main loop of a watcher's process: takes its turns when they are due, and as soon as something comes
// in, by one poll(2): events of folders, signals, pipes of workers, the control socket, timers.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "pipeline/watch/service/call_queue.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/service/service_status.h"
#include "pipeline/watch/service/wakeup.h"
#include "pipeline/watch/service/watcher.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct LoopOptions {
  std::string socket{};  ///< of the control socket; empty: none
  int signals = -1;      ///< signalfd(2) of SIGTERM, SIGINT and SIGHUP; -1: stop() alone ends it
};

/// Its WatchControl is for other threads than that of run(). All private members but `calls_`, `turned_`
/// and `last_view_` are for that thread alone.
class WatchLoop final : public WatchControl {
 public:
  /// Opens the control socket, then makes the Watcher. Throws Error (kCannotCreate, kIo, kUsage).
  explicit WatchLoop(WatcherOptions watcher, LoopOptions options = {});

  /// Watches until a signal, stop(), or with `once` until there is nothing left to do. Workers are
  /// children of the calling thread.
  WatchEnd run();

  /// Asks run() to stop the watcher in good order. Safe for any thread.
  void stop();

  /// Waits for the main loop 2 s at most; after that it is the last view.
  WatchView view() override;
  SteadyTime turned() const override { return turned_; }

  /// Waits likewise; after that it is a refusal.
  std::string request(const std::string& json) override;

  /// Watcher's. Before run().
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
  std::optional<ControlServer> control_;  // first: one watcher a socket
  Watcher watcher_;
  ServiceStatus service_;
  std::atomic<SteadyTime> turned_{SteadyTime{}};
  std::atomic<bool> is_stop_requested_{false};
  std::mutex view_mutex_;
  WatchView last_view_;
  int second_signal_ = 0;
};

}  // namespace mezzo::watch
