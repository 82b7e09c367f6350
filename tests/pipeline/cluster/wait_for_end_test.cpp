// Who waits for a job ends when it is made, and when nobody will make it.

#include "pipeline/cluster/wait_for_end.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/pipeline/cluster/records/record_support.h"

namespace mezzo::test::wait_for_end_test {
namespace {

/// Has in hand what each look finds, and does what is to happen by then.
class ScriptedEngine final : public cluster::ClusterEngine {
 public:
  uint32_t most_units() override { return 100; }
  std::string submit(const cluster::ClusterPlan&,
                     std::span<const uint32_t> units,
                     std::chrono::seconds) override {
    if (refusals-- > 0) throw Error(ErrorKind::kDevice, "not now");
    submitted.emplace_back(units.begin(), units.end());
    if (on_submit) on_submit();
    return "9";
  }
  void cancel(const cluster::ClusterPlan&) override {}
  cluster::Queue queue(const cluster::ClusterPlan&) override {
    if (on_look) on_look(++looks);
    return in_hand;
  }

  cluster::Queue in_hand;
  std::function<void(int look)> on_look;
  std::function<void()> on_submit;
  int looks = 0;
  int refusals = 0;  ///< of the next submissions
  std::vector<std::vector<uint32_t>> submitted;
};

class Waiting : public ::testing::Test {
 protected:
  std::optional<cluster::Collected> wait() {
    using std::chrono::milliseconds;
    return cluster::wait_for_end(
        stage_.plan, engine_, stop_, {milliseconds(1), milliseconds(1), milliseconds(1)});
  }

  void make(uint32_t unit) { test::FakeAttempt(stage_, unit).make_all(); }

  test::RecordStage stage_{4, 2};
  ScriptedEngine engine_;
  std::atomic<bool> stop_ = false;
};

TEST_F(Waiting, EndsWhenAllIsMadeThoughTheSchedulerStillHasIt) {
  engine_.in_hand.running = {0, 1};
  engine_.on_look = [this](int look) {
    if (look == 3) make(0);
    if (look == 6) make(1);
    stop_ = look == 100;
  };
  const auto collected = wait();
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->tally.done, 4U);
  EXPECT_GE(engine_.looks, 6);
}

TEST_F(Waiting, HandsOverAgainWhatWasLost) {
  make(0);
  engine_.on_submit = [this] { make(1); };
  const auto collected = wait();
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->tally.done, 4U);
  EXPECT_EQ(engine_.submitted, (std::vector<std::vector<uint32_t>>{{1}}));
}

TEST_F(Waiting, EndsWhenOnlyThatIsLeftWhichDidNotEndWell) {
  make(0);
  engine_.in_hand.running = {1};
  engine_.in_hand.collects = true;
  engine_.on_look = [this](int look) {
    if (look == 3) engine_.in_hand.running.clear();
    if (look == 3) engine_.in_hand.held = engine_.in_hand.stuck = {1};
    stop_ = look == 100;
  };
  const auto collected = wait();
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->tally.open, 2U);
  EXPECT_EQ(collected->waiting, (std::vector<uint32_t>{1}));
  EXPECT_TRUE(engine_.submitted.empty());
}

TEST_F(Waiting, HandsOverWhatWasLostBesideWhatIsHeld) {
  engine_.in_hand.held = engine_.in_hand.stuck = {1};
  engine_.refusals = 2;
  engine_.on_submit = [this] { make(0); };
  engine_.on_look = [this](int look) { stop_ = look == 100; };
  const auto collected = wait();
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->tally.done, 2U);
  EXPECT_EQ(collected->waiting, (std::vector<uint32_t>{1}));
  EXPECT_EQ(engine_.submitted, (std::vector<std::vector<uint32_t>>{{0}}));
}

TEST_F(Waiting, GoesOnWhileAnotherUnitIsAtWorkOrHeldByWish) {
  engine_.in_hand.held = {0, 1};
  engine_.in_hand.stuck = {0};
  engine_.on_look = [this](int look) { stop_ = look == 20; };
  EXPECT_FALSE(wait());
  engine_.in_hand.held = {0};
  engine_.in_hand.running = {1};
  stop_ = false;
  engine_.looks = 0;
  EXPECT_FALSE(wait());
}

TEST_F(Waiting, WaitsForASchedulerThatDoesNotAnswer) {
  engine_.in_hand.answers = false;
  engine_.on_look = [this](int look) { stop_ = look == 20; };
  EXPECT_FALSE(wait());
  EXPECT_TRUE(engine_.submitted.empty());
}

TEST_F(Waiting, GivesUpWhatNobodyTakes) {
  make(0);
  const auto collected = wait();
  ASSERT_TRUE(collected);
  EXPECT_TRUE(collected->given_up);
  EXPECT_EQ(engine_.submitted.size(), 3U);
}

}  // namespace
}  // namespace mezzo::test::wait_for_end_test
