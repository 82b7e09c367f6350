#include "pipeline/watch/status/status_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

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
#include <charconv>
#include <csignal>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/base/error.h"

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

/// The address as URLs have it.
std::string bracketed(const std::string& address) {
  return is_address(AF_INET6, address) ? fmt::format("[{}]", address) : address;
}

Error cannot_serve(const std::string& address, uint16_t port, const std::string& why) {
  return Error(ErrorKind::kCannotCreate,
               fmt::format("cannot serve the status page at {}:{}: {}; is another program there?",
                           bracketed(address),
                           port,
                           why));
}

/// The names of StatusOptions, and this machine's where others may reach the page.
std::vector<std::string> own_names(const StatusOptions& options) {
  std::vector<std::string> names = options.names;
  std::array<char, 256> name{};
  if (!is_this_machine(options.listen.address) && gethostname(name.data(), name.size() - 1) == 0) {
    names.emplace_back(name.data());
  }
  return names;
}

/// Of monitoring, which must not wait behind browsers.
bool is_urgent(const StatusRequest& request) {
  return request.path == "/healthz" || request.path == "/readyz" || request.path == "/metrics";
}

}  // namespace

/// All but the answers runs on one thread.
class StatusServer::Connections {
 public:
  /// Both must outlive it.
  Connections(const StatusOptions& options, StatusRoutes& routes);
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

  const StatusOptions& options_;
  StatusRoutes& routes_;
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
class StatusServer::Connections::Connection : public std::enable_shared_from_this<Connection> {
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
    parser_.body_limit(StatusRoutes::kLargestBody);
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

StatusServer::Connections::Connections(const StatusOptions& options, StatusRoutes& routes)
    : options_(options), routes_(routes) {
  const tcp::endpoint endpoint(asio::ip::make_address(options_.listen.address),
                               options_.listen.port);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint);
  acceptor_.listen(kBacklog);
  accept();
  thread_ = std::thread([this] { io_.run(); });
}

StatusServer::Connections::~Connections() {
  threads_.stop();
  urgent_threads_.stop();
  io_.stop();
  thread_.join();
  ready_.clear();
  waiting_.clear();
}

void StatusServer::Connections::accept() {
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
void StatusServer::Connections::make_room() {
  while (open_ >= kMostConnections && !waiting_.empty()) {
    const Shared oldest = waiting_.front();
    oldest->close();
    std::erase(ready_, oldest);
  }
}

void StatusServer::Connections::add_ready(const Shared& connection) {
  connection->is_urgent = is_urgent(connection->request());
  if (connection->is_urgent) return answer(connection, urgent_threads_);
  ready_.push_back(connection);
  begin_answers();
}

void StatusServer::Connections::begin_answers() {
  while (replies_ < kMostReplies && !ready_.empty()) {
    const Shared connection = ready_.front();
    ready_.pop_front();
    ++replies_;
    connection->is_counted = true;
    answer(connection, threads_);
  }
}

void StatusServer::Connections::answer(const Shared& connection, Workers& threads) {
  connection->leave_waiting();
  threads.post([this, held = connection]() mutable {
    StatusReply reply;
    try {
      reply = routes_.answer(held->request());
    } catch (const std::exception&) {
      reply = {.status = 500, .body = "The watcher made a mistake.\n"};
    }
    // With the connection, which must not end on this thread.
    asio::post(io_, [held = std::move(held), reply = std::move(reply)]() mutable {
      held->send(std::move(reply));
    });
  });
}

void StatusServer::Connections::reply_sent(Connection& connection) {
  if (!std::exchange(connection.is_counted, false)) return;
  --replies_;
  begin_answers();
}

StatusAddress parse_status_address(std::string_view text) {
  StatusAddress parsed;
  std::string_view port = text;
  if (const size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    std::string_view address = text.substr(0, colon);
    const bool brackets = address.starts_with('[') && address.ends_with(']');
    if (brackets) address = address.substr(1, address.size() - 2);
    parsed.address = address == "localhost" && !brackets ? "127.0.0.1" : std::string(address);
    port = text.substr(colon + 1);
    if (!is_address(brackets ? AF_INET6 : AF_INET, parsed.address)) port = "";
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), parsed.port);
  if (error != std::errc{} || end != port.data() + port.size()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("\"{}\" is not an address for the status page; expected a port, as 9180, "
                    "or an address in numbers and a port, as 127.0.0.1:9180 or [::1]:9180",
                    text));
  }
  return parsed;
}

StatusServer::StatusServer(WatchControl& control,
                           const WatchMetrics& metrics,
                           StatusOptions options)
    : options_(std::move(options)),
      routes_(control,
              metrics,
              own_names(options_),
              options_.token,
              *options_.clock,
              options_.patience) {
  const auto& [address, port] = options_.listen;
  if (!is_address(AF_INET, address) && !is_address(AF_INET6, address)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("\"{}\" is not a numeric address for the status page", address));
  }
  const BlockedSignals blocked;
  try {
    connections_ = std::make_unique<Connections>(options_, routes_);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      throw Error(ErrorKind::kOutOfMemory,
                  "there is no thread for the status page",
                  "raise the limit of processes (ulimit -u, TasksMax of systemd)");
    }
    throw cannot_serve(address, port, error.code().message());
  } catch (const boost::system::system_error& error) {
    throw cannot_serve(address, port, std::generic_category().message(error.code().value()));
  }
}

StatusServer::~StatusServer() = default;

uint16_t StatusServer::port() const {
  return connections_->port();
}

std::string StatusServer::url() const {
  return fmt::format("http://{}:{}/", bracketed(options_.listen.address), port());
}

}  // namespace mezzo::watch
