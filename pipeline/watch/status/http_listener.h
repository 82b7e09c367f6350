// Requests over HTTP, and their replies. One thread waits for all connections at once (Boost.Asio),
// so that those that send slowly, take their replies slowly or say nothing cost a descriptor for a
// while and nothing else: when there are too many, the oldest that has not asked yet is closed for
// a new one. Requests are answered by a few other threads; urgent ones by threads of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "pipeline/watch/status/request_guard.h"
#include "pipeline/watch/status/status_routes.h"

namespace mezzo::watch {

struct HttpOptions {
  std::string address;  ///< in numbers, IPv4 or IPv6
  uint16_t port = 0;    ///< 0: any that is free
  size_t largest_body = 0;
  std::chrono::milliseconds client_timeout{};  ///< to send a request
  std::chrono::milliseconds reply_timeout{};   ///< to take a reply
  /// Called by several threads.
  std::function<StatusReply(const StatusRequest&)> answer;
  std::function<bool(const StatusRequest&)> is_urgent;
};

class HttpListener {
 public:
  /// Listens from construction to destruction. Throws std::system_error when it cannot.
  explicit HttpListener(HttpOptions options);
  /// Waits for answers under way.
  ~HttpListener();
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  uint16_t port() const;

 private:
  class Connections;
  const std::unique_ptr<Connections> connections_;
};

}  // namespace mezzo::watch
