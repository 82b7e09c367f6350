// What a watcher keeps to whatever comes: its number of workers, pauses, signals, the ends of jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/service/watcher_support.h"

namespace mezzo::test {
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
  ASSERT_TRUE(wait_for([&] { return working(view()) == 3; }));
  stop();
  auto one = options();
  one.jobs = 1;
  start(one);
  size_t most = 0;
  ASSERT_TRUE(wait_for([&] {
    const watch::WatchView now = view();
    size_t have_worker = 0;
    for (const watch::JobView& job : now.running) have_worker += job.pixels > 0;
    most = std::max(most, have_worker);
    return now.jobs_done == 3;
  }));
  EXPECT_EQ(most, 1U);
}

TEST_F(WatcherTest, a_pause_outlives_the_watcher) {
  start();
  drop("a.tif", "slow 5000");
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  EXPECT_EQ(query({{"verb", "pause"}})["ok"], true);
  stop();
  start();
  ASSERT_TRUE(wait_for([&] { return view().ready; }));
  EXPECT_TRUE(view().folders[0].paused);
  std::this_thread::sleep_for(300ms);
  EXPECT_FALSE(one_works());  // it was left over, and waits as well
  EXPECT_EQ(query({{"verb", "resume"}})["ok"], true);
  EXPECT_TRUE(wait_for([&] { return one_works(); }));
  stop();
  start();
  ASSERT_TRUE(wait_for([&] { return view().ready; }));
  EXPECT_FALSE(view().folders[0].paused);
}

TEST_F(WatcherTest, a_folder_has_as_many_workers_as_its_throttle) {
  settings("throttle: 1\n");
  auto four = options();
  four.jobs = 4;
  for (const char* name : {"a.tif", "b.tif", "c.tif"}) drop(name, "slow 100");
  start(four);
  size_t most = 0;
  ASSERT_TRUE(wait_for([&] {
    const watch::WatchView now = view();
    most = std::max(most, working(now));
    return now.jobs_done == 3;
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
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(wait_for([&] { return stands_still(); }));
  ASSERT_TRUE(wait_for([&] { return view().jobs_done == 1; }));
  EXPECT_EQ(view().finished[0].name, "short");
  ASSERT_TRUE(wait_for([&] { return view().jobs_done == 2; }));
  EXPECT_EQ(view().finished[0].name, "long");
  EXPECT_EQ(view().finished[0].tries, 1U) << "it was not taken for a worker that is stuck";
}

TEST_F(WatcherTurns, a_long_job_makes_no_way_for_its_own_folder) {
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  drop("next.tif", "good");
  ASSERT_TRUE(wait_for([&] { return view().jobs_done == 2; }));
  EXPECT_EQ(view().finished[0].name, "next");
}

TEST_F(WatcherTurns, a_job_that_stands_still_is_cancelled) {
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  const std::string id = view().running[0].id;
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(wait_for([&] { return stands_still(); }));
  EXPECT_EQ(query({{"verb", "cancel"}, {"job", id}})["ok"], true);
  ASSERT_TRUE(wait_for([&] { return !view().finished.empty(); }));
  EXPECT_EQ(view().finished[0].state, watch::JobState::kCancelled);
}

TEST_F(WatcherTurns, a_job_that_stands_still_goes_on_after_a_stop) {
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  folder_.write("other/short.tif", "slow 1500");
  ASSERT_TRUE(wait_for([&] { return stands_still(); }));
  stop();
  start();
  EXPECT_TRUE(wait_for([&] { return view().jobs_done == 1; }));
}

TEST_F(WatcherTest, a_folder_named_twice_is_watched_once) {
  auto twice = options();
  twice.folders.push_back(hot() + "/");
  start(twice);
  ASSERT_TRUE(wait_for([&] { return view().ready; }));
  EXPECT_EQ(view().folders.size(), 1U);
}

TEST_F(WatcherTest, folders_inside_each_other_are_refused) {
  auto nested = options();
  nested.folders.push_back(in_hot("more"));
  EXPECT_THROW(watch::Watcher{nested}, Error);
  nested.folders.back() = hot() + "-more";
  EXPECT_NO_THROW(watch::Watcher{nested});
}

TEST_F(WatcherTest, a_done_job_is_done_although_its_folder_went_away) {
  start();
  drop("a.tif", "slow 300");
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  fs::rename(hot(), folder_ / "away");
  fs::create_directories(hot());  // as where a share was mounted
  ASSERT_TRUE(wait_for([&] {
    const watch::WatchView now = view();
    return !now.finished.empty() ||
           (now.running.size() == 1 && now.running[0].message.find(".work") != std::string::npos);
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
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  fs::remove_all(in_hot(".work"));
  ASSERT_TRUE(wait_for([&] { return view().finished.size() == 1; }));
}

TEST_F(WatcherTest, workers_are_waited_for_where_their_ends_are_ignored) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  drop("a.tif", "good");
  start();
  EXPECT_TRUE(wait_for([&] { return view().jobs_done == 1; }));
  ::sigaction(SIGCHLD, &before, nullptr);
}

/// With signals as a descriptor, as the program has them.
class WatcherSignals : public WatcherTest {
 public:
  WatcherSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGTERM, SIGHUP}) sigaddset(&signals, number);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
    fd_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~WatcherSignals() override {
    stop();
    ::close(fd_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 protected:
  void start_with_signals(std::chrono::milliseconds grace) {
    auto with_signals = options();
    with_signals.signals = fd_;
    with_signals.grace = grace;
    start(with_signals);
  }

  sigset_t before_{};
  int fd_ = -1;
};

TEST_F(WatcherSignals, sighup_reads_the_settings_again) {
  settings("poll: true\nscan: 1 h\n");
  start_with_signals(1s);
  ASSERT_TRUE(wait_for([&] { return view().ready; }));
  settings("poll: perhaps\n");
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(view().folders[0].trouble, "");
  ::kill(::getpid(), SIGHUP);
  EXPECT_TRUE(wait_for([&] { return !view().folders[0].trouble.empty(); }));
}

TEST_F(WatcherSignals, a_second_signal_ends_it_at_once) {
  drop("a.tif", "hang");
  start_with_signals(1h);
  ASSERT_TRUE(wait_for([&] { return one_works(); }));
  ::kill(::getpid(), SIGTERM);
  ASSERT_TRUE(wait_for([&] { return view().stopping; }));
  EXPECT_TRUE(one_works());
  ::kill(::getpid(), SIGTERM);
  thread_.join();
  EXPECT_EQ(end_.second_signal, SIGTERM);
  EXPECT_TRUE(fs::exists(in_hot(".work")));
  EXPECT_EQ(end_.failed, 0U);
}

}  // namespace
}  // namespace mezzo::test
