// A lane with a thread: the main loop goes on without a step that hangs.
#include "pipeline/watch/machine/lane.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/pipeline/watch/machine/fake_machine.h"

namespace mezzo::test::lane_test {
namespace {

using namespace std::chrono_literals;

constexpr auto kNone = 0ms;
constexpr auto kEndless = 24h;  // for steps that end

class LaneTest : public testing::Test {
 protected:
  watch::ThreadLane& make(std::chrono::milliseconds patience) {
    return lane_.emplace(
        clock_,
        [this] {
          ++wakes_;
          woken_.set_value();
        },
        patience);
  }
  /// A step that hangs until release().
  auto hanging() {
    return [until = hung_.get_future().share()] { until.wait(); };
  }
  /// Lets the step end, and waits for that.
  void release() {
    hung_.set_value();
    woken_.get_future().wait();
    woken_ = {};
    hung_ = {};
  }

  FakeClock clock_;
  std::promise<void> hung_, woken_;
  std::atomic<int> wakes_{0};
  std::optional<watch::ThreadLane> lane_;  // last: it uses the others
};

TEST_F(LaneTest, runs_steps_in_one_thread_of_its_own) {
  watch::ThreadLane& lane = make(kEndless);
  std::thread::id first, second;
  EXPECT_TRUE(lane.run([&] { first = std::this_thread::get_id(); }));
  EXPECT_TRUE(lane.run([&] { second = std::this_thread::get_id(); }));
  EXPECT_NE(first, std::this_thread::get_id());
  EXPECT_EQ(first, second);
  EXPECT_FALSE(lane.is_busy());
  EXPECT_EQ(wakes_, 0) << "the loop has waited for them";
}

/// In each thread that ends, sets the promise.
struct ToldAtEnd {
  std::promise<void>* ended = nullptr;
  ~ToldAtEnd() {
    if (ended != nullptr) ended->set_value();
  }
};
thread_local ToldAtEnd told_at_end;

TEST_F(LaneTest, gives_its_thread_back_when_it_has_had_no_step_for_long) {
  watch::ThreadLane& lane = make(kEndless);
  std::promise<void> ended;
  std::future<void> end = ended.get_future();
  const auto has_ended = [&] { return end.wait_for(kNone) == std::future_status::ready; };
  EXPECT_TRUE(lane.run([&] { told_at_end.ended = &ended; }));
  lane.rest(clock_.now());
  EXPECT_FALSE(has_ended());
  lane.rest(clock_.now().steady + watch::ThreadLane::kIdle);
  EXPECT_TRUE(has_ended());
  bool has_run = false;
  EXPECT_TRUE(lane.run([&] { has_run = true; }));
  EXPECT_TRUE(has_run);
}

TEST_F(LaneTest, keeps_its_thread_while_a_step_is_under_way) {
  watch::ThreadLane& lane = make(kNone);
  EXPECT_FALSE(lane.run(hanging()));
  lane.rest(clock_.now().steady + watch::ThreadLane::kIdle);
  EXPECT_TRUE(lane.is_busy());
  release();
  EXPECT_FALSE(lane.is_busy());
}

TEST_F(LaneTest, leaves_a_step_that_hangs_alone_and_wakes_the_loop_at_its_end) {
  watch::ThreadLane& lane = make(kNone);
  EXPECT_FALSE(lane.run(hanging()));
  EXPECT_TRUE(lane.is_busy());
  EXPECT_EQ(lane.busy_since(), clock_.now().steady);
  EXPECT_EQ(wakes_, 0);
  release();
  EXPECT_FALSE(lane.is_busy());
  EXPECT_EQ(wakes_, 1);
}

TEST_F(LaneTest, has_no_patience_after_a_slow_step_until_one_was_quick) {
  watch::ThreadLane& lane = make(kEndless);
  EXPECT_TRUE(lane.run([&] { clock_.advance(kEndless + 1s); }));
  EXPECT_FALSE(lane.run(hanging())) << "else it waited for a day";
  release();
  EXPECT_TRUE(lane.run([] {})) << "that one was quick";
}

TEST_F(LaneTest, waits_for_people_as_long_as_they_would) {
  watch::ThreadLane& lane = make(kNone);
  EXPECT_TRUE(lane.wait(kNone)) << "nothing is under way";
  EXPECT_FALSE(lane.run(hanging()));
  EXPECT_FALSE(lane.wait(kNone));
  std::thread other([this] { hung_.set_value(); });
  EXPECT_TRUE(lane.wait(kEndless));
  EXPECT_FALSE(lane.is_busy());
  other.join();
}

TEST_F(LaneTest, throws_what_a_step_throws_also_later) {
  watch::ThreadLane& lane = make(kEndless);
  EXPECT_THROW(lane.run([] { throw std::runtime_error("now"); }), std::runtime_error);
  EXPECT_TRUE(lane.run([&] { clock_.advance(kEndless + 1s); }));
  EXPECT_FALSE(lane.run([step = hanging()] {
    step();
    throw std::runtime_error("later");
  }));
  release();
  bool has_run = false;
  EXPECT_THROW(lane.run([&] { has_run = true; }), std::runtime_error);
  EXPECT_FALSE(has_run);
  EXPECT_NO_THROW(lane.run([&] { has_run = true; }));
  EXPECT_TRUE(lane.wait(kEndless));
  EXPECT_TRUE(has_run);
}

TEST_F(LaneTest, frees_its_step_before_the_loop_goes_on) {
  watch::ThreadLane& lane = make(kEndless);
  const auto owned = std::make_shared<int>();
  EXPECT_TRUE(lane.run([owned] {}));
  EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace
}  // namespace mezzo::test::lane_test
