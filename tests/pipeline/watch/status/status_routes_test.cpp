#include "pipeline/watch/status/status_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/pipeline/watch/status/fake_control.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::status_routes_test {
namespace {

using test::FakeControl;
using ::testing::HasSubstr;
using ::testing::Not;

/// A view is shown for less than that.
constexpr std::chrono::milliseconds kFresh{210};

class StatusRoutesTest : public ::testing::Test {
 public:
  watch::StatusReply ask(const std::string& method,
                         const std::string& path,
                         std::string body = "") {
    watch::StatusRequest request{.method = method,
                                 .path = path,
                                 .remote = remote,
                                 .headers = {{"Host", "localhost:9180"}},
                                 .body = std::move(body)};
    for (const auto& header : more) request.headers.push_back(header);
    return routes.answer(request);
  }
  watch::StatusReply get(const std::string& path) { return ask("GET", path); }

  /// A view with one finished job, whose report is at `report`.
  watch::WatchView finished(const std::string& report) const {
    watch::WatchView view;
    watch::JobView job;
    job.id = "j1";
    job.folder = folder.path();
    job.state = watch::JobState::kDone;
    job.report = report;
    view.finished.push_back(job);
    return view;
  }
  watch::StatusReply report_at(const std::string& path) {
    control.set_view(finished(path));
    clock.advance(kFresh);
    return get("/reports/j1");
  }
  std::string write(const std::string& name, const std::string& text) const {
    folder.write(name, text);
    return folder / name;
  }

  std::string remote = "127.0.0.1";
  std::vector<std::pair<std::string, std::string>> more;
  test::TempFolder folder;
  FakeControl control;
  watch::WatchMetrics metrics;
  FakeClock clock;
  watch::StatusRoutes routes{control, metrics, {}, "secret", clock, std::chrono::seconds(0)};
};

TEST_F(StatusRoutesTest, page_is_whole) {
  const watch::StatusReply page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.policy, HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(page.policy, Not(HasSubstr("unsafe")));
  for (const char* path : {"/page.css", "/page.js", "/parts.js", "/icon.svg"}) {
    EXPECT_EQ(get(path).status, 200) << path;
    EXPECT_FALSE(get(path).body.empty()) << path;
  }
  EXPECT_EQ(ask("HEAD", "/").status, 200);
  EXPECT_EQ(ask("HEAD", "/").body, "");
}

TEST_F(StatusRoutesTest, nothing_is_anywhere_else) {
  for (const char* path : {"",
                           "/index.html",
                           "//",
                           "/view.json/",
                           "/reports",
                           "/reports/",
                           "/reports/j1",
                           "/reports/../../etc/passwd",
                           "/thumbnails/j1",
                           "/thumbnails/",
                           "/etc/passwd",
                           "/Metrics"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST_F(StatusRoutesTest, getting_changes_nothing) {
  const std::string ask_pause = R"({"verb":"pause"})";
  for (const char* path : {"/", "/view.json", "/metrics", "/healthz", "/readyz"}) {
    ask("GET", path, ask_pause);
    EXPECT_EQ(ask("POST", path, ask_pause).status, 405) << path;
  }
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "post", "PATCH"}) {
    more = {{"X-Mezzotint-Token", "secret"}, {"Content-Type", "application/json"}};
    const watch::StatusReply reply = ask(method, "/request", ask_pause);
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.allow, "POST");
  }
  EXPECT_TRUE(control.requests().empty());
}

TEST_F(StatusRoutesTest, requests_go_to_the_watcher) {
  more = {{"X-Mezzotint-Token", "secret"}, {"Content-Type", "application/json"}};
  const watch::StatusReply reply = ask("POST", "/request", R"({"verb":"retry","job":"j1"})");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, R"({"ok":true})");
  EXPECT_THAT(control.requests(), ::testing::ElementsAre(R"({"verb":"retry","job":"j1"})"));

  EXPECT_EQ(ask("POST", "/request", std::string(5000, ' ')).status, 413);
  more[0].second = "guess";
  EXPECT_EQ(ask("POST", "/request", R"({"verb":"pause"})").status, 403);
  EXPECT_EQ(control.requests().size(), 1U);
}

TEST_F(StatusRoutesTest, only_those_with_the_token_act) {
  const auto actions = [&] {
    return nlohmann::json::parse(get("/view.json").body).at("actions").get<bool>();
  };
  EXPECT_EQ(get("/token").status, 404) << "nobody is told";
  EXPECT_FALSE(actions());
  more = {{"Content-Type", "application/json"}};
  EXPECT_EQ(ask("POST", "/request", R"({"verb":"pause"})").status, 403);
  more = {{"X-Mezzotint-Token", "secret"}, {"Content-Type", "application/json"}};
  EXPECT_TRUE(actions());
  EXPECT_EQ(ask("POST", "/request", R"({"verb":"pause"})").status, 200);
  control.forget();
  remote = "192.168.1.7";
  EXPECT_FALSE(actions()) << "another machine";
  EXPECT_EQ(ask("POST", "/request", R"({"verb":"pause"})").status, 403);
  EXPECT_TRUE(control.requests().empty());
}

TEST_F(StatusRoutesTest, many_readers_ask_the_watcher_seldom) {
  for (size_t spans = 1; spans <= 3; ++spans) {
    for (int i = 0; i < 1000; ++i) get("/view.json");
    EXPECT_EQ(control.views(), spans);
    clock.advance(kFresh);
  }
}

// Of hundreds of jobs it takes milliseconds of a processor, which a crowd would take from jobs.
TEST_F(StatusRoutesTest, many_readers_share_one_text) {
  watch::WatchView view = finished("");
  view.finished.resize(500, view.finished.front());
  control.set_view(view);
  std::set<std::string> texts;
  for (int i = 0; i < 100; ++i) {
    texts.insert(get("/view.json").body);
    clock.advance(std::chrono::milliseconds(2));  // each text has the time at which it was made
  }
  EXPECT_EQ(texts.size(), 1U);
}

