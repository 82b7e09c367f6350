// The status page of a watcher over HTTP, on threads of its own (civetweb).
//
// Clients cannot hold it up: requests are bounded in size and in time, connections in number, and
// a slow client costs one of a few threads for a few seconds. None of these threads takes signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/watch/status/status_routes.h"
#include "pipeline/watch/status/watch_metrics.h"
#include "pipeline/watch/view/watch_view.h"

struct mg_connection;
struct mg_context;

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
  std::chrono::milliseconds client_timeout = std::chrono::seconds(3);  ///< to send a request
  std::chrono::milliseconds reply_timeout = std::chrono::seconds(30);  ///< to take a reply
};

/// Serves from construction to destruction. `control` and `metrics` must outlive it.
class StatusServer {
 public:
  /// Throws Error: kUsage for an invalid address, kCannotCreate when it cannot be listened on.
  StatusServer(WatchControl& control, const WatchMetrics& metrics, StatusOptions options);
  /// Waits for replies under way: client_timeout or so.
  ~StatusServer();
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  uint16_t port() const { return port_; }
  std::string url() const;  ///< "http://127.0.0.1:9180/"

 private:
  /// Starts civetweb's threads. Throws Error(kCannotCreate).
  void start();

  // civetweb's callbacks; the second for clients that it refuses before there is a request.
  static int serve_request(mg_connection* connection);
  static int serve_error(mg_connection* connection, int status, const char* message);
  StatusReply answer(mg_connection* connection);

  const StatusOptions options_;
  StatusRoutes routes_;
  mg_context* context_ = nullptr;
  uint16_t port_ = 0;
};

}  // namespace mezzo::watch
