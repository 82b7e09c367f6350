#include "pipeline/watch/view/view_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mezzo::test {
namespace {

using nlohmann::json;

TEST(ViewJson, says_what_a_view_says) {
  watch::WatchView view;
  view.started = watch::WallTime(std::chrono::milliseconds(1500));
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
  job.since = watch::WallTime(std::chrono::milliseconds(2500));
  job.seconds = 1.5;
  job.pixels = 10'000'000'000;
  job.pixels_done = 5;
  job.plates.push_back({.ink = "cyan", .path = "/hot/plates/c.tif", .coverage_percent = 12.5});
  job.report = "/hot/reports/a-1/report.html";
  view.running.push_back(job);

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
       json::array(
           {{{"ink", "cyan"}, {"path", "/hot/plates/c.tif"}, {"coverage_percent", 12.5}}})}};
  const json shown =
      json::parse(watch::view_json(view, watch::WallTime(std::chrono::milliseconds(9)), true));
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
                          {"running", 3}}}));
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
}  // namespace mezzo::test
