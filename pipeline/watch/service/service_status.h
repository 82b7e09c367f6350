// Tells the service manager the state of the watcher by sd_notify(3)'s protocol: one datagram to the
// socket in $NOTIFY_SOCKET. Without it nothing is sent; failures are ignored.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pipeline/steady_time.h"

namespace mezzo::watch {

class ServiceStatus {
 public:
  ServiceStatus();

  /// Every folder was looked at once.
  bool is_ready() const { return ready_; }
  void set_ready();
  void set_stopping();

  /// One line for `systemctl status`.
  void set_text(std::string text);

  /// Sends "WATCHDOG=1" when it is due: after half of $WATCHDOG_USEC, when that is meant for this
  /// process.
  void keep_alive(SteadyTime now);

  /// When keep_alive() is due; nothing without a watchdog.
  std::optional<SteadyTime> next_time() const;

 private:
  bool ready_ = false;
  std::string text_;
  std::optional<std::chrono::milliseconds> interval_;
  SteadyTime due_{};
};

}  // namespace mezzo::watch
