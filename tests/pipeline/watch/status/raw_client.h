// A client of HTTP that can behave badly: bytes out, bytes in, over a socket.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>

namespace mezzo::test {

class RawClient {
 public:
  explicit RawClient(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~RawClient() { close(fd_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False once the other end has closed.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  /// All that comes until the other end closes, or `patience` is over; closed() then says which.
  std::string receive(std::chrono::milliseconds patience = std::chrono::minutes(10)) {
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + patience;
    std::string all;
    char buffer[4096];
    while (!closed_) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
      pollfd ready{fd_, POLLIN, 0};
      if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) break;
      const ssize_t got = recv(fd_, buffer, sizeof(buffer), 0);
      if (got > 0) all.append(buffer, static_cast<size_t>(got));
      closed_ = got <= 0;
    }
    return all;
  }
  /// Waits until the other end has said something, or closed, and takes nothing.
  void await_reply() const {
    char first = 0;
    ::recv(fd_, &first, 1, MSG_PEEK);
  }
  bool closed() const { return closed_; }
  int fd() const { return fd_; }

 private:
  int fd_;
  bool closed_ = false;
};

/// Sends one request as it is and returns the whole reply.
inline std::string talk(uint16_t port, std::string_view request) {
  RawClient client(port);
  client.send(request);
  return client.receive();
}

/// 0 when `reply` has none.
inline int status_of(std::string_view reply) {
  if (!reply.starts_with("HTTP/1.1 ") || reply.size() < 12) return 0;
  return std::stoi(std::string(reply.substr(9, 3)));
}

inline std::string body_of(const std::string& reply) {
  const size_t end = reply.find("\r\n\r\n");
  return end == std::string::npos ? "" : reply.substr(end + 4);
}

}  // namespace mezzo::test
