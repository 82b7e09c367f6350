#include "pipeline/watch/status/http_listener.h"

#include <fmt/format.h>
#include <pthread.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/system_error.hpp>
#include <csignal>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace mezzo::watch {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr size_t kMostConnections = 128;
constexpr size_t kMostReplies = 16;  // at once, as they may be large
constexpr size_t kThreads = 8;
constexpr size_t kMostDrained = 1 << 20;    // bytes that a client sends after its request
constexpr size_t kUrgentThreads = 2;        // one of them may wait for a watcher that hangs
constexpr uint32_t kLargestHeader = 16384;  // bytes, with the request line
constexpr int kMostHeaders = 64;
constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kAcceptAgain{50};

/// Signals are the main loop's: threads that are started meanwhile have them all blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

std::string head_of(const StatusReply& reply) {
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Content-Length: {}\r\n"
      "Content-Security-Policy: {}\r\n"
      "Cache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Connection: close\r\n",
      reply.status,
      std::string(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(reply.status)))),
      reply.type,
      reply.body.size(),
      reply.policy);
  if (!reply.allow.empty()) head += fmt::format("Allow: {}\r\n", reply.allow);
  return head + "\r\n";
}

StatusReply refusal_of(error_code error) {
  if (error == http::error::body_limit)
    return {.status = 413, .body = "The request is too long.\n"};
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return {.status = 431, .body = "This request cannot be read.\n"};
  }
  if (error == asio::error::operation_aborted) {
    return {.status = 408, .body = "The request did not arrive in time.\n"};
  }
  return {.status = 400, .body = "This request cannot be read.\n"};
}

using Message = http::request<http::string_body>;

StatusRequest request_of(const Message& message, const std::string& remote) {
  const std::string target(message.target());
  StatusRequest request{.method = std::string(message.method_string()),
                        .path = target.substr(0, target.find('?')),
                        .remote = remote,
                        .body = message.body()};
  for (const auto& field : message) {
    request.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  return request;
}

/// Threads for answers. asio::thread_pool waits for ever when one of its threads cannot be started.
class Workers {
 public:
  /// Throws std::system_error when there is no room for so many.
  explicit Workers(size_t count) {
    try {
      for (size_t i = 0; i < count; ++i) threads_.emplace_back([this] { context_.run(); });
    } catch (...) {
      stop();
      throw;
    }
  }
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  template <typename Work>
  void post(Work work) {
    asio::post(context_, std::move(work));
  }

  /// Ends the threads; what has not begun is not done.
  void stop() {
    context_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  asio::io_context context_;
  asio::executor_work_guard<asio::io_context::executor_type> stays_{context_.get_executor()};
  std::vector<std::thread> threads_;
};

}  // namespace

/// All but the answers runs on one thread.
class HttpListener::Connections {
 public:
  explicit Connections(HttpOptions options);
  ~Connections();

  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  class Connection;
  using Shared = std::shared_ptr<Connection>;

  void accept();
  void make_room();
  void add_ready(const Shared& connection);
  void begin_answers();
  void answer(const Shared& connection, Workers& threads);
  void reply_sent(Connection& connection);

  const HttpOptions options_;
  size_t open_ = 0;
  size_t replies_ = 0;         ///< under way, but for urgent ones
  std::list<Shared> waiting_;  ///< that may be closed for new ones: oldest first
  std::deque<Shared> ready_;   ///< whose requests wait for an answer
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer again_{io_};
  Workers threads_{kThreads};
  Workers urgent_threads_{kUrgentThreads};
  std::thread thread_;
};

/// A connection: one request, one reply, and then the rest of what the client sends, until it has
/// taken the reply.
class HttpListener::Connections::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Connections& all, tcp::socket socket)
      : all_(all), socket_(std::move(socket)), timer_(all.io_) {
    error_code error;
    const auto remote = socket_.remote_endpoint(error);
    if (!error) remote_ = remote.address().to_string();
    ++all_.open_;
  }
  ~Connection() { count_out(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin() {
    place_ = all_.waiting_.insert(all_.waiting_.end(), shared_from_this());
    parser_.header_limit(kLargestHeader);
    parser_.body_limit(all_.options_.largest_body);
    limit_time(all_.options_.client_timeout);
    http::async_read(
        socket_, buffer_, parser_, [self = shared_from_this()](error_code error, size_t) {
          self->read(error);
        });
  }

  /// It is closed for another one, or for good.
  void close() {
    const Shared self = shared_from_this();
    leave_waiting();
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    count_out();
  }

  const StatusRequest& request() const { return request_; }

  /// From now on it is not closed for another one.
  void leave_waiting() {
    if (const auto place = std::exchange(place_, std::nullopt)) all_.waiting_.erase(*place);
  }

  void send(StatusReply reply) {
    if (!socket_.is_open()) return finish();
    leave_waiting();
    reply_ = std::move(reply);
    head_ = head_of(reply_);
    limit_time(all_.options_.reply_timeout);
    const std::array<asio::const_buffer, 2> parts = {asio::buffer(head_),
                                                     asio::buffer(reply_.body)};
    asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, size_t) {
      self->sent(error);
    });
  }

  bool is_urgent = false;
  bool is_counted = false;  ///< among the replies under way

 private:
  void count_out() {
    if (std::exchange(is_counted_in_, false)) --all_.open_;
  }

  void limit_time(std::chrono::milliseconds time) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      error_code ignored;
      if (!error && self->socket_.is_open()) self->socket_.cancel(ignored);
    });
  }

  void read(error_code error) {
    if (!socket_.is_open()) return;
    if (error == http::error::end_of_stream || error == asio::error::connection_reset)
      return close();
    if (error) return send(refusal_of(error));
    const Message& message = parser_.get();
    if (std::distance(message.begin(), message.end()) > kMostHeaders) {
      return send(refusal_of(http::error::header_limit));
    }
    request_ = request_of(message, remote_);
    if (message.chunked() || (request_.method == "POST" && !parser_.content_length())) {
      return send({.status = 411, .body = "The request must name its length.\n"});
    }
    if (!request_.path.starts_with('/')) return send(refusal_of(http::error::bad_target));
    timer_.cancel();
    all_.add_ready(shared_from_this());
  }

  void sent(error_code error) {
    finish();
    error_code failed = error;
    if (!failed) socket_.shutdown(tcp::socket::shutdown_send, failed);
    if (failed) return close();
    // Bytes still on their way would make the system drop the reply with the connection.
    place_ = all_.waiting_.insert(all_.waiting_.end(), shared_from_this());
    limit_time(all_.options_.client_timeout);
    drain();
  }

  void finish() {
    reply_ = {};
    all_.reply_sent(*this);
  }

  void drain() {
    socket_.async_read_some(asio::buffer(rest_),
                            [self = shared_from_this()](error_code error, size_t bytes) {
                              self->drained_ += bytes;
                              if (error || self->drained_ > kMostDrained) return self->close();
                              self->drain();
                            });
  }

  Connections& all_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  std::string remote_;
  boost::beast::flat_buffer buffer_{kLargestHeader + 8192};
  http::request_parser<http::string_body> parser_;
  StatusRequest request_;
  StatusReply reply_;
  std::string head_;
  std::array<char, 1024> rest_{};
  size_t drained_ = 0;
  bool is_counted_in_ = true;
  std::optional<std::list<Shared>::iterator> place_;
};

