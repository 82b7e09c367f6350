// Tells the service manager how a daemon is: sd_notify(3)'s protocol, which is one datagram to the
// socket that $NOTIFY_SOCKET names. Without it, nothing is sent.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace mezzo::watch {

/// Sends `state`, as in "READY=1" or "STATUS=3 jobs wait"; a failure means nothing.
void notify_service(const std::string& state);

/// How often the manager wants to hear "WATCHDOG=1", at the least: half of $WATCHDOG_USEC when that
/// is meant for this process.
std::optional<std::chrono::milliseconds> service_watchdog_interval();

}  // namespace mezzo::watch
