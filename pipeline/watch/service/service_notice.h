// Tells the service manager the state of a daemon by sd_notify(3)'s protocol: one datagram to the
// socket in $NOTIFY_SOCKET. Without it, nothing is sent.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace mezzo::watch {

/// Sends `state`, as in "READY=1" or "STATUS=3 jobs wait"; failures are ignored.
void notify_service(const std::string& state);

/// The longest time between two "WATCHDOG=1": half of $WATCHDOG_USEC when that is meant for this
/// process.
std::optional<std::chrono::milliseconds> service_watchdog_interval();

}  // namespace mezzo::watch
