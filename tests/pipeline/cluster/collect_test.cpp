#include "pipeline/cluster/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "pipeline/exit_status.h"
#include "stages/files/temporary_name.h"
#include "tests/pipeline/cluster/records/record_support.h"

namespace mezzo::test::collect_test {
namespace {

using test::FakeAttempt;
using test::RecordStage;
using testing::ElementsAre;
using testing::IsEmpty;

/// Says of its queue what it was told, the last for good, and notes what is handed over.
class ToldEngine final : public cluster::ClusterEngine {
 public:
  uint32_t most_units() override { return 1000; }
  std::string submit(const cluster::ClusterPlan&,
                     std::span<const uint32_t> units,
                     std::chrono::seconds) override {
    if (refuses) throw Error(ErrorKind::kDevice, "no");
    submitted.emplace_back(units.begin(), units.end());
    return "7";
  }
  void cancel(const cluster::ClusterPlan&) override {}
  cluster::Queue queue(const cluster::ClusterPlan&) override {
    cluster::Queue now = queues.front();
    if (queues.size() > 1) queues.pop_front();
    return now;
  }

  bool refuses = false;
  std::deque<cluster::Queue> queues{cluster::Queue{}};
  std::vector<std::vector<uint32_t>> submitted;
};

cluster::Queue running(uint32_t unit) {
  cluster::Queue queue;
  queue.running = {unit};
  return queue;
}

/// Two units of one sheet, the second one done.
struct HalfDone : RecordStage {
  HalfDone() : RecordStage(2, 1) {
    plan.task.tries = 1;
    FakeAttempt(*this, 1).make(1, "bytes");
  }
  /// Where a plate is while an attempt, which this process plays, writes it.
  std::string temporary() const {
    return folder.path() + "/out/.0.tif" + files::temporary_tail(files::this_process(), 0x01234567);
  }
};

TEST(Collect, TakesNoTaskThatRunsForOneThatWasKilled) {
  HalfDone stage;
  FakeAttempt last(stage, 0);
  last.begin(0);
  std::ofstream(stage.temporary()) << "half";
  ToldEngine engine;
  engine.queues = {running(0)};
  const cluster::Collected while_it_runs = cluster::collect(stage.plan, &engine, false);
  EXPECT_EQ(while_it_runs.tally.failed, 0U);
  EXPECT_EQ(while_it_runs.tally.open, 1U);
  EXPECT_THAT(while_it_runs.waiting, ElementsAre(0U));
  EXPECT_TRUE(std::filesystem::exists(stage.temporary()));
  // Nobody can tell: it is no failure yet.
  engine.queues.front() = {};
  engine.queues.front().answers = false;
  EXPECT_EQ(cluster::collect(stage.plan, &engine, false).tally.open, 1U);
  EXPECT_TRUE(std::filesystem::exists(stage.temporary()));
  // Without a scheduler to ask it counts as killed, and its file is left alone all the same.
  EXPECT_EQ(cluster::collect(stage.plan, nullptr, false).tally.failed, 1U);
  EXPECT_TRUE(std::filesystem::exists(stage.temporary()));
  engine.queues = {cluster::Queue{}};
  EXPECT_EQ(cluster::collect(stage.plan, &engine, false).tally.failed, 1U);
  EXPECT_FALSE(std::filesystem::exists(stage.temporary()));
  EXPECT_THAT(engine.submitted, IsEmpty());
}

TEST(Collect, NotesNoSubmissionThroughALink) {
  const HalfDone stage;
  const std::string other = stage.plan.path + "-other";
  std::ofstream(other) << "mine";
  std::filesystem::create_symlink(other, stage.plan.path + "/submissions");
  ToldEngine engine;
  EXPECT_THROW(cluster::submit_units(stage.plan, engine, {0}, 0, std::chrono::seconds(0)), Error);
  EXPECT_EQ(test::text_of(other), "mine");
}

TEST(Collect, NotesSubmissionsInTheseBytes) {
  const HalfDone stage;
  ToldEngine engine;
  cluster::submit_units(stage.plan, engine, {0, 1}, 3, std::chrono::seconds(0));
  std::string text = test::text_of(stage.plan.path + "/submissions");
  const std::string time = "\"time_ms\":";
  text.replace(text.find(time) + time.size(), 13, "TIME");
  EXPECT_EQ(text,
            "{\"v\":1,\"plan\":\"0123456789ab\",\"job_id\":\"7\",\"time_ms\":TIME,\"units\":2,"
            "\"settled\":3}\n");
  std::ofstream(stage.plan.path + "/submissions", std::ios::app)
      << R"({"v":2,"plan":"0123456789ab","job_id":"8","time_ms":5,"units":1,"settled":0})"
      << "\n"
      << R"({"v":1,"plan":"other","job_id":"8","time_ms":5,"units":1,"settled":0})"
      << "\n"
      << R"({"v":1,"plan":"0123456789ab","job_id":8,"time_ms":5,"units":1,"settled":0})"
      << "\n[]\n"
      << R"({"v":1,"plan":"0123456789ab","job_id":"9","time_ms":5,"units":1,"settled":2,"more":0})"
      << "\n"
      << R"({"v":1,"plan":"0123456789ab","job_id":"10","time_ms":5,)";
  const auto read = cluster::read_submissions(stage.plan);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].job_id, "7");
  EXPECT_EQ(read[0].units, 2U);
  EXPECT_EQ(read[0].settled, 3U);
  EXPECT_EQ(read[1].job_id, "9");
  EXPECT_EQ(read[1].time.time_since_epoch(), std::chrono::milliseconds(5));
}

