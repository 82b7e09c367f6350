#include "pipeline/watch/view/view_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/version.h"

namespace mezzo::test::view_json_test {
namespace {

using nlohmann::json;

TEST(ViewJson, says_what_a_view_says) {
  watch::WatchView view;
  view.started = WallTime(std::chrono::milliseconds(1500));
  view.ready = true;
  view.jobs_done = 7;
  view.jobs_failed = 2;
  view.folders.push_back({.path = "/hot",
                          .paused = true,
                          .trouble = "gone",
                          .arriving = 1,
                          .waiting = 2,
                          .running = 3});
  watch::JobView job;
  job.id = "a-1";
  job.folder = "/hot";
  job.name = "cover";
  job.state = watch::JobState::kRetrying;
  job.tries = 2;
  job.message = "killed";
  job.since = WallTime(std::chrono::milliseconds(2500));
  job.seconds = 1.5;
  job.pixels = 10'000'000'000;
  job.pixels_done = 5;
  job.plates.push_back({.ink = "cyan", .path = "/hot/plates/c.tif", .coverage_percent = 12.5});
  job.report = "/hot/reports/a-1/report.html";
  job.bytes = 99;
  job.sheets = 1;
  job.advice = "Drop it again.";
  job.files = {"/hot/failed/a.tif"};
  job.can_retry = false;
  view.running.push_back(job);
  view.stuck.push_back({.folder = "/hot",
                        .name = "milk",
                        .message = "waits for magenta",
                        .missing = {"magenta"},
                        .since = WallTime(std::chrono::milliseconds(1)),
                        .until = WallTime(std::chrono::milliseconds(2))});
  view.not_taken.push_back({.folder = "/hot", .name = "a.pdf", .message = "it is a PDF"});
  view.disks.push_back(
      {.path = "/mnt", .free_bytes = 1, .total_bytes = 2, .missing_bytes = 3, .folder = "/hot"});
  view.sheets_an_hour = 12;
  view.seconds_left = 1.5;

  const json expected = {
      {"id", "a-1"},
      {"folder", "/hot"},
      {"name", "cover"},
      {"state", "retrying"},
      {"tries", 2},
      {"message", "killed"},
      {"since", 2500},
      {"seconds", 1.5},
      {"pixels", 10'000'000'000},
      {"pixels_done", 5},
      {"report", view.running[0].report},
      {"plates",
       json::array({{{"ink", "cyan"}, {"path", "/hot/plates/c.tif"}, {"coverage_percent", 12.5}}})},
      {"bytes", 99},
      {"sheets", 1},
      {"advice", "Drop it again."},
      {"files", json::array({"/hot/failed/a.tif"})},
      {"can_retry", false}};
  const json shown =
      json::parse(watch::view_json(view, WallTime(std::chrono::milliseconds(9)), true));
  EXPECT_EQ(shown.at("v"), 1);
  EXPECT_EQ(shown.at("now"), 9);
  EXPECT_EQ(shown.at("started"), 1500);
  EXPECT_EQ(shown.at("actions"), true);
  EXPECT_EQ(shown.at("ready"), true);
  EXPECT_EQ(shown.at("jobs_done"), 7);
  EXPECT_EQ(shown.at("jobs_failed"), 2);
  EXPECT_EQ(shown.at("running"), json::array({expected}));
  EXPECT_EQ(shown.at("folders"),
            json::array({{{"path", "/hot"},
                          {"paused", true},
                          {"trouble", "gone"},
                          {"arriving", 1},
                          {"waiting", 2},
                          {"running", 3},
                          {"up", false},
                          {"oldest", 0},
                          {"stuck", 0},
                          {"not_taken", 0}}}));
  EXPECT_EQ(shown.at("stuck"),
            json::array({{{"folder", "/hot"},
                          {"name", "milk"},
                          {"message", "waits for magenta"},
                          {"missing", json::array({"magenta"})},
                          {"since", 1},
                          {"until", 2}}}));
  EXPECT_EQ(shown.at("not_taken")[0].at("until"), 0);
  EXPECT_EQ(shown.at("disks"),
            json::array({{{"path", "/mnt"},
                          {"free_bytes", 1},
                          {"total_bytes", 2},
                          {"missing_bytes", 3},
                          {"folder", "/hot"}}}));
  EXPECT_EQ(shown.at("sheets_an_hour"), 12);
  EXPECT_EQ(shown.at("seconds_left"), 1.5);
}

TEST(ViewJson, is_these_bytes) {
  watch::WatchView view;
  view.started = WallTime(std::chrono::microseconds(1'790'000'000'123'999));
  view.stopping = true;
  view.jobs_failed = UINT64_MAX;
  view.folders = {{.path = "/hot\xFF", .paused = true, .up = true, .trouble = "a\nb"}, {}};
  watch::JobView job{.id = "\x01",
                     .folder = "/hot",
                     .name = "\"\\/",
                     .state = watch::JobState::kCancelled,
                     .tries = 3,
                     .message = "\u00e4",
                     .since = WallTime(std::chrono::milliseconds(1)),
                     .seconds = 1.0 / 3,
                     .pixels = 7,
                     .pixels_done = 6,
                     .plates = {{"k", "/k.tif", 1e-9}, {}},
                     .report = "/r"};
  view.running = {job};
  view.waiting = {{}};
  view.finished = {{}, job};
  std::string text = watch::view_json(view, WallTime(std::chrono::milliseconds(9)), true);
  const std::string version = std::string("\"version\":\"") + kVersion;
  text.replace(text.find(version), version.size(), "\"version\":\"V");
  EXPECT_EQ(text,
            R"({"ok":true,"v":1,"version":"V","now":9,"started":1790000000123,"ready":false,)"
            R"("stopping":true,"actions":true,"folders":[{"path":"/hot�","paused":true,)"
            R"("trouble":"a\nb","arriving":0,"waiting":0,"running":0,"up":true,"oldest":0,)"
            R"("stuck":0,"not_taken":0},{"path":"","paused":false,"trouble":"","arriving":0,)"
            R"("waiting":0,"running":0,"up":false,"oldest":0,"stuck":0,"not_taken":0}],)"
            R"("running":[{"id":"\u0001","folder":"/hot","name":"\"\\/","state":"cancelled",)"
            R"("tries":3,"message":"ä","since":1,"seconds":0.3333333333333333,"pixels":7,)"
            R"("pixels_done":6,"plates":[{"ink":"k","path":"/k.tif",)"
            R"("coverage_percent":1e-09},{"ink":"","path":"","coverage_percent":0.0}],)"
            R"("report":"/r","bytes":0,"sheets":0,"advice":"","files":[],"can_retry":true}],)"
            R"("waiting":[{"id":"","folder":"","name":"","state":"waiting","tries":0,)"
            R"("message":"","since":0,"seconds":0.0,"pixels":0,"pixels_done":0,"plates":[],)"
            R"("report":"","bytes":0,"sheets":0,"advice":"","files":[],"can_retry":true}],)"
            R"("finished":[{"id":"","folder":"","name":"","state":"waiting","tries":0,)"
            R"("message":"","since":0,"seconds":0.0,"pixels":0,"pixels_done":0,"plates":[],)"
            R"("report":"","bytes":0,"sheets":0,"advice":"","files":[],"can_retry":true},)"
            R"({"id":"\u0001","folder":"/hot","name":"\"\\/","state":"cancelled","tries":3,)"
            R"("message":"ä","since":1,"seconds":0.3333333333333333,"pixels":7,)"
            R"("pixels_done":6,"plates":[{"ink":"k","path":"/k.tif",)"
            R"("coverage_percent":1e-09},{"ink":"","path":"","coverage_percent":0.0}],)"
            R"("report":"/r","bytes":0,"sheets":0,"advice":"","files":[],"can_retry":true}],)"
            R"("jobs_done":0,"jobs_failed":18446744073709551615,"stuck":[],"not_taken":[],)"
            R"("disks":[],"sheets_an_hour":0,"seconds_left":0.0})");
}

TEST(ViewJson, is_read_as_far_as_it_can_be) {
  watch::WatchView view;
  view.started = WallTime(std::chrono::milliseconds(1500));
  view.folders = {{.path = "/hot", .paused = true, .trouble = "gone", .waiting = 2}};
  watch::JobView job;
  job.id = "a";
  job.state = watch::JobState::kRetrying;
  job.seconds = 1.5;
  job.pixels = 7;
  view.running = {job};
  const std::string text = watch::view_json(view, {}, true);
  EXPECT_EQ(watch::view_json(watch::parse_view(mezzo::json::parse(text)), {}, true), text);
  const watch::WatchView odd = watch::parse_view(mezzo::json::parse(
      R"({"ready": 1, "folders": {}, "running": [1, {"id": 7, "name": "n", "state": "asleep"}]})"));
  EXPECT_FALSE(odd.ready);
  EXPECT_TRUE(odd.folders.empty());
  ASSERT_EQ(odd.running.size(), 1U);
  EXPECT_EQ(odd.running[0].name, "n");
  EXPECT_EQ(odd.running[0].state, watch::JobState::kWaiting);
}

TEST(ViewJson, bytes_of_any_kind_become_json) {
  watch::WatchView view;
  watch::JobView job;
  for (int byte = 1; byte < 256; ++byte) job.name += static_cast<char>(byte);
  job.plates.push_back({.ink = "\xff\xfe", .path = "", .coverage_percent = 0});
  view.waiting.push_back(job);
  const json shown = json::parse(watch::view_json(view, {}, false));
  EXPECT_EQ(shown.at("waiting")[0].at("plates")[0].at("ink"), "\ufffd\ufffd");
}

}  // namespace
}  // namespace mezzo::test::view_json_test