TEST_F(StatusRoutesTest, a_request_is_seen_at_once) {
  get("/view.json");
  const size_t before = control.views();
  more = {{"X-Mezzotint-Token", "secret"}, {"Content-Type", "application/json"}};
  ask("POST", "/request", R"({"verb":"pause"})");
  get("/view.json");
  EXPECT_EQ(control.views(), before + 1);
}

TEST_F(StatusRoutesTest, reports_are_plain_files_below_the_folder) {
  const std::string good = write("reports/j1/report.html", "<p>report</p>");
  const watch::StatusReply reply = report_at(good);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "<p>report</p>");
  EXPECT_TRUE(reply.policy.starts_with("sandbox; default-src 'none';")) << reply.policy;
  EXPECT_EQ(report_at("").status, 404);
  EXPECT_EQ(report_at(folder / "reports").status, 404);
  EXPECT_EQ(report_at(folder / "missing.html").status, 404);

  std::filesystem::create_symlink(good, folder / "link.html");
  EXPECT_EQ(report_at(folder / "link.html").status, 404) << "a link";
  std::filesystem::create_directory_symlink(folder / "reports", folder / "to_reports");
  EXPECT_EQ(report_at(folder / "to_reports/j1/report.html").status, 404) << "a link on the way";
  const std::string own_name = std::filesystem::path(folder.path()).filename();
  EXPECT_EQ(report_at(folder / ("../" + own_name + "/reports/j1/report.html")).status, 404)
      << "out and in again";
  EXPECT_EQ(report_at("/etc/passwd").status, 404) << "elsewhere";
  ASSERT_EQ(mkfifo((folder / "fifo.html").c_str(), 0600), 0);
  EXPECT_EQ(report_at(folder / "fifo.html").status, 404) << "does not wait for a writer either";
  std::filesystem::create_hard_link(good, folder / "second.html");
  EXPECT_EQ(report_at(folder / "second.html").status, 404) << "a second name";
  std::filesystem::remove(folder / "second.html");
  EXPECT_EQ(report_at(good).status, 200);
  const std::string large = write("large.html", "");
  std::filesystem::resize_file(large, (32U << 20) + 1);
  EXPECT_EQ(report_at(large).status, 404) << "too large";
}

TEST_F(StatusRoutesTest, two_reports_are_read_at_once_and_no_more) {
  control.set_view(finished(write("report.html", "report")));
  const watch::StatusReply first = get("/reports/j1");
  watch::StatusReply second = get("/reports/j1");
  EXPECT_EQ(get("/reports/j1").status, 503);
  second = {};
  EXPECT_EQ(get("/reports/j1").status, 200);
}

TEST_F(StatusRoutesTest, thumbnails_are_pictures_beside_reports) {
  const std::string jpeg = "\xff\xd8\xff\xe0rest";
  control.set_view(finished(write("reports/j1/report.html", "report")));
  write("reports/j1/thumbnail.jpg", jpeg);
  const watch::StatusReply picture = get("/thumbnails/j1");
  EXPECT_EQ(picture.type, "image/jpeg");
  EXPECT_EQ(picture.body, jpeg);
  write("reports/j1/thumbnail.jpg", "\x89PNG\r\n\x1a\nrest");
  EXPECT_EQ(get("/thumbnails/j1").type, "image/svg+xml") << "no JPEG file";
  write("reports/j1/thumbnail.jpg", jpeg + std::string(1 << 17, 'A'));
  EXPECT_EQ(get("/thumbnails/j1").type, "image/svg+xml") << "too large";
  std::filesystem::remove(folder / "reports/j1/thumbnail.jpg");
  std::filesystem::create_symlink(write("elsewhere.jpg", jpeg),
                                  folder / "reports/j1/thumbnail.jpg");
  EXPECT_EQ(get("/thumbnails/j1").type, "image/svg+xml") << "a link";

  watch::WatchView other = finished(write("plain.html", "no picture"));
  other.finished[0].id = "j2";
  control.set_view(other);
  clock.advance(kFresh);
  EXPECT_EQ(get("/thumbnails/j2").type, "image/svg+xml");
  EXPECT_EQ(get("/thumbnails/j1").status, 404) << "no longer in the view";
}

TEST_F(StatusRoutesTest, health_is_that_of_the_loop) {
  watch::WatchView view;
  control.set_view(view);
  EXPECT_EQ(get("/healthz").status, 200) << "nobody keeps the time";
  EXPECT_EQ(get("/readyz").status, 503);
  view.ready = true;
  control.set_view(view, clock.now().steady - std::chrono::seconds(59));
  clock.advance(kFresh);
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/readyz").status, 200);
  view.stopping = true;
  control.set_view(view, clock.now().steady - std::chrono::seconds(61));
  clock.advance(kFresh);
  EXPECT_EQ(get("/healthz").status, 503);
  EXPECT_EQ(get("/readyz").status, 503);
}

TEST_F(StatusRoutesTest, a_watcher_that_hangs_is_said_to) {
  control.block(true);
  std::jthread stuck([this] { get("/view.json"); });
  control.await_views(1);
  EXPECT_EQ(get("/healthz").status, 200) << "it may hang for a moment";
  control.set_view({}, clock.now().steady - std::chrono::seconds(61));
  EXPECT_EQ(get("/healthz").status, 503);
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_EQ(get("/").status, 200) << "the page itself is there";
  control.block(false);
}

}  // namespace
}  // namespace mezzo::test::status_routes_test
