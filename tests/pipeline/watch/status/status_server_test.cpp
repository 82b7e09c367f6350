#include "pipeline/watch/status/status_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/pipeline/watch/status/fake_control.h"
#include "tests/pipeline/watch/status/raw_client.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::status_server_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::body_of;
using test::RawClient;
using test::status_of;
using test::talk;
using ::testing::HasSubstr;
using ::testing::Not;

struct Served {
  explicit Served(watch::StatusOptions options)
      : server(control, metrics, (options.clock = &clock, options)) {}
  FakeClock clock;
  test::FakeControl control;
  watch::WatchMetrics metrics;
  watch::StatusServer server;
};

/// A server that leaves its clients all the time of the test, and waits little for its watcher.
watch::StatusOptions patient() {
  watch::StatusOptions options;
  options.token = "secret";
  options.client_timeout = options.reply_timeout = std::chrono::hours(1);
  options.patience = milliseconds(300);
  return options;
}

std::string get_from(const watch::StatusServer& server,
                     const std::string& path,
                     const std::string& headers = "Host: localhost\r\n") {
  return talk(server.port(), "GET " + path + " HTTP/1.1\r\n" + headers + "\r\n");
}

class StatusServerTest : public ::testing::Test {
 public:
  static void SetUpTestSuite() { shared = std::make_unique<Served>(patient()); }
  static void TearDownTestSuite() { shared.reset(); }
  std::string get(const std::string& path, const std::string& headers = "Host: localhost\r\n") {
    return get_from(server, path, headers);
  }
  std::string post(const std::string& body, const std::string& headers) {
    return talk(server.port(),
                "POST /request HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
  }
  static std::string token_header() { return "X-Mezzotint-Token: secret\r\n"; }

  /// Every test begins without requests and ends with a server that answers.
  void SetUp() override { control.forget(); }
  void TearDown() override {
    control.block(false);
    EXPECT_EQ(body_of(get("/healthz")), "ok\n");
  }

  static inline std::unique_ptr<Served> shared;
  test::FakeControl& control = shared->control;
  watch::WatchMetrics& metrics = shared->metrics;
  watch::StatusServer& server = shared->server;
};

constexpr const char* kJson = "Content-Type: application/json\r\n";

TEST_F(StatusServerTest, replies_are_guarded) {
  for (const char* path : {"/", "/view.json", "/metrics", "/missing", "/thumbnails/x"}) {
    const std::string reply = get(path);
    for (const char* header : {"Content-Security-Policy: ",
                               "frame-ancestors 'none'",
                               "Cache-Control: no-store\r\n",
                               "X-Content-Type-Options: nosniff\r\n",
                               "X-Frame-Options: DENY\r\n",
                               "Referrer-Policy: no-referrer\r\n",
                               "Cross-Origin-Resource-Policy: same-origin\r\n"}) {
      EXPECT_THAT(reply, HasSubstr(header)) << path;
    }
    EXPECT_THAT(reply, Not(HasSubstr("Access-Control"))) << path;
  }
  EXPECT_THAT(get("/metrics"), HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(get("/view.json"), HasSubstr("Content-Type: application/json\r\n"));
}

TEST_F(StatusServerTest, names_of_others_are_refused) {
  EXPECT_EQ(status_of(get("/view.json", "Host: evil.example:80\r\n")), 421);
  EXPECT_EQ(status_of(get("/view.json", "")), 400);
  EXPECT_EQ(status_of(get("/view.json", "Host: localhost\r\nHost: evil.example\r\n")), 400);
  EXPECT_THAT(
      talk(server.port(), "GET http://evil.example/view.json HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      Not(HasSubstr("HTTP/1.1 200")));
}

TEST_F(StatusServerTest, requests_of_other_sites_are_refused) {
  const std::string pause = R"({"verb":"pause"})";
  const std::string token = token_header();
  EXPECT_EQ(status_of(post(pause, token + kJson + "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(status_of(post(pause, token + kJson + "Sec-Fetch-Site: cross-site\r\n")), 403);
  EXPECT_EQ(status_of(post(pause, kJson)), 403) << "no token";
  EXPECT_EQ(status_of(post(pause, token)), 415) << "what a form can send";
  EXPECT_EQ(status_of(get("/view.json", "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n")), 403);
  const std::string preflight =
      talk(server.port(),
           "OPTIONS /request HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
           "Access-Control-Request-Method: POST\r\n\r\n");
  EXPECT_EQ(status_of(preflight), 405);
  EXPECT_THAT(preflight, Not(HasSubstr("Access-Control")));
  EXPECT_TRUE(control.requests().empty());

  EXPECT_EQ(body_of(post(pause, token + kJson + "Origin: http://localhost\r\n")), R"({"ok":true})");
  EXPECT_EQ(control.requests().size(), 1U);
}

TEST_F(StatusServerTest, bodies_are_bounded) {
  const std::string token = token_header();
  const std::string start = "POST /request HTTP/1.1\r\nHost: localhost\r\n" + token + kJson;
  EXPECT_EQ(status_of(talk(server.port(), start + "Content-Length: 1000000000\r\n\r\n{}")), 413);
  EXPECT_EQ(status_of(talk(server.port(), start + "\r\n{}")), 411);
  EXPECT_GE(status_of(talk(server.port(),
                           start + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
                                   "0\r\n\r\n")),
            400);
  EXPECT_GE(status_of(talk(server.port(), start + "Content-Length: -1\r\n\r\n{}")), 400);
  EXPECT_TRUE(control.requests().empty());
}

TEST_F(StatusServerTest, nonsense_is_refused) {
  const std::string long_name(100'000, 'a');
  std::string many = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 500; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  for (const std::string& request : {
           std::string("\r\n\r\n"),
           std::string("nonsense\r\n\r\n"),
           std::string("GET\r\n\r\n"),
           std::string("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"),
           std::string("GET /\0/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 37),
           std::string(300, '\0') + "\r\n\r\n",
           "GET /" + long_name + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + long_name + "\r\n\r\n",
           many + "\r\n",
           std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),  // the start of TLS
       }) {
    const std::string reply = talk(server.port(), request);
    EXPECT_NE(status_of(reply), 200) << request.substr(0, 60);
  }
  EXPECT_EQ(status_of(get("/reports/%2e%2e%2f%2e%2e%2fetc%2fpasswd")), 404);
  EXPECT_EQ(status_of(get("/reports/../../../etc/passwd")), 404);
  EXPECT_EQ(status_of(get("/%00")), 404);
  EXPECT_TRUE(control.requests().empty());
}

TEST_F(StatusServerTest, websockets_are_refused) {
  const std::string reply =
      get("/",
          "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n");
  EXPECT_NE(status_of(reply), 101);
}

/// Too large for the buffers of a connection.
struct LargeReport {
  explicit LargeReport(test::FakeControl& control) {
    folder.write("report.html", std::string(bytes, 'x'));
    watch::WatchView view;
    watch::JobView job;
    job.id = "j1";
    job.folder = folder.path();
    job.report = folder / "report.html";
    view.finished.push_back(job);
    control.set_view(view);
  }
  /// Clients that have the beginning of it and read no more: as many as may have reports at one time.
  static std::vector<std::unique_ptr<RawClient>> taken_by_two(const watch::StatusServer& server) {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 2; ++i) {
      clients.push_back(std::make_unique<RawClient>(server.port()));
      clients.back()->send(std::string("GET ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for (const auto& client : clients) client->await_reply();
    return clients;
  }

  static constexpr size_t bytes = 30U << 20;
  static constexpr const char* path = "/reports/j1";
  test::TempFolder folder;
};

/// With a server that soon leaves its clients. On a busy machine that may be one that is not slow by itself.
class HastyServerTest : public ::testing::Test {
 protected:
  static watch::StatusOptions hasty() {
    watch::StatusOptions options = patient();
    options.client_timeout = milliseconds(500);
    options.reply_timeout = seconds(2);
    return options;
  }
  /// Sends `piece` again and again; whether the server closes meanwhile.
  bool is_left(const std::string& start, const std::string& piece) const {
    constexpr int kPieces = 12'000;  // ten minutes of them
    RawClient client(served.server.port());
    client.send(start);
    for (int i = 0; i < kPieces && !client.closed(); ++i) {
      client.send(piece);
      client.receive(milliseconds(50));
    }
    return client.closed();
  }

  Served served{hasty()};
};

TEST_F(HastyServerTest, leaves_slow_clients) {
  const std::string start =
      "POST /request HTTP/1.1\r\nHost: localhost\r\n" + StatusServerTest::token_header() + kJson;
  int status = 0;  // when it left the client before that sent its header
  while (status == 0) {
    status = status_of(talk(served.server.port(), start + "Content-Length: 10\r\n\r\n{}"));
  }
  EXPECT_EQ(status, 408) << "a body that is too short";
  EXPECT_TRUE(is_left("", "")) << "says nothing";
  EXPECT_TRUE(is_left("GET / HTTP/1.1\r\n", "a")) << "a header by drops";
  EXPECT_TRUE(is_left(start + "Content-Length: 4000\r\n\r\n", " ")) << "a body by drops";
  EXPECT_TRUE(is_left(
      "POST /request HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n", " "))
      << "a body that goes on after it was refused";
  EXPECT_TRUE(served.control.requests().empty());
}

TEST_F(HastyServerTest, leaves_clients_that_do_not_read) {
  const LargeReport report(served.control);
  const auto both = report.taken_by_two(served.server);
  // Both places for reports are taken until the two are left. Who reads slowly is left, too, and asks again.
  std::string reply;
  do {
    reply = get_from(served.server, report.path);
  } while (status_of(reply) != 200 || body_of(reply).size() < report.bytes);
  EXPECT_EQ(body_of(reply).size(), report.bytes);
}

/// With a server that waits for its clients: who is answered was not waiting for them.
class CrowdedServerTest : public ::testing::Test {
 protected:
  std::string get(const std::string& path) const { return get_from(server, path); }

  Served served{patient()};
  watch::StatusServer& server = served.server;
};

TEST_F(CrowdedServerTest, answers_beside_many_slow_clients) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 30; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port()));
    slow.back()->send("GET /view.json HTTP/1.1\r\nHost: loc");
  }
  EXPECT_EQ(status_of(get("/view.json")), 200);
}

TEST_F(CrowdedServerTest, answers_beside_clients_that_do_not_read) {
  const LargeReport report(served.control);
  const auto both = report.taken_by_two(server);
  EXPECT_EQ(status_of(get("/view.json")), 200);
}

TEST_F(CrowdedServerTest, answers_monitoring_under_a_flood) {
  std::vector<std::unique_ptr<RawClient>> idle, dripping, asking;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 80; ++i) idle.push_back(std::make_unique<RawClient>(server.port()));
    dripping.clear();
    asking.clear();
    for (int i = 0; i < 60; ++i) {
      dripping.push_back(std::make_unique<RawClient>(server.port()));
      dripping.back()->send("GET / HTTP/1.1\r\nX-A: ");
      asking.push_back(std::make_unique<RawClient>(server.port()));
      asking.back()->send("GET /view.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for (const char* path : {"/healthz", "/readyz", "/metrics"}) {
      EXPECT_THAT(status_of(get(path)), testing::AnyOf(200, 503)) << path;
    }
    for (const auto& client : dripping) client->send("X");
  }
}

TEST_F(StatusServerTest, a_watcher_that_hangs_takes_one_thread) {
  control.block(true);
  shared->clock.advance(milliseconds(250));  // the last view is too old by then
  const size_t views = control.views();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send("GET /view.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  control.await_views(views + 1);
  EXPECT_EQ(status_of(get("/readyz")), 503);
  EXPECT_EQ(status_of(get("/healthz")), 200);
  EXPECT_EQ(status_of(get("/page.css")), 200);
}

TEST_F(StatusServerTest, takes_no_signals) {
  // Blocked here, a signal to the process would go to a thread of the server, and end the process.
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &one, &before);
  kill(getpid(), SIGUSR2);
  EXPECT_EQ(status_of(get("/")), 200);
  const timespec none{};
  EXPECT_EQ(sigtimedwait(&one, nullptr, &none), SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(StatusServerTest, two_cannot_have_one_port) {
  watch::StatusOptions options;
  options.listen.port = server.port();
  try {
    const watch::StatusServer second(control, metrics, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotCreate);
    EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:" + std::to_string(server.port())));
  }
}

TEST_F(StatusServerTest, listens_where_it_is_told) {
  EXPECT_EQ(server.url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/");
  watch::StatusOptions options;
  options.listen.address = "not an address";
  EXPECT_THROW(watch::StatusServer(control, metrics, options), Error);
}

TEST_F(StatusServerTest, leaves_nothing_open) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  {
    const watch::StatusServer more(control, metrics, patient());
    EXPECT_EQ(status_of(talk(more.port(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")), 200);
  }
  // The shared server may still be closing connections of tests before: fewer is as good.
  EXPECT_LE(open_files(), before);
}

TEST(StatusAddress, is_a_port_or_an_address_and_a_port) {
  EXPECT_EQ(watch::parse_status_address("9180"), (watch::StatusAddress{"127.0.0.1", 9180}));
  EXPECT_EQ(watch::parse_status_address("localhost:1"), (watch::StatusAddress{"127.0.0.1", 1}));
  EXPECT_EQ(watch::parse_status_address("0.0.0.0:80"), (watch::StatusAddress{"0.0.0.0", 80}));
  EXPECT_EQ(watch::parse_status_address("[::1]:65535"), (watch::StatusAddress{"::1", 65535}));
  for (const char* text : {"",
                           ":",
                           "x",
                           "-1",
                           "+1",
                           "65536",
                           "9180 ",
                           " 9180",
                           "127.0.0.1",
                           "1:",
                           "press-7:80",
                           "::1:80",
                           "[127.0.0.1]:80",
                           "[::1]",
                           "[::1:80",
                           "80,81",
                           "127.0.0.1:80s",
                           "127.0.0.1:80,0.0.0.0:80",
                           "[localhost]:80"}) {
    EXPECT_THROW(watch::parse_status_address(text), Error) << text;
  }
}

}  // namespace
}  // namespace mezzo::test::status_server_test
