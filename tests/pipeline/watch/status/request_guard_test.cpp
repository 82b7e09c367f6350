#include "pipeline/watch/status/request_guard.h"

#include <gtest/gtest.h>

namespace mezzo::test::request_guard_test {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

watch::StatusRequest get(Headers headers) {
  return {.method = "GET",
          .path = "/",
          .remote = "127.0.0.1",
          .headers = std::move(headers),
          .body = ""};
}

watch::StatusRequest post(Headers headers) {
  watch::StatusRequest request = get(std::move(headers));
  request.method = "POST";
  return request;
}

int status(const std::optional<watch::Refusal>& refusal) {
  return refusal ? refusal->status : 200;
}

TEST(RequestGuard, knows_own_hosts) {
  const std::vector<std::string> names = {"press-7"};
  for (const char* host : {"127.0.0.1",
                           "127.0.0.1:9180",
                           "localhost",
                           "LocalHost:1",
                           "[::1]",
                           "[::1]:9180",
                           "192.168.1.7:9180",
                           "[fd00::2]:80",
                           "press-7",
                           "PRESS-7:9180"}) {
    EXPECT_TRUE(watch::is_own_host(host, names)) << host;
  }
  for (const char* host : {"",
                           "evil.example",
                           "evil.example:9180",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           "press-70",
                           "press",
                           "127.1",
                           "0x7f.0.0.1",
                           "2130706433",
                           "[::1",
                           "::1",
                           "[evil]",
                           "[]",
                           "[::1]x",
                           "[::1]:",
                           "localhost:",
                           "localhost:x",
                           "localhost:9180:1",
                           "localhost:123456",
                           "a@localhost",
                           "localhost/",
                           " localhost"}) {
    EXPECT_FALSE(watch::is_own_host(host, names)) << host;
  }
}

TEST(RequestGuard, knows_this_machine) {
  for (const char* address : {"127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(watch::is_this_machine(address)) << address;
  }
  for (const char* address :
       {"", "192.168.1.7", "::ffff:192.168.1.7", "fd00::2", "1270.0.0.1", "127.evil", "::2"}) {
    EXPECT_FALSE(watch::is_this_machine(address)) << address;
  }
}

TEST(RequestGuard, reading_takes_one_host_of_our_own) {
  EXPECT_EQ(status(watch::refuse_read(get({{"host", "localhost:1"}}), {})), 200);
  EXPECT_EQ(status(watch::refuse_read(get({}), {})), 400);
  EXPECT_EQ(status(watch::refuse_read(get({{"Host", "localhost"}, {"HOST", "localhost"}}), {})),
            400);
  EXPECT_EQ(status(watch::refuse_read(get({{"Host", "evil.example"}}), {})), 421);
}

TEST(RequestGuard, other_sites_may_link_but_not_embed) {
  const auto from = [](Headers more) {
    more.emplace_back("Host", "localhost");
    return status(watch::refuse_read(get(std::move(more)), {}));
  };
  EXPECT_EQ(from({{"Sec-Fetch-Site", "same-origin"}}), 200);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "none"}}), 200);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "same-site"}}), 403);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "none"}}), 403);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "cross-site"},
                  {"Sec-Fetch-Mode", "navigate"},
                  {"Sec-Fetch-Dest", "document"}}),
            200);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "cross-site"},
                  {"Sec-Fetch-Mode", "navigate"},
                  {"Sec-Fetch-Dest", "iframe"}}),
            403);
  EXPECT_EQ(from({{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}}), 403);
}

/// A POST as our page sends it, with one header replaced; without it when the value is empty.
watch::StatusRequest changed(const std::string& name, const std::string& value) {
  Headers headers = {{"Host", "127.0.0.1:9180"},
                     {"Origin", "http://127.0.0.1:9180"},
                     {"Sec-Fetch-Site", "same-origin"},
                     {"X-Mezzotint-Token", "secret"},
                     {"Content-Type", "application/json"}};
  std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  if (!value.empty()) headers.emplace_back(name, value);
  return post(std::move(headers));
}

int change(const std::string& name, const std::string& value) {
  return status(watch::refuse_change(changed(name, value), "secret"));
}

TEST(RequestGuard, changes_need_everything_to_be_right) {
  EXPECT_EQ(change("Accept", "*/*"), 200);
  EXPECT_EQ(change("Origin", ""), 200) << "no browser";
  EXPECT_EQ(change("Sec-Fetch-Site", ""), 200) << "no browser, or an old one";
  EXPECT_EQ(change("Origin", "https://127.0.0.1:9180"), 200) << "through a proxy";
  EXPECT_EQ(change("Content-Type", "application/json; charset=utf-8"), 200);

  EXPECT_EQ(change("Origin", "http://evil.example"), 403);
  EXPECT_EQ(change("Origin", "http://127.0.0.1:3000"), 403);
  EXPECT_EQ(change("Origin", "http://localhost:9180"), 403);
  EXPECT_EQ(change("Origin", "null"), 403);
  for (const char* site : {"cross-site", "same-site", "none", "same-origin, cross-site"}) {
    EXPECT_EQ(change("Sec-Fetch-Site", site), 403) << site;
  }
  for (const char* token : {"", "secre", "secrets", "Secret", "secret "}) {
    EXPECT_EQ(change("X-Mezzotint-Token", token), 403) << token;
  }
  for (const char* type : {"",
                           "text/plain",
                           "application/jsonp",
                           "multipart/form-data",
                           "application/x-www-form-urlencoded"}) {
    EXPECT_EQ(change("Content-Type", type), 415) << type;
  }
  watch::StatusRequest request = changed("Accept", "*/*");
  request.remote = "192.168.1.7";
  EXPECT_EQ(status(watch::refuse_change(request, "secret")), 403);
  request = changed("Accept", "*/*");
  request.headers.emplace_back("Origin", "http://evil.example");
  EXPECT_EQ(status(watch::refuse_change(request, "secret")), 403) << "two origins";
}

}  // namespace
}  // namespace mezzo::test::request_guard_test
