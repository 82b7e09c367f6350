// What a watcher keeps to whatever comes: its number of workers, pauses, the ends of jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/service/watcher_support.h"

namespace mezzo::test::watcher_order_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::WatcherTest;

size_t working(const watch::WatchView& view) {
  return static_cast<size_t>(std::ranges::count_if(view.running, [](const watch::JobView& job) {
    return job.state == watch::JobState::kRunning;
  }));
}

TEST_F(WatcherTest, jobs_that_were_left_over_take_turns) {
  auto three = options();
  three.jobs = 3;
  start(three);
  for (const char* name : {"a.tif", "b.tif", "c.tif"}) drop(name, "slow 300");
  ASSERT_TRUE(until([&] { return working(view()) == 3; }));
  stop();
  auto one = options();
  one.jobs = 1;
  start(one);
  size_t most = 0;
  ASSERT_TRUE(until([&] {
    const watch::WatchView seen = view();
    size_t have_worker = 0;
    for (const watch::JobView& job : seen.running) have_worker += job.pixels > 0;
    most = std::max(most, have_worker);
    return seen.jobs_done == 3;
  }));
  EXPECT_EQ(most, 1U);
}

TEST_F(WatcherTest, a_pause_outlives_the_watcher) {
  start();
  drop("a.tif", "slow 5000");
  ASSERT_TRUE(until([&] { return one_works(); }));
  EXPECT_EQ(query({{"verb", "pause"}})["ok"], true);
  stop();
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_TRUE(view().folders[0].paused);
  pass(300ms);
  EXPECT_FALSE(one_works());  // it was left over, and waits as well
  EXPECT_EQ(query({{"verb", "resume"}})["ok"], true);
  EXPECT_TRUE(until([&] { return one_works(); }));
  stop();
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_FALSE(view().folders[0].paused);
}

TEST_F(WatcherTest, a_folder_has_as_many_workers_as_its_throttle) {
  settings("throttle: 1\n");
  auto four = options();
  four.jobs = 4;
  for (const char* name : {"a.tif", "b.tif", "c.tif"}) drop(name, "slow 100");
  start(four);
  size_t most = 0;
  ASSERT_TRUE(until([&] {
    const watch::WatchView seen = view();
    most = std::max(most, working(seen));
    return seen.jobs_done == 3;
  }));
  EXPECT_EQ(most, 1U);
}

/// A folder with a long job that has the one worker, and another folder.
class WatcherTurns : public WatcherTest {
 protected:
  WatcherTurns() {
    settings("stall: 1 s\n");
    folder_.write("other/folder.yaml", kQuick);
    auto both = options();
    both.folders.push_back(folder_ / "other");
    both.jobs = 1;
    start(both);
    drop("long.tif", "slow 4000");
  }
  bool stands_still() {
    return std::ranges::any_of(view().running, [](const watch::JobView& job) {
      return job.name == "long" && job.message.starts_with("stands still");
    });
  }
};

TEST_F(WatcherTurns, a_long_job_makes_way_for_other_folders) {
  ASSERT_TRUE(until([&] { return one_works(); }));
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(until([&] { return stands_still(); }));
  ASSERT_TRUE(until([&] { return view().jobs_done == 1; }));
  EXPECT_EQ(view().finished[0].name, "short");
  ASSERT_TRUE(until([&] { return view().jobs_done == 2; }));
  EXPECT_EQ(view().finished[0].name, "long");
  EXPECT_EQ(view().finished[0].tries, 1U) << "it was not taken for a worker that is stuck";
}

TEST_F(WatcherTurns, a_long_job_makes_no_way_for_its_own_folder) {
  ASSERT_TRUE(until([&] { return one_works(); }));
  drop("next.tif", "good");
  ASSERT_TRUE(until([&] { return view().jobs_done == 2; }));
  EXPECT_EQ(view().finished[0].name, "next");
}

TEST_F(WatcherTurns, a_job_that_stands_still_is_cancelled) {
  ASSERT_TRUE(until([&] { return one_works(); }));
  const std::string id = view().running[0].id;
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(until([&] { return stands_still(); }));
  EXPECT_EQ(query({{"verb", "cancel"}, {"job", id}})["ok"], true);
  ASSERT_TRUE(until([&] { return !view().finished.empty(); }));
  EXPECT_EQ(view().finished[0].state, watch::JobState::kCancelled);
}

TEST_F(WatcherTurns, a_job_that_stands_still_goes_on_after_a_stop) {
  ASSERT_TRUE(until([&] { return one_works(); }));
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(until([&] { return stands_still(); }));
  stop();
  start();
  EXPECT_TRUE(until([&] { return view().jobs_done == 1; }));
}

TEST_F(WatcherTest, a_folder_named_twice_is_watched_once) {
  auto twice = options();
  twice.folders.push_back(hot() + "/");
  start(twice);
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_EQ(view().folders.size(), 1U);
}

TEST_F(WatcherTest, folders_inside_each_other_are_refused) {
  auto nested = options();
  nested.folders.push_back(in_hot("more"));
  EXPECT_THROW(Turning{nested}, Error);
  nested.folders.back() = hot() + "-more";
  EXPECT_NO_THROW(Turning{nested});
}

TEST_F(WatcherTest, a_done_job_is_done_although_its_folder_went_away) {
  start();
  drop("a.tif", "slow 300");
  ASSERT_TRUE(until([&] { return one_works(); }));
  fs::rename(hot(), folder_ / "away");
  fs::create_directories(hot());  // as where a share was mounted
  ASSERT_TRUE(until([&] {
    const watch::WatchView seen = view();
    return !seen.finished.empty() ||
           (seen.running.size() == 1 && seen.running[0].message.find(".work") != std::string::npos);
  }));
  stop();
  fs::remove_all(hot());
  fs::rename(folder_ / "away", hot());
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
}

TEST_F(WatcherTest, a_job_whose_files_were_deleted_is_over) {
  start();
  drop("a.tif", "slow 300");
  ASSERT_TRUE(until([&] { return one_works(); }));
  fs::remove_all(in_hot(".work"));
  ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
}

}  // namespace
}  // namespace mezzo::test::watcher_order_test
