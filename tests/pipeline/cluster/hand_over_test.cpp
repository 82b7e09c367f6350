// What is missing is handed over again, and only that.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pipeline/cluster/collect.h"
#include "pipeline/cluster/plan/plan_lock.h"
#include "stages/files/temporary_name.h"
#include "tests/pipeline/cluster/records/record_support.h"

namespace mezzo::test::hand_over_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FakeEngine final : public cluster::ClusterEngine {
 public:
  uint32_t most_units() override { return 100; }
  std::string submit(const cluster::ClusterPlan&,
                     std::span<const uint32_t> units,
                     std::chrono::seconds delay) override {
    submitted.emplace_back(units.begin(), units.end());
    last_delay = delay;
    return "9";
  }
  void cancel(const cluster::ClusterPlan&) override {}
  cluster::Queue queue(const cluster::ClusterPlan&) override { return in_hand; }

  cluster::Queue in_hand;
  std::vector<std::vector<uint32_t>> submitted;
  std::chrono::seconds last_delay{};
};

class Collecting : public ::testing::Test {
 protected:
  void make(uint32_t unit) { test::FakeAttempt(stage_, unit).make_all(); }

  test::RecordStage stage_{8, 2};
  FakeEngine engine_;
};

TEST_F(Collecting, HandsOverWhatNobodyHasInHand) {
  make(0);
  engine_.in_hand.running = {1};
  engine_.in_hand.held = {2};
  const cluster::Collected collected = cluster::collect(stage_.plan, &engine_, false);
  EXPECT_EQ(collected.tally.done, 2U);
  EXPECT_EQ(collected.tally.open, 6U);
  EXPECT_THAT(collected.waiting, ElementsAre(1, 2));
  EXPECT_THAT(engine_.submitted, ElementsAre(ElementsAre(3)));
  EXPECT_EQ(cluster::read_submissions(stage_.plan).size(), 1U);
}

TEST_F(Collecting, HandsNothingOverWhileItCannotAsk) {
  engine_.in_hand.answers = false;
  const cluster::Collected collected = cluster::collect(stage_.plan, &engine_, true);
  EXPECT_EQ(collected.tally.open, 8U);
  EXPECT_THAT(engine_.submitted, IsEmpty());
  EXPECT_TRUE(fs::exists(stage_.plan.path + "/report/report.json"));
}

TEST_F(Collecting, GivesUpWhenThreeSubmissionsBroughtNothing) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, false).again);
  EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, false).given_up);
  EXPECT_EQ(engine_.submitted.size(), 3U);
  make(0);  // something came of it after all
  EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, false).again);
  for (int i = 0; i < 3; ++i) cluster::collect(stage_.plan, &engine_, false);
  EXPECT_EQ(engine_.submitted.size(), 6U);
  EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, true).again)
      << "though it was asked to insist";
}

TEST_F(Collecting, LeavesAloneWhatWasCancelled) {
  cluster::mark_cancelled(stage_.plan);
  const cluster::Collected collected = cluster::collect(stage_.plan, &engine_, false);
  EXPECT_TRUE(collected.cancelled);
  EXPECT_THAT(engine_.submitted, IsEmpty());
  EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, true).again)
      << "though it was asked to insist";
  EXPECT_FALSE(cluster::is_cancelled(stage_.plan));
  cluster::mark_cancelled(stage_.plan);
  stage_.plan.id = "another";
  EXPECT_TRUE(cluster::collect(stage_.plan, &engine_, false).again) << "of an earlier submission";
}

TEST_F(Collecting, IsKeptApartByALock) {
  const std::string folder = stage_.plan.path;
  {
    const cluster::PlanLock lock(folder);
    EXPECT_THROW(cluster::PlanLock{folder}, Error);
  }
  const cluster::PlanLock again(folder);
}

TEST_F(Collecting, TakesItsTimeAfterTrouble) {
  cluster::collect(stage_.plan, &engine_, false);
  EXPECT_EQ(engine_.last_delay, std::chrono::seconds(1));
  test::FakeAttempt attempt(stage_, 2);
  attempt.begin(4);
  attempt.fail(4, ErrorKind::kDiskFull);
  attempt.record.end(75);
  cluster::collect(stage_.plan, &engine_, false);
  EXPECT_EQ(engine_.last_delay, std::chrono::seconds(60));
}

TEST_F(Collecting, CleansUpWhenNothingIsOpen) {
  const fs::path folder = fs::path(stage_.plate(0)).parent_path();
  const std::string left =
      folder / (".0.tif" + files::temporary_tail(files::this_process(), 0x01234567));
  const std::string of_a_run = folder / ".0.tif.77-0123456789abcdef-01234567.part";
  std::ofstream(of_a_run) << "half";
  for (uint32_t unit = 0; unit < 3; ++unit) make(unit);
  std::ofstream(left) << "half";
  cluster::collect(stage_.plan, nullptr, false);
  EXPECT_TRUE(fs::exists(left)) << "somebody may be writing it";
  make(3);
  const cluster::Collected collected = cluster::collect(stage_.plan, nullptr, false);
  EXPECT_EQ(collected.tally.done, 8U);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(of_a_run));
}

TEST_F(Collecting, ReadsPastLinesThatAreCutOff) {
  cluster::collect(stage_.plan, &engine_, false);
  std::ofstream(stage_.plan.path + "/submissions", std::ios::app) << "{\"v\":1,\"pl";
  EXPECT_EQ(cluster::read_submissions(stage_.plan).size(), 1U);
}

}  // namespace
}  // namespace mezzo::test::hand_over_test
