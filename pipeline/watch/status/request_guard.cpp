#include "pipeline/watch/status/request_guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mezzo::watch {
namespace {

constexpr std::string_view kJson = "application/json";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_text(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether `name` occurs; several count too, so that none hides behind another.
bool has_header(const StatusRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers,
                             [&](const auto& header) { return same_text(header.first, name); });
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Takes as long for a wrong guess as for one that is nearly right.
bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i])) ^
                  static_cast<unsigned>(static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

}  // namespace

bool is_address(int family, const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(family, text.c_str(), bytes.data()) == 1;
}

std::optional<std::string_view> only_header(const StatusRequest& request, std::string_view name) {
  std::optional<std::string_view> found;
  for (const auto& [key, value] : request.headers) {
    if (!same_text(key, name)) continue;
    if (found) return {};
    found = value;
  }
  return found;
}

bool is_own_host(std::string_view host, const std::vector<std::string>& names) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    if (end == std::string_view::npos ||
        !is_address(AF_INET6, std::string(host.substr(1, end - 1)))) {
      return false;
    }
    const std::string_view rest = host.substr(end + 1);
    return rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)));
  }
  const size_t colon = host.find(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon + 1))) return false;
  const std::string_view name = host.substr(0, colon);
  return is_address(AF_INET, std::string(name)) || same_text(name, "localhost") ||
         std::ranges::any_of(names, [&](const std::string& own) { return same_text(name, own); });
}

bool is_this_machine(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";
  if (address == "::1") return true;
  if (address.starts_with(kMapped)) address.remove_prefix(kMapped.size());
  return address.starts_with("127.") && is_address(AF_INET, std::string(address));
}

std::optional<Refusal> refuse_read(const StatusRequest& request,
                                   const std::vector<std::string>& names) {
  const auto host = only_header(request, "Host");
  if (!host) return Refusal{400, "The request must name its host, once."};
  if (!is_own_host(*host, names)) {
    return Refusal{421, "This server is not known under that name; use its address."};
  }
  if (!has_header(request, "Sec-Fetch-Site")) return {};
  const auto site = only_header(request, "Sec-Fetch-Site");
  const bool own = site == "same-origin" || site == "none";
  const bool followed_link = only_header(request, "Sec-Fetch-Mode") == "navigate" &&
                             only_header(request, "Sec-Fetch-Dest") == "document";
  if (!own && !followed_link) return Refusal{403, "Other sites may not read this."};
  return {};
}

bool has_token(const StatusRequest& request, std::string_view token) {
  return equal_secrets(only_header(request, "X-Mezzotint-Token").value_or(""), token);
}

std::optional<Refusal> refuse_change(const StatusRequest& request, std::string_view token) {
  if (!is_this_machine(request.remote)) {
    return Refusal{403, "Requests are taken from the machine of the watcher alone."};
  }
  if (has_header(request, "Sec-Fetch-Site") &&
      only_header(request, "Sec-Fetch-Site") != "same-origin") {
    return Refusal{403, "Other sites may not send requests."};
  }
  if (has_header(request, "Origin")) {
    const auto origin = only_header(request, "Origin");
    const auto host = only_header(request, "Host");
    // https: behind a proxy of this machine.
    if (!origin || !host ||
        (*origin != fmt::format("http://{}", *host) &&
         *origin != fmt::format("https://{}", *host))) {
      return Refusal{403, "Other sites may not send requests."};
    }
  }
  if (!has_token(request, token)) {
    return Refusal{403,
                   "The token is missing or old; `mezzotint jobs page` prints the address of the "
                   "page with its buttons."};
  }
  const std::string_view type = only_header(request, "Content-Type").value_or("");
  if (type != kJson && !type.starts_with(fmt::format("{};", kJson))) {
    return Refusal{415, "A request must be of type application/json."};
  }
  return {};
}

}  // namespace mezzo::watch
