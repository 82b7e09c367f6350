// What Slurm is told and how its answers are understood, against a stand-in for its commands.
#include "pipeline/cluster/engine/slurm_engine.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/base/error.h"
#include "tests/pipeline/cluster/engine/fake_slurm.h"

namespace mezzo::test::slurm_engine_test {
namespace {

using namespace std::chrono_literals;
using test::FakeSlurm;
using test::TempFolder;
using test::Variable;
using Words = std::vector<std::string>;

constexpr std::array<uint32_t, 4> kUnits = {0, 1, 2, 5};
constexpr auto kPatience = 10min;  // ends a stand-in that hangs; no load of the machine reaches it

class SlurmEngineTest : public testing::Test {
 protected:
  SlurmEngineTest() {
    plan_.path = folder_ / "night.plan";
    plan_.id = "0123456789ab";
    plan_.task.threads = 4;
    plan_.task.memory_bytes = (300 << 20) + 1;
    plan_.task.program = "/opt/mezzotint/bin/mezzotint";
  }

  std::string submit(std::chrono::seconds delay = 0s) {
    return engine_->submit(plan_, kUnits, delay);
  }

  /// The message of the Error(kDevice) that submit() throws; empty when it does not.
  std::string refusal() {
    try {
      submit();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kDevice);
      return error.what();
    }
    return {};
  }

  /// The words of a call; none when there was no such call.
  Words words(size_t call) const {
    const auto calls = slurm_.calls();
    EXPECT_LT(call, calls.size());
    return call < calls.size() ? calls[call].words : Words(20);
  }

  TempFolder folder_;
  FakeSlurm slurm_;
  cluster::ClusterPlan plan_;
  /// Looks once for an array that a command may have submitted all the same.
  std::unique_ptr<cluster::ClusterEngine> engine_ =
      cluster::make_slurm_engine({.submit = kPatience, .query = kPatience, .search = 0s});
};

TEST_F(SlurmEngineTest, SubmitsAnArrayAndAJobThatCollects) {
  EXPECT_EQ(submit(), "101");
  const auto calls = slurm_.calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].command, "sbatch");
  const std::string path = plan_.path;
  EXPECT_EQ(calls[0].words,
            (Words{"--parsable",
                   "--array=0-2,5",
                   "--requeue",
                   "--open-mode=append",
                   "--signal=B:TERM@60",
                   "--nodes=1",
                   "--ntasks=1",
                   "--cpus-per-task=4",
                   "--mem=301M",
                   "--job-name=mz-0123456789ab",
                   "--chdir=" + path,
                   "--output=" + path + "/logs/%a.log",
                   "--wrap",
                   "exec '/opt/mezzotint/bin/mezzotint' worker '" + path +
                       "' \"$SLURM_ARRAY_TASK_ID\""}));
  EXPECT_EQ(calls[1].words,
            (Words{"--parsable",
                   "--dependency=afterany:101",
                   "--kill-on-invalid-dep=yes",
                   "--requeue",
                   "--open-mode=append",
                   "--nodes=1",
                   "--ntasks=1",
                   "--cpus-per-task=1",
                   "--mem=256M",
                   "--job-name=mz-0123456789ab-collect",
                   "--chdir=" + path,
                   "--output=" + path + "/logs/collect.log",
                   "--wrap",
                   "exec '/opt/mezzotint/bin/mezzotint' collect --task '" + path + "'"}));
  EXPECT_TRUE(std::filesystem::is_directory(path + "/logs"));
}

