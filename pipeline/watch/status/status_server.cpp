#include "pipeline/watch/status/status_server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/status/status_routes.h"

namespace mezzo::watch {
namespace {

constexpr const char* kThreads = "8";
constexpr const char* kQueue = "32";             // connections that wait for a thread
constexpr const char* kLargestHeader = "16384";  // bytes, with the request line

/// The address as URLs have it.
std::string bracketed(const std::string& address) {
  return is_address(AF_INET6, address) ? fmt::format("[{}]", address) : address;
}

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

/// Sends piece by piece, so that one who takes them slowly is left at last.
void send(mg_connection* connection, std::string_view text, std::chrono::milliseconds timeout) {
  constexpr size_t kPiece = 16384;
  const auto deadline = SteadyClock::now() + timeout;
  while (!text.empty() && SteadyClock::now() < deadline) {
    const size_t size = std::min(kPiece, text.size());
    if (mg_write(connection, text.data(), size) != static_cast<int>(size)) return;
    text.remove_prefix(size);
  }
}

void send_reply(mg_connection* connection,
                const StatusReply& reply,
                std::chrono::milliseconds timeout) {
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
      mg_get_response_code_text(connection, reply.status),
      reply.type,
      reply.body.size(),
      reply.policy);
  if (!reply.allow.empty()) head += fmt::format("Allow: {}\r\n", reply.allow);
  // One write where the body is short: one packet.
  const bool together = reply.body.size() <= 4096;
  head += "\r\n";
  if (together) head += reply.body;
  send(connection, head, timeout);
  if (!together) send(connection, reply.body, timeout);
}

/// The body of a POST, of the length that it names; nothing when it does not arrive in time.
std::optional<std::string> read_body(mg_connection* connection,
                                     size_t length,
                                     std::chrono::milliseconds timeout) {
  // A byte at a time, because a longer read starts the clock anew with each that drips in.
  const auto deadline = SteadyClock::now() + timeout;
  std::string body;
  for (char byte = 0; body.size() < length; body += byte) {
    if (SteadyClock::now() >= deadline || mg_read(connection, &byte, 1) != 1) return {};
  }
  return body;
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

}  // namespace

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

StatusReply StatusServer::answer(mg_connection* connection) {
  const mg_request_info& info = *mg_get_request_info(connection);
  constexpr const char* kUnreadable = "This request cannot be read.\n";
  if (info.request_method == nullptr || info.local_uri == nullptr) {
    return {.status = 400, .body = kUnreadable};
  }
  // More than that are dropped unseen.
  if (info.num_headers >= MG_MAX_HEADERS) return {.status = 431, .body = kUnreadable};
  StatusRequest request{
      .method = info.request_method, .path = info.local_uri, .remote = info.remote_addr};
  for (int i = 0; i < info.num_headers; ++i) {
    request.headers.emplace_back(info.http_headers[i].name, info.http_headers[i].value);
  }
  if (request.method == "POST") {
    if (info.content_length < 0) {
      return {.status = 411, .body = "The request must name its length.\n"};
    }
    if (info.content_length > static_cast<long long>(StatusRoutes::kLargestBody)) {
      return {.status = 413, .body = "The request is too long.\n"};
    }
    auto body =
        read_body(connection, static_cast<size_t>(info.content_length), options_.client_timeout);
    if (!body) return {.status = 408, .body = "The request did not arrive in time.\n"};
    request.body = std::move(*body);
  }
  return routes_.answer(request);
}

int StatusServer::serve_request(mg_connection* connection) {
  auto& server = *static_cast<StatusServer*>(mg_get_request_info(connection)->user_data);
  // Else civetweb reads the rest of the request, however slowly it comes, without end.
  mg_disable_connection_keep_alive(connection);
  StatusReply reply;
  try {
    reply = server.answer(connection);
  } catch (const std::exception&) {
    reply = {.status = 500, .body = "The watcher made a mistake.\n"};
  }
  send_reply(connection, reply, server.options_.reply_timeout);
  return reply.status;
}

int StatusServer::serve_error(mg_connection* connection, int status, const char*) {
  const StatusReply reply{.status = status, .body = "This request cannot be answered.\n"};
  const auto& server = *static_cast<StatusServer*>(mg_get_user_data(mg_get_context(connection)));
  send_reply(connection, reply, server.options_.client_timeout);
  return 0;
}

void StatusServer::start() {
  const std::string listen =
      fmt::format("{}:{}", bracketed(options_.listen.address), options_.listen.port);
  const std::string timeout = std::to_string(options_.client_timeout.count());
  mg_callbacks callbacks{};
  callbacks.begin_request = serve_request;
  callbacks.http_error = serve_error;
  callbacks.log_message = [](const mg_connection*, const char*) { return 1; };
  callbacks.log_access = [](const mg_connection*, const char*) { return 1; };
  const std::pair<const char*, const char*> pairs[] = {
      {"listening_ports", listen.c_str()},
      {"num_threads", kThreads},
      {"connection_queue", kQueue},
      {"max_request_size", kLargestHeader},
      {"request_timeout_ms", timeout.c_str()},
      {"enable_keep_alive", "no"},
      {"tcp_nodelay", "1"},
      {"decode_url", "no"},  // no path of ours needs it
      {"access_control_allow_origin", ""},
      {"access_control_allow_methods", ""},
      {"access_control_allow_headers", ""},
  };
  std::vector<const char*> settings;
  for (const auto& [name, value] : pairs) settings.insert(settings.end(), {name, value});
  settings.push_back(nullptr);
  std::array<char, 256> why{};
  mg_error_data error{};
  error.text = why.data();
  error.text_buffer_size = why.size();
  mg_init_data init{};
  init.callbacks = &callbacks;
  init.user_data = this;
  init.configuration_options = settings.data();
  mg_init_library(MG_FEATURES_DEFAULT);
  {
    const BlockedSignals blocked;
    context_ = mg_start2(&init, &error);
  }
  mg_server_port bound{};
  if (context_ == nullptr || mg_get_server_ports(context_, 1, &bound) != 1) {
    if (context_ != nullptr) mg_stop(context_);
    mg_exit_library();
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("cannot serve the status page at {}: {}; is another program there?",
                            listen,
                            why[0] == '\0' ? "the address is refused" : why.data()));
  }
  port_ = static_cast<uint16_t>(bound.port);
}

StatusServer::StatusServer(WatchControl& control,
                           const WatchMetrics& metrics,
                           StatusOptions options)
    : options_(std::move(options)), routes_(control, metrics, own_names(options_)) {
  const std::string& address = options_.listen.address;
  if (!is_address(AF_INET, address) && !is_address(AF_INET6, address)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("\"{}\" is not a numeric address for the status page", address));
  }
  start();
}

StatusServer::~StatusServer() {
  mg_stop(context_);
  mg_exit_library();
}

std::string StatusServer::url() const {
  return fmt::format("http://{}:{}/", bracketed(options_.listen.address), port_);
}

}  // namespace mezzo::watch
