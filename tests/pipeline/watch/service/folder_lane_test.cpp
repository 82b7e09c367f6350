// A folder's lane: the main loop goes on without a step that hangs.
#include "pipeline/watch/service/folder_lane.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace mezzo::test {
namespace {

using namespace std::chrono_literals;

// Longer than a busy machine lets a step wait for its turn.
constexpr auto kPatience = 1s;

class FolderLaneTest : public testing::Test {
 protected:
  /// Begins a step that hangs until release().
  bool hang() {
    return lane_.run([until = hung_.get_future().share()] { until.wait(); });
  }
  void release() {
    hung_.set_value();
    while (lane_.is_busy()) std::this_thread::sleep_for(1ms);
  }

  std::promise<void> hung_;
  std::atomic<int> woken_{0};
  watch::FolderLane lane_{[this] { ++woken_; }, kPatience};
};

TEST_F(FolderLaneTest, runs_steps_in_one_thread_of_its_own) {
  std::thread::id first, second;
  EXPECT_TRUE(lane_.run([&] { first = std::this_thread::get_id(); }));
  EXPECT_TRUE(lane_.run([&] { second = std::this_thread::get_id(); }));
  EXPECT_NE(first, std::this_thread::get_id());
  EXPECT_EQ(first, second);
  EXPECT_FALSE(lane_.is_busy());
  EXPECT_EQ(woken_, 0) << "the loop has waited for them";
}

TEST_F(FolderLaneTest, gives_its_thread_back_when_it_has_had_no_step_for_long) {
  // One that was joined stays in the list for a moment.
  const auto is_listed = [](pid_t thread) {
    return std::filesystem::exists("/proc/self/task/" + std::to_string(thread));
  };
  const auto is_gone = [&](pid_t thread) {
    for (int turn = 0; turn < 6000 && is_listed(thread); ++turn) std::this_thread::sleep_for(10ms);
    return !is_listed(thread);
  };
  pid_t thread = 0;
  EXPECT_TRUE(lane_.run([&] { thread = gettid(); }));
  lane_.rest(SteadyClock::now());
  EXPECT_TRUE(is_listed(thread));
  lane_.rest(SteadyClock::now() + watch::FolderLane::kIdle);
  EXPECT_TRUE(is_gone(thread));
  bool has_run = false;
  EXPECT_TRUE(lane_.run([&] { has_run = true; }));
  EXPECT_TRUE(has_run);
  EXPECT_FALSE(hang());
  lane_.rest(SteadyClock::now() + watch::FolderLane::kIdle);
  EXPECT_TRUE(lane_.is_busy());
  release();
}

TEST_F(FolderLaneTest, leaves_a_step_that_hangs_alone_and_wakes_the_loop_at_its_end) {
  const auto begin = SteadyClock::now();
  EXPECT_FALSE(hang());
  EXPECT_GE(SteadyClock::now() - begin, kPatience);
  EXPECT_TRUE(lane_.is_busy());
  EXPECT_GE(lane_.busy_since(), begin);
  EXPECT_EQ(woken_, 0);
  release();
  while (woken_ == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(woken_, 1);
}

TEST_F(FolderLaneTest, has_no_patience_after_a_slow_step_until_one_was_quick) {
  EXPECT_FALSE(hang());
  release();
  const auto begin = SteadyClock::now();
  EXPECT_FALSE(lane_.run([] { std::this_thread::sleep_for(20ms); }));
  EXPECT_LT(SteadyClock::now() - begin, kPatience);
  while (lane_.is_busy()) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(lane_.run([] {}));
}

TEST_F(FolderLaneTest, waits_for_people_as_long_as_they_would) {
  EXPECT_TRUE(lane_.wait(0ms)) << "nothing is under way";
  EXPECT_FALSE(hang());
  const auto begin = SteadyClock::now();
  EXPECT_FALSE(lane_.wait(50ms));
  EXPECT_GE(SteadyClock::now() - begin, 50ms);
  std::thread other([this] { hung_.set_value(); });
  EXPECT_TRUE(lane_.wait(1min));
  EXPECT_FALSE(lane_.is_busy());
  other.join();
}

TEST_F(FolderLaneTest, throws_what_a_step_throws_also_later) {
  EXPECT_THROW(lane_.run([] { throw std::runtime_error("now"); }), std::runtime_error);
  EXPECT_FALSE(lane_.run([until = hung_.get_future().share()] {
    until.wait();
    throw std::runtime_error("later");
  }));
  release();
  bool has_run = false;
  EXPECT_THROW(lane_.run([&] { has_run = true; }), std::runtime_error);
  EXPECT_FALSE(has_run);
  EXPECT_NO_THROW(lane_.run([&] { has_run = true; }));
  EXPECT_TRUE(lane_.wait(1min));
  EXPECT_TRUE(has_run);
}

TEST(FolderLane, waits_for_its_usual_patience_unless_it_is_told_another) {
  watch::FolderLane lane([] {});
  std::promise<void> hung;
  const auto begin = SteadyClock::now();
  EXPECT_FALSE(lane.run([until = hung.get_future().share()] { until.wait(); }));
  EXPECT_GE(SteadyClock::now() - begin, watch::FolderLane::kPatience);
  hung.set_value();
}

TEST(FolderLane, frees_its_step_before_the_loop_goes_on) {
  watch::FolderLane lane([] {}, kPatience);
  const auto owned = std::make_shared<int>();
  EXPECT_TRUE(lane.run([owned] {}));
  EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace
}  // namespace mezzo::test