TEST_F(SlurmEngineTest, AsksForWhatATaskNeeds) {
  plan_.task.gpus = 2;
  plan_.task.at_once = 7;
  plan_.task.partition = "print";
  plan_.task.begin = "22:00";
  plan_.task.sbatch = {"--account=books", "--time=30"};
  submit();
  const auto calls = slurm_.calls();
  ASSERT_EQ(calls.size(), 2u);
  const Words& array = calls[0].words;
  EXPECT_EQ(array[1], "--array=0-2,5%7");
  EXPECT_EQ(Words(array.begin() + 9, array.begin() + 12),
            (Words{"--gres=gpu:2", "--partition=print", "--begin=22:00"}));
  EXPECT_EQ(Words(array.end() - 4, array.end() - 1),
            (Words{"--account=books", "--time=30", "--wrap"}));
  const Words& collect = calls[1].words;
  EXPECT_EQ(Words(collect.begin(), collect.begin() + 4),
            (Words{"--account=books", "--time=30", "--partition=print", "--parsable"}));
  for (const std::string& word : collect) {
    EXPECT_FALSE(word.starts_with("--gres") || word.starts_with("--begin")) << word;
  }
}

TEST_F(SlurmEngineTest, BeginsAgainAfterTheDelayAndNotTheNextNight) {
  plan_.task.begin = "22:00";
  submit(90s);
  const Words given = words(0);
  EXPECT_NE(std::find(given.begin(), given.end(), "--begin=now+90"), given.end());
  EXPECT_EQ(std::find(given.begin(), given.end(), "--begin=22:00"), given.end());
}

TEST_F(SlurmEngineTest, QuotesOddPaths) {
  plan_.path = folder_ / "it's 100 %a \"$HOME\".plan";
  plan_.task.program = "/opt/my tools/mezzotint";
  submit();
  const Words given = words(0);
  EXPECT_EQ(given[10], "--chdir=" + plan_.path);
  EXPECT_EQ(given[11], "--output=" + folder_.path() + "/it's 100 %%a \"$HOME\".plan/logs/%a.log");
  EXPECT_EQ(given[13],
            "exec '/opt/my tools/mezzotint' worker '" + folder_.path() +
                "/it'\\''s 100 %a \"$HOME\".plan' \"$SLURM_ARRAY_TASK_ID\"");
}

TEST_F(SlurmEngineTest, RefusesAFolderWithABackslash) {
  plan_.path = folder_ / "back\\slash.plan";
  try {
    submit();
    FAIL() << "submitted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.what(),
              plan_.path +
                  ": Slurm writes no logs to a folder with a backslash in its name; "
                  "choose another for the plan");
  }
  EXPECT_TRUE(slurm_.calls().empty());
}

