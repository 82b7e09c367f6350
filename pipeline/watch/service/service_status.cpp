#include "pipeline/watch/service/service_status.h"

#include "pipeline/watch/service/service_notice.h"

namespace mezzo::watch {

ServiceStatus::ServiceStatus() : interval_(service_watchdog_interval()) {}

void ServiceStatus::set_ready() {
  if (!ready_) notify_service("READY=1");
  ready_ = true;
}

void ServiceStatus::set_stopping() {
  notify_service("STOPPING=1");
}

void ServiceStatus::set_text(std::string text) {
  if (text != text_) notify_service("STATUS=" + text);
  text_ = std::move(text);
}

void ServiceStatus::keep_alive(SteadyTime now) {
  if (!interval_ || now < due_) return;
  notify_service("WATCHDOG=1");
  due_ = now + *interval_;
}

std::optional<SteadyTime> ServiceStatus::next_time() const {
  if (!interval_) return std::nullopt;
  return due_;
}

}  // namespace mezzo::watch
