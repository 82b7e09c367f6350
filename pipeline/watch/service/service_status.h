// The watcher's state as sent to the service manager (service_notice.h).
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

  /// Answers the manager's watchdog when it is time.
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