TEST_F(SlurmEngineTest, HandsOverInPartWhatIsTooLongForACommandLine) {
  std::vector<uint32_t> every_other;
  for (uint32_t i = 0; i < 60'000; ++i) every_other.push_back(2 * i);
  engine_->submit(plan_, every_other, 0s);
  const Words given = words(0);
  EXPECT_TRUE(given[1].starts_with("--array=0,2,4,"));
  EXPECT_LT(given[1].size(), 100'100u);
  EXPECT_GT(given[1].size(), 70'000u);
}

TEST_F(SlurmEngineTest, HidesWhatAnOuterJobOrTheUserSetForOthers) {
  const Variable conf("SLURM_CONF", "/etc/slurm/slurm.conf");
  const Variable account("SBATCH_ACCOUNT", "books");
  const Variable task("SLURM_ARRAY_TASK_ID", "3");
  const Variable memory("SLURM_MEM_PER_CPU", "100");
  const Variable array("SBATCH_ARRAY_INX", "0-9");
  const Variable wait("SBATCH_WAIT", "1");
  const Variable states("SQUEUE_STATES", "FAILED");
  submit();
  engine_->queue(plan_);
  const auto calls = slurm_.calls();
  EXPECT_EQ(calls.size(), 3u);
  for (const auto& call : calls) {
    EXPECT_EQ(call.variables, (Words{"SBATCH_ACCOUNT", "SLURM_CONF"})) << call.command;
  }
}

TEST_F(SlurmEngineTest, CutsTheClusterOffTheName) {
  slurm_.next("sbatch", "cluster");
  EXPECT_EQ(submit(), "101");
  EXPECT_EQ(words(1)[1], "--dependency=afterany:101");
}

TEST_F(SlurmEngineTest, SaysWhatSlurmSaysWhenItRefuses) {
  slurm_.next("sbatch", "fail invalid partition specified: foo");
  EXPECT_EQ(refusal(), "sbatch: error: invalid partition specified: foo");
  EXPECT_EQ(slurm_.calls().size(), 1u) << "no collecting job, and nothing to be found";
}

TEST_F(SlurmEngineTest, GivesTheArrayEvenWithoutACollectingJob) {
  slurm_.next("sbatch", "ok\nfail Unable to contact slurm controller (connect failure)");
  EXPECT_EQ(submit(), "101");
  EXPECT_FALSE(engine_->queue(plan_).collects);
}

TEST_F(SlurmEngineTest, FindsAnArrayWhoseAcknowledgementWasLost) {
  slurm_.next("sbatch", "keep");
  EXPECT_EQ(submit(), "101");
  EXPECT_EQ(slurm_.calls().back().words[1], "--dependency=afterany:101");
}

TEST_F(SlurmEngineTest, FindsAnArrayThatIsTakenAfterSbatchGaveUp) {
  engine_ = cluster::make_slurm_engine(
      {.submit = kPatience, .query = kPatience, .search = kPatience, .pause = 10ms});
  slurm_.next("sbatch", "late");
  EXPECT_EQ(submit(), "101");
  EXPECT_TRUE(engine_->queue(plan_).collects);
}

TEST_F(SlurmEngineTest, FailsWhenTheArrayIsNotThereAfterATimeOut) {
  slurm_.next("sbatch", "lose");
  EXPECT_EQ(refusal(),
            "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation");
}

TEST_F(SlurmEngineTest, DoesNotTakeAnotherArrayForTheOneThatTimedOut) {
  constexpr std::array<uint32_t, 1> kOthers = {9};
  engine_->submit(plan_, kOthers, 0s);
  slurm_.next("sbatch", "lose");
  EXPECT_NE(refusal(), "");
}

TEST_F(SlurmEngineTest, FindsTheArrayOfASbatchThatHangs) {
  slurm_.has_array(101, "mz-" + plan_.id, kUnits);
  slurm_.next("sbatch", "hang");
  engine_ = cluster::make_slurm_engine({.submit = 200ms, .query = kPatience, .search = 0s});
  EXPECT_EQ(submit(), "101");
}

TEST_F(SlurmEngineTest, SaysThatNothingAnswers) {
  engine_ = cluster::make_slurm_engine({.submit = 500ms, .query = 300ms, .search = 0s});
  slurm_.next("sbatch", "hang");
  slurm_.next("squeue", "hang");
  EXPECT_EQ(refusal(), "sbatch: no answer within 0.5 s; is Slurm's controller up?");
}

TEST_F(SlurmEngineTest, DoesNotBelieveAnAnswerWithoutANumber) {
  slurm_.next("sbatch", "say submitted, thank you");
  EXPECT_EQ(refusal(), "sbatch: ended with 0 and an answer that cannot be read");
}

TEST_F(SlurmEngineTest, KnowsWhereThereIsNoSlurm) {
  const Variable path("PATH", folder_.path());
  const std::string hint =
      ": Slurm is not installed on this machine; --engine local runs the units here";
  EXPECT_EQ(refusal(), "sbatch" + hint);
  const cluster::Queue queue = engine_->queue(plan_);
  EXPECT_FALSE(queue.answers);
  EXPECT_EQ(queue.why, "squeue" + hint);
}

TEST_F(SlurmEngineTest, ReadsTheQueue) {
  submit();
  slurm_.states(
      "101_0 RUNNING None\n"
      "101_1 PENDING JobHeldUser\n"
      "101_2 PENDING Resources\n"
      "101_5 SPECIAL_EXIT JobHeldUser\n");
  cluster::Queue queue = engine_->queue(plan_);
  EXPECT_TRUE(queue.answers);
  EXPECT_EQ(queue.running, (std::set<uint32_t>{0}));
  EXPECT_EQ(queue.waiting, (std::set<uint32_t>{2}));
  EXPECT_EQ(queue.held, (std::set<uint32_t>{1, 5}));
  EXPECT_EQ(queue.stuck, (std::set<uint32_t>{5}));
  EXPECT_EQ(queue.reason, "Resources");
  EXPECT_TRUE(queue.collects);
  EXPECT_EQ(
      slurm_.calls().back().words,
      (Words{"-h", "-r", "-n", "mz-0123456789ab,mz-0123456789ab-collect", "-o", "%j|%F|%K|%T|%r"}));

  slurm_.states(
      "101_0 COMPLETING None\n101_1 SUSPENDED None\n"
      "101_2 FAILED NonZeroExitCode\n101_5 REQUEUE_HOLD None\n102 CANCELLED None\n");
  queue = engine_->queue(plan_);
  EXPECT_EQ(queue.running, (std::set<uint32_t>{0, 1}));
  EXPECT_TRUE(queue.waiting.empty());
  EXPECT_EQ(queue.held, (std::set<uint32_t>{5}));
  EXPECT_TRUE(queue.stuck.empty());
  EXPECT_FALSE(queue.collects);

  slurm_.states(
      "101_0 RUNNING JobHoldMaxRequeue\n"
      "101_1 PENDING JobHoldMaxRequeue\n101_2 PENDING launch failed requeued held\n");
  queue = engine_->queue(plan_);
  EXPECT_EQ(queue.running, (std::set<uint32_t>{0}));
  EXPECT_EQ(queue.held, (std::set<uint32_t>{1, 2}));
  EXPECT_EQ(queue.stuck, (std::set<uint32_t>{1, 2}));
}

TEST_F(SlurmEngineTest, TellsTheReasonOfMostThatWait) {
  submit();
  slurm_.states(
      "101_0 PENDING Priority\n101_1 PENDING PartitionDown\n101_2 PENDING PartitionDown\n");
  EXPECT_EQ(engine_->queue(plan_).reason, "PartitionDown");
  slurm_.states("");
  EXPECT_EQ(engine_->queue(plan_).reason, "") << "None is no reason";
}

TEST_F(SlurmEngineTest, HasNothingInHandThatSlurmForgot) {
  slurm_.next("sbatch", "forget\nforget");
  EXPECT_EQ(submit(), "101");
  const cluster::Queue queue = engine_->queue(plan_);
  EXPECT_TRUE(queue.answers);
  EXPECT_TRUE(queue.is_empty());
}

TEST_F(SlurmEngineTest, DoesNotTakeNoAnswerForAnEmptyQueue) {
  submit();
  slurm_.next("squeue", "fail slurm_load_jobs error: Unable to contact slurm controller");
  const cluster::Queue refused = engine_->queue(plan_);
  EXPECT_FALSE(refused.answers);
  EXPECT_EQ(refused.why,
            "squeue: error: slurm_load_jobs error: Unable to contact slurm controller");
  EXPECT_TRUE(refused.is_empty());
  slurm_.next("squeue", "say mz-0123456789ab|101|2-5,9%2|PENDING|None\nsay what?");
  EXPECT_EQ(engine_->queue(plan_).why, "squeue: not the number of a task: 2-5,9%2");
  EXPECT_EQ(engine_->queue(plan_).why, "squeue: a line that cannot be read: what?");
}

TEST_F(SlurmEngineTest, HasAsManyUnitsAsSlurmTakes) {
  slurm_.config("MaxArraySize            = 1001\nMaxJobCount             = 10000\n");
  EXPECT_EQ(engine_->most_units(), 1001u);
  slurm_.config(
      "MaxArraySize            = 1001\n"
      "SchedulerParameters     = bf_interval=2,max_array_tasks=500,sched_interval=2\n");
  EXPECT_EQ(engine_->most_units(), 500u);
  slurm_.config("MaxArraySize            = 0\n");
  EXPECT_THROW(engine_->most_units(), Error);
  slurm_.next("scontrol", "fail Unable to contact slurm controller");
  EXPECT_THROW(engine_->most_units(), Error);
}

}  // namespace
}  // namespace mezzo::test::slurm_engine_test
