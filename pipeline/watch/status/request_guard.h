// Decides by the sender which requests the status page answers. The danger are browsers: any web
// page may make a browser on this machine send requests here.
//
// A name that was pointed at this machine (DNS rebinding) is known by the Host header, a foreign
// page by Origin and Sec-Fetch-Site. A change needs the token (page_token.h), as any user of this
// machine may send requests, and is taken from this machine alone, on any address that the server
// listens on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mezzo::watch {

/// A request, as received.
struct StatusRequest {
  std::string method{};
  std::string path{};    ///< as sent, without the query
  std::string remote{};  ///< the other end's address
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
};

/// The only header of that name, in any case; nothing when there is none or several.
std::optional<std::string_view> only_header(const StatusRequest& request, std::string_view name);

struct Refusal {
  int status = 0;
  std::string message;  ///< one line for people
};

/// Whether Host, with or without a port, is an address in numbers, localhost or one of `names`.
/// An address cannot be rebound, so any will do.
bool is_own_host(std::string_view host, const std::vector<std::string>& names);

/// An address in numbers; `family`: AF_INET, AF_INET6.
bool is_address(int family, const std::string& text);

/// "127.*", "::1", and the former mapped to IPv6.
bool is_this_machine(std::string_view address);

/// Why `request` may not read; nothing when it may. Other sites may link here, but not embed.
std::optional<Refusal> refuse_read(const StatusRequest& request,
                                   const std::vector<std::string>& names);

/// Whether X-Mezzotint-Token is the token.
bool has_token(const StatusRequest& request, std::string_view token);

/// Why `request`, which may read, may not change anything; nothing when it may.
std::optional<Refusal> refuse_change(const StatusRequest& request, std::string_view token);

}  // namespace mezzo::watch
