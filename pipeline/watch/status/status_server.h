// The status page of a watcher over HTTP, on threads of its own, none of which takes signals.
//
// Clients cannot hold it up: requests are bounded in size and in time, connections in number, and
// health checks and metrics are answered beside any flood of them. One thread waits for all connections at once
// (Boost.Asio), so that those that send slowly, take their replies slowly or say nothing cost a descriptor for a
// while and nothing else: when there are too many, the oldest that has not asked yet is closed for
// a new one. Requests are answered by a few other threads; urgent ones by threads of their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/watch/status/page_token.h"
#include "pipeline/watch/status/status_routes.h"
#include "pipeline/watch/status/watch_metrics.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

struct StatusAddress {
  std::string address = "127.0.0.1";  ///< in numbers, IPv4 or IPv6
  uint16_t port = 0;                  ///< 0: any that is free
  bool operator==(const StatusAddress&) const = default;
};

/// "[ADDRESS:]PORT": "9180", "127.0.0.1:9180", "[::1]:9180", "localhost:9180". Throws
/// Error(kUsage).
StatusAddress parse_status_address(std::string_view text);

struct StatusOptions {
  StatusAddress listen;
  /// Names of this machine in requests, beside localhost and numeric addresses; when `listen` is
  /// not a loopback address, its host name is one too.
  std::vector<std::string> names{};
  std::string token = new_token();                                     ///< for requests
  std::chrono::milliseconds client_timeout = std::chrono::seconds(3);  ///< to send a request
  std::chrono::milliseconds reply_timeout = std::chrono::seconds(30);  ///< to take a reply
  std::chrono::milliseconds patience = std::chrono::seconds(2);        ///< StatusRoutes'
  const Clock* clock = &Clock::system();
};

/// Serves from construction to destruction. `control` and `metrics` must outlive it.
class StatusServer {
 public:
  /// Throws Error: kUsage for an invalid address, kCannotCreate when it cannot be listened on.
  StatusServer(WatchControl& control, const WatchMetrics& metrics, StatusOptions options);
  /// Waits for answers under way.
  ~StatusServer();
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  uint16_t port() const;
  std::string url() const;  ///< "http://127.0.0.1:9180/"

  /// With the token, for those who may send requests.
  std::string url_with_token() const { return url() + "#token=" + options_.token; }

 private:
  class Connections;

  const StatusOptions options_;
  StatusRoutes routes_;
  std::unique_ptr<Connections> connections_;
};

}  // namespace mezzo::watch