HttpListener::Connections::Connections(HttpOptions options) : options_(std::move(options)) {
  const tcp::endpoint endpoint(asio::ip::make_address(options_.address), options_.port);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint);
  acceptor_.listen(kBacklog);
  accept();
  thread_ = std::thread([this] { io_.run(); });
}

HttpListener::Connections::~Connections() {
  threads_.stop();
  urgent_threads_.stop();
  io_.stop();
  thread_.join();
  ready_.clear();
  waiting_.clear();
}

void HttpListener::Connections::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!error) {
      make_room();
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      // Where all are being answered, it is closed.
      if (open_ < 2 * kMostConnections) {
        std::make_shared<Connection>(*this, std::move(socket))->begin();
      }
      return accept();
    }
    // There may be no descriptor to be had.
    if (!waiting_.empty()) waiting_.front()->close();
    again_.expires_after(kAcceptAgain);
    again_.async_wait([this](error_code) { accept(); });
  });
}

/// Closes the connections that have waited longest, while there are too many.
void HttpListener::Connections::make_room() {
  while (open_ >= kMostConnections && !waiting_.empty()) {
    const Shared oldest = waiting_.front();
    oldest->close();
    std::erase(ready_, oldest);
  }
}

void HttpListener::Connections::add_ready(const Shared& connection) {
  connection->is_urgent = options_.is_urgent(connection->request());
  if (connection->is_urgent) return answer(connection, urgent_threads_);
  ready_.push_back(connection);
  begin_answers();
}

void HttpListener::Connections::begin_answers() {
  while (replies_ < kMostReplies && !ready_.empty()) {
    const Shared connection = ready_.front();
    ready_.pop_front();
    ++replies_;
    connection->is_counted = true;
    answer(connection, threads_);
  }
}

void HttpListener::Connections::answer(const Shared& connection, Workers& threads) {
  connection->leave_waiting();
  threads.post([this, held = connection]() mutable {
    StatusReply reply;
    try {
      reply = options_.answer(held->request());
    } catch (const std::exception&) {
      reply = {.status = 500, .body = "The watcher made a mistake.\n"};
    }
    // With the connection, which must not end on this thread.
    asio::post(io_, [held = std::move(held), reply = std::move(reply)]() mutable {
      held->send(std::move(reply));
    });
  });
}

void HttpListener::Connections::reply_sent(Connection& connection) {
  if (!std::exchange(connection.is_counted, false)) return;
  --replies_;
  begin_answers();
}

HttpListener::HttpListener(HttpOptions options)
    : connections_([&] {
        const BlockedSignals blocked;
        try {
          return std::make_unique<Connections>(std::move(options));
        } catch (const boost::system::system_error& error) {
          throw std::system_error(error.code().value(), std::generic_category());
        }
      }()) {}

HttpListener::~HttpListener() = default;

uint16_t HttpListener::port() const {
  return connections_->port();
}

}  // namespace mezzo::watch