TEST(Collect, TellsOfSheetsThatWereWrongInThePlan) {
  HalfDone stage;
  cluster::PlannedSheet& wrong = stage.plan.sheets[0];
  wrong.failure = run::Failure{ErrorKind::kData, "in0.tif: it is no TIFF file"};
  wrong.page.pages.clear();
  std::ofstream(stage.temporary()) << "half";  // of whoever else makes a plate of this name
  ToldEngine engine;
  cluster::Collected collected = cluster::collect(stage.plan, &engine, false);
  EXPECT_EQ(collected.tally.failed, 1U);
  EXPECT_EQ(collected.tally.open, 0U);
  EXPECT_THAT(engine.submitted, IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(stage.temporary()));
  const auto report = nlohmann::json::parse(test::text_of(stage.plan.path + "/report/report.json"));
  const auto& sheet = report.at("sheets").at(0);
  EXPECT_EQ(sheet.at("outcome"), "failed");
  EXPECT_EQ(sheet.at("error").at("kind"), "data");
  EXPECT_EQ(sheet.at("error").at("message"), "in0.tif: it is no TIFF file");
  EXPECT_NE(sheet.at("error").at("advice"), "");
  EXPECT_EQ(report.at("sheets").at(1).at("outcome"), "good");

  wrong.plates.clear();
  stage.plan.sheets[1].failure = wrong.failure;
  EXPECT_EQ(cluster::collect(stage.plan, &engine, false).tally.failed, 2U);
}

TEST(Collect, LeavesAUnitThatEndedMeanwhileToTheNextLook) {
  const HalfDone stage;
  ToldEngine engine;
  engine.queues = {running(0), cluster::Queue{}};
  const cluster::Collected collected = cluster::collect(stage.plan, &engine, false);
  EXPECT_THAT(engine.submitted, IsEmpty());
  EXPECT_THAT(collected.waiting, ElementsAre(0U));
  cluster::collect(stage.plan, &engine, false);
  EXPECT_THAT(engine.submitted, ElementsAre(ElementsAre(0U)));
}

TEST(Collect, LeavesAUnitThatAnotherHandedOverMeanwhile) {
  const HalfDone stage;
  ToldEngine engine;
  engine.queues = {cluster::Queue{}, running(0)};
  EXPECT_THAT(cluster::collect(stage.plan, &engine, false).waiting, ElementsAre(0U));
  EXPECT_THAT(engine.submitted, IsEmpty());
}

TEST(Collect, WritesItsReportWhenTheSchedulerRefuses) {
  const HalfDone stage;
  ToldEngine engine;
  engine.refuses = true;
  const cluster::Collected collected = cluster::collect(stage.plan, &engine, false);
  EXPECT_FALSE(collected.again);
  EXPECT_EQ(collected.tally.open, 1U);
  EXPECT_TRUE(std::filesystem::exists(stage.plan.path + "/report/report.json"));
}

TEST(Collect, IsRunAgainOnlyWhenNobodyLooksAfterWhatIsOpen) {
  const HalfDone stage;
  ToldEngine engine;
  engine.refuses = true;
  EXPECT_EQ(cluster::status_of_task(cluster::collect(stage.plan, &engine, false)), kExitTryAgain);
  engine.queues.front().answers = false;
  EXPECT_EQ(cluster::status_of_task(cluster::collect(stage.plan, &engine, false)), kExitTryAgain);
  engine.refuses = false;
  engine.queues = {running(0)};
  EXPECT_EQ(cluster::status_of_task(cluster::collect(stage.plan, &engine, false)), kExitSomeFailed);
  engine.queues = {cluster::Queue{}};
  for (int i = 0; i < 3; ++i) {  // handed over, and in vain
    EXPECT_EQ(cluster::status_of_task(cluster::collect(stage.plan, &engine, false)),
              kExitSomeFailed);
  }
  const cluster::Collected last = cluster::collect(stage.plan, &engine, false);
  EXPECT_TRUE(last.given_up);
  EXPECT_EQ(cluster::status_of_task(last), kExitSomeFailed);
  FakeAttempt(stage, 0).make(0, "bytes");
  EXPECT_EQ(cluster::status_of_task(cluster::collect(stage.plan, &engine, false)), kExitGood);
}

}  // namespace
}  // namespace mezzo::test::collect_test
