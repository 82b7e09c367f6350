// The watcher's state as sent to the service manager (service_notice.h).
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace mezzo::watch {

class ServiceStatus {
 public:
  using Clock = std::chrono::steady_clock;

  ServiceStatus();

  /// Every folder was looked at once.
  bool is_ready() const { return ready_; }
  void set_ready();
  void set_stopping();

  /// One line for `systemctl status`.
  void set_text(std::string text);

  /// Answers the manager's watchdog when it is time.
  void keep_alive(Clock::time_point now);

  /// When keep_alive() is due; nothing without a watchdog.
  std::optional<Clock::time_point> next_time() const;

 private:
  bool ready_ = false;
  std::string text_;
  std::optional<std::chrono::milliseconds> interval_;
  Clock::time_point due_{};
};

}  // namespace mezzo::watch
