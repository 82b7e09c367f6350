#include "pipeline/cluster/sheet_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/cluster/records/attempt_reader.h"
#include "tests/pipeline/cluster/records/record_support.h"

namespace mezzo::test::sheet_status_test {
namespace {

using test::FakeAttempt;
using test::RecordStage;
using testing::HasSubstr;

cluster::SheetStatus first(const RecordStage& stage,
                           cluster::VerifyMode mode = cluster::VerifyMode::kDigest) {
  return cluster::evaluate_sheets(stage.plan, cluster::read_attempts(stage.plan), mode).at(0);
}

TEST(SheetStatus, IsOpenUntilThePlateHasItsName) {
  const RecordStage stage;
  FakeAttempt attempt(stage, 0);
  EXPECT_EQ(first(stage).state, cluster::SheetState::kOpen);
  attempt.begin(0);
  attempt.seal(0, "bytes");
  EXPECT_EQ(first(stage).state, cluster::SheetState::kOpen);
  attempt.publish(0);
  EXPECT_EQ(first(stage).state, cluster::SheetState::kDone);
}

TEST(SheetStatus, TellsOfTheSheetByItsMaker) {
  const RecordStage stage;
  FakeAttempt attempt(stage, 0);
  attempt.begin(1);
  attempt.seal(1, "bytes");
  attempt.publish(1);
  const auto untold =
      cluster::evaluate_sheets(
          stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest)
          .at(1);
  EXPECT_EQ(untold.node, "n1");
  EXPECT_EQ(untold.result.input, stage.plan.sheets[1].page.input);
  EXPECT_EQ(untold.result.pages, std::vector<uint32_t>{1});
  EXPECT_EQ(untold.result.pixels, 101U);
  ASSERT_EQ(untold.result.plates.size(), 1U);
  EXPECT_EQ(untold.result.plates[0].file_bytes, 5U);
  EXPECT_EQ(untold.tries, 0U);
  attempt.finish(1, 2.5);
  // One that came later, found it done and cannot tell as much.
  FakeAttempt later(
      stage,
      0,
      "n2",
      {{stage.plate(1), {cluster::read_attempts(stage.plan)[0].sealed.at(stage.plate(1))}}});
  ASSERT_TRUE(later.record.find(stage.plate(1)));
  run::SheetResult before;
  before.already_done = true;
  later.record.sheet_finished(later.sheet(1), before);
  const auto told =
      cluster::evaluate_sheets(
          stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest)
          .at(1);
  EXPECT_EQ(told.state, cluster::SheetState::kDone);
  EXPECT_EQ(told.node, "n1");
  EXPECT_EQ(told.result.seconds, 2.5);
  EXPECT_EQ(told.result.index, 1U);
  EXPECT_EQ(told.schedule, "rows");
  EXPECT_TRUE(told.began);
}

TEST(SheetStatus, LooksAtTheFileItself) {
  const RecordStage stage;
  FakeAttempt attempt(stage, 0);
  attempt.make(0, "bytes");
  EXPECT_EQ(first(stage).state, cluster::SheetState::kDone);
  stage.write_plate(0, "BYTES");
  EXPECT_EQ(first(stage).state, cluster::SheetState::kOpen);
  EXPECT_EQ(first(stage, cluster::VerifyMode::kSize).state, cluster::SheetState::kDone);
  stage.write_plate(0, "longer bytes");
  EXPECT_EQ(first(stage, cluster::VerifyMode::kSize).state, cluster::SheetState::kOpen);
  std::filesystem::remove(stage.plate(0));
  EXPECT_EQ(first(stage).state, cluster::SheetState::kOpen);
  EXPECT_EQ(first(stage).tries, 0U);  // it was made
  stage.write_plate(1, "bytes");
  std::filesystem::create_symlink(stage.plate(1), stage.plate(0));
  EXPECT_EQ(first(stage).state, cluster::SheetState::kOpen);
}

TEST(SheetStatus, CountsAPlateThatCannotBeReadAsNotThere) {
  RecordStage stage;
  FakeAttempt attempt(stage, 0);
  attempt.make(1, "bytes");
  const std::string unreadable = "/proc/self/mem";  // a regular file of no bytes: EIO
  resume::JournalEntry entry = attempt.entry(0);
  entry.plate = unreadable;
  entry.sealed_path = stage.plate(0);
  stage.write_plate(0, "");
  entry.file = *files::mark_of(files::FileSystem::real(), stage.plate(0));
  attempt.record.enter({&entry, 1});
  stage.plan.sheets[0].plates = {{"black", unreadable}};
  const auto all = cluster::evaluate_sheets(
      stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest);
  EXPECT_EQ(all.at(0).state, cluster::SheetState::kOpen);
  ASSERT_EQ(all.at(0).warnings.size(), 1U);
  EXPECT_THAT(all.at(0).warnings[0], HasSubstr(unreadable));
  EXPECT_EQ(all.at(1).state, cluster::SheetState::kDone);
  EXPECT_FALSE(attempt.record.find(unreadable));
}

TEST(SheetStatus, TakesTwoAttemptsAtOnce) {
  const RecordStage stage;
  FakeAttempt one(stage, 0, "n1"), two(stage, 0, "n2");
  for (FakeAttempt* attempt : {&one, &two}) {
    attempt->begin(0);
    attempt->seal(0, "bytes");
    attempt->publish(0);
  }
  EXPECT_EQ(first(stage).state, cluster::SheetState::kDone);
  EXPECT_TRUE(first(stage).warnings.empty());
  EXPECT_EQ(first(stage).tries, 0U);
}

TEST(SheetStatus, WarnsWhenTwoAttemptsDiffer) {
  const RecordStage stage;
  FakeAttempt one(stage, 0, "n1"), two(stage, 0, "n2");
  one.make(0, "bytes");
  two.make(0, "BYTES");
  const cluster::SheetStatus status = first(stage);
  EXPECT_EQ(status.state, cluster::SheetState::kDone);
  EXPECT_EQ(status.node, "n2");
  ASSERT_EQ(status.warnings.size(), 1U);
  EXPECT_THAT(status.warnings[0], HasSubstr(stage.plate(0)));
  EXPECT_THAT(status.warnings[0], HasSubstr("n1"));
  EXPECT_THAT(status.warnings[0], HasSubstr("n2"));
}

TEST(SheetStatus, CountsTries) {
  RecordStage stage;
  stage.plan.task.tries = 3;
  FakeAttempt killed(stage, 0), stopped(stage, 0), full(stage, 0), idle(stage, 0);
  killed.begin(0);
  stopped.begin(0);
  stopped.fail(0, ErrorKind::kInterrupted);
  EXPECT_EQ(first(stage).tries, 1U);
  EXPECT_FALSE(first(stage).failure);
  full.begin(0);
  full.fail(0, ErrorKind::kDiskFull);
  const cluster::SheetStatus open = first(stage);
  EXPECT_EQ(open.state, cluster::SheetState::kOpen);
  EXPECT_EQ(open.tries, 2U);
  ASSERT_TRUE(open.failure);
  EXPECT_EQ(open.failure->kind, ErrorKind::kDiskFull);
  FakeAttempt last(stage, 0, "n9");
  last.begin(0);
  const auto all = cluster::read_attempts(stage.plan);
  EXPECT_EQ(cluster::evaluate_sheets(
                stage.plan, all, cluster::VerifyMode::kDigest, 0, last.record.name())[0]
                .state,
            cluster::SheetState::kOpen);  // it is running
  EXPECT_EQ(first(stage).state, cluster::SheetState::kFailed);
  last.seal(0, "bytes");
  last.publish(0);
  EXPECT_EQ(first(stage).state, cluster::SheetState::kDone);
  EXPECT_EQ(first(stage).tries, 2U);
  EXPECT_FALSE(first(stage).failure);
}

TEST(SheetStatus, SaysWhoWasKilledLast) {
  RecordStage stage;
  stage.plan.task.tries = 1;
  FakeAttempt killed(stage, 0, "n4");
  killed.begin(0);
  const cluster::SheetStatus status = first(stage);
  EXPECT_EQ(status.state, cluster::SheetState::kFailed);
  EXPECT_EQ(status.node, "n4");
  ASSERT_TRUE(status.failure);
  EXPECT_THAT(status.failure->message, HasSubstr("n4"));
  EXPECT_TRUE(status.result.failure);
}

TEST(SheetStatus, EndsAtOnceForAWrongPage) {
  for (const ErrorKind kind : {ErrorKind::kData,
                               ErrorKind::kUnsupported,
                               ErrorKind::kLimit,
                               ErrorKind::kChecksum,
                               ErrorKind::kUsage}) {
    const RecordStage stage;
    FakeAttempt attempt(stage, 0, "n5");
    attempt.begin(0);
    attempt.fail(0, kind);
    const cluster::SheetStatus status = first(stage);
    EXPECT_EQ(status.state, cluster::SheetState::kFailed) << name_of(kind);
    EXPECT_EQ(status.node, "n5");
    EXPECT_EQ(status.result.failure->message, "it went wrong");
  }
  for (const ErrorKind kind : {ErrorKind::kMissing,
                               ErrorKind::kIo,
                               ErrorKind::kDevice,
                               ErrorKind::kDeviceLost,
                               ErrorKind::kCannotCreate,
                               ErrorKind::kBug,
                               ErrorKind::kDiskFull,
                               ErrorKind::kOutOfMemory,
                               ErrorKind::kBusy}) {
    EXPECT_FALSE(cluster::is_final(kind)) << name_of(kind);
  }
}

TEST(SheetStatus, GoesByWhatWasWrongWhenThePlanWasMade) {
  RecordStage stage;
  const run::Failure failure{ErrorKind::kMissing, "in0.tif: it is not there"};
  stage.plan.sheets[0].failure = failure;
  FakeAttempt(stage, 0, "n1").make(0, "bytes");  // by another plan's sheet of this name
  FakeAttempt(stage, 0, "n1").make(1, "bytes");
  const auto all = cluster::evaluate_sheets(
      stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest);
  EXPECT_EQ(all.at(0).state, cluster::SheetState::kFailed);
  EXPECT_EQ(all[0].node, "");
  EXPECT_EQ(all[0].tries, 0U);
  EXPECT_FALSE(all[0].may_run);
  EXPECT_EQ(all[0].result.input, stage.plan.sheets[0].page.input);
  for (const auto& told : {all[0].failure, all[0].result.failure}) {
    ASSERT_TRUE(told);
    EXPECT_EQ(told->kind, failure.kind);
    EXPECT_EQ(told->message, failure.message);
  }
  EXPECT_EQ(all.at(1).state, cluster::SheetState::kDone);
}

TEST(SheetStatus, BelievesOnlyItsOwnSubmission) {
  RecordStage stage;
  stage.plan.task.tries = 1;
  FakeAttempt(stage, 0).make(0, "bytes");
  FakeAttempt failed(stage, 0);
  failed.begin(1);
  stage.plan.id = "ba9876543210";
  const auto all = cluster::evaluate_sheets(
      stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest);
  EXPECT_EQ(all.at(0).state, cluster::SheetState::kOpen);
  EXPECT_EQ(all.at(1).state, cluster::SheetState::kOpen);
  EXPECT_EQ(all.at(1).tries, 0U);
}

TEST(SheetStatus, TellsOfOneUnitAlone) {
  const RecordStage stage(5, 2);
  FakeAttempt(stage, 1).make(3, "bytes");
  const auto unit = cluster::evaluate_sheets(
      stage.plan, cluster::read_attempts(stage.plan, 1), cluster::VerifyMode::kDigest, 1);
  ASSERT_EQ(unit.size(), 2U);
  EXPECT_EQ(unit[0].state, cluster::SheetState::kOpen);
  EXPECT_EQ(unit[1].state, cluster::SheetState::kDone);
  EXPECT_EQ(unit[1].result.index, 3U);
  const auto all = cluster::evaluate_sheets(
      stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[3].state, cluster::SheetState::kDone);
}

}  // namespace
}  // namespace mezzo::test::sheet_status_test
