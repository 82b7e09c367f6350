#include "pipeline/watch/service/service_status.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "stages/files/descriptor.h"

namespace mezzo::watch {
namespace {

std::optional<uint64_t> number_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  const std::string_view text = value;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Sends `state`, as in "READY=1".
void notify_service(const std::string& state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || (*path != '/' && *path != '@')) return;
  const size_t length = std::strlen(path);
  if (length >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, length);
  if (*path == '@') address.sun_path[0] = '\0';  // a name that is not in any folder
  const files::Descriptor fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return;
  ::sendto(fd.get(),
           state.data(),
           state.size(),
           MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
}

std::optional<std::chrono::milliseconds> watchdog_interval() {
  const auto microseconds = number_in("WATCHDOG_USEC");
  if (!microseconds || *microseconds == 0) return std::nullopt;
  const auto pid = number_in("WATCHDOG_PID");
  if (pid && *pid != static_cast<uint64_t>(::getpid())) return std::nullopt;
  return std::chrono::milliseconds(std::max<uint64_t>(1, *microseconds / 2000));
}

}  // namespace

ServiceStatus::ServiceStatus() : interval_(watchdog_interval()) {}

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
