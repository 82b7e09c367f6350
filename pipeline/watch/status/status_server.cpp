#include "pipeline/watch/status/status_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/watch/status/status_routes.h"

namespace mezzo::watch {
namespace {

/// The address as URLs have it.
std::string bracketed(const std::string& address) {
  return is_address(AF_INET6, address) ? fmt::format("[{}]", address) : address;
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

/// Of monitoring, which must not wait behind browsers.
static bool is_urgent(const StatusRequest& request) {
  return request.path == "/healthz" || request.path == "/readyz" || request.path == "/metrics";
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
  try {
    listener_.emplace(HttpOptions{
        .address = address,
        .port = port,
        .largest_body = StatusRoutes::kLargestBody,
        .client_timeout = options_.client_timeout,
        .reply_timeout = options_.reply_timeout,
        .answer = [this](const StatusRequest& request) { return routes_.answer(request); },
        .is_urgent = is_urgent});
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      throw Error(ErrorKind::kOutOfMemory,
                  "there is no thread for the status page",
                  "raise the limit of processes (ulimit -u, TasksMax of systemd)");
    }
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("cannot serve the status page at {}:{}: {}; is another program there?",
                            bracketed(address),
                            port,
                            error.code().message()));
  }
}

std::string StatusServer::url() const {
  return fmt::format("http://{}:{}/", bracketed(options_.listen.address), port());
}

}  // namespace mezzo::watch
