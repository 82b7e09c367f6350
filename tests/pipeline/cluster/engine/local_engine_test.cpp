// Units as processes, with a script in place of the program.
#include "pipeline/cluster/engine/local_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "kernels/base/error.h"
#include "pipeline/cluster/engine/make_cluster_engine.h"
#include "tests/pipeline/cluster/engine/fake_slurm.h"

namespace mezzo::test::local_engine_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using test::Variable;
using Lines = std::vector<std::string>;

/// A clock that goes on while the engine rests, and only then.
class RestedClock final : public cluster::LocalClock {
 public:
  explicit RestedClock(std::function<size_t()> calls) : calls_(std::move(calls)) {}
  std::chrono::steady_clock::time_point now() const override { return now_; }
  void rest(std::chrono::milliseconds time) override {
    now_ += time;
    rested[calls_()] += time;
  }
  /// How long it rested after so many calls of the program.
  std::map<size_t, std::chrono::milliseconds> rested;

 private:
  const std::function<size_t()> calls_;
  std::chrono::steady_clock::time_point now_;
};

class LocalEngineTest : public testing::Test {
 protected:
  /// The script gets `worker PLAN UNIT`; $tries is its count of tries at this unit, from 1.
  void program(const std::string& script) {
    folder_.write("program",
                  "#!/bin/sh\n"
                  "unit=$3; echo \"$1 $unit\" >>\"$2/calls\"\n"
                  "tries=$(grep -c \"^worker $unit\\$\" \"$2/calls\")\n" +
                      script + "\n");
    std::filesystem::permissions(folder_ / "program", std::filesystem::perms::owner_all);
    plan_.task.program = folder_ / "program";
    plan_.path = folder_ / "it's a.plan";
    folder_.write("it's a.plan/plan.json");
  }

  void run(std::vector<uint32_t> units, cluster::LocalPauses pauses = {10ms, 30ms}) {
    EXPECT_EQ(cluster::make_local_engine(pauses, stop_)->submit(plan_, units, 0s), "local");
  }

  Lines lines(const std::string& name) const {
    Lines lines;
    std::ifstream file(plan_.path + "/" + name);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  Lines sorted(const std::string& name) const {
    Lines all = lines(name);
    std::sort(all.begin(), all.end());
    return all;
  }

  TempFolder folder_;
  cluster::ClusterPlan plan_;
  std::atomic<bool> stop_{false};
  RestedClock clock_{[this] { return lines("calls").size(); }};
};

TEST_F(LocalEngineTest, RunsEachUnitOnce) {
  program("exit 0");
  run({0, 1, 7});
  EXPECT_EQ(sorted("calls"), (Lines{"worker 0", "worker 1", "worker 7"}));
}

TEST_F(LocalEngineTest, PutsAUnitBackAtTheEnd) {
  program("[ $unit = 1 ] && [ $tries -le 2 ] && exit 75; exit 0");
  plan_.task.at_once = 1;
  run({1, 2, 3}, {0ms, 0ms});
  EXPECT_EQ(lines("calls"), (Lines{"worker 1", "worker 2", "worker 3", "worker 1", "worker 1"}));
}

TEST_F(LocalEngineTest, TriesAgainAfterADeath) {
  program("[ $tries = 1 ] && kill -SEGV $$; exit 0");
  run({4});
  EXPECT_EQ(lines("calls"), (Lines{"worker 4", "worker 4"}));
}

TEST_F(LocalEngineTest, RestsLongerEachTime) {
  program("exit 75");
  plan_.task.tries = 1;  // four times in all
  constexpr std::array<uint32_t, 1> kUnit = {0};
  cluster::make_local_engine({2s, 7s}, stop_, clock_)->submit(plan_, kUnit, 0s);
  EXPECT_EQ(lines("calls").size(), 4u);
  EXPECT_EQ(clock_.rested,
            (std::map<size_t, std::chrono::milliseconds>{{1, 2s}, {2, 4s}, {3, 7s}}));
}

TEST_F(LocalEngineTest, LeavesAUnitOpenThatComesBackForEver) {
  program("exit 75");
  plan_.task.tries = 2;
  run({0, 1});
  EXPECT_EQ(std::ranges::count(lines("calls"), "worker 0"), 6);
  EXPECT_EQ(std::ranges::count(lines("calls"), "worker 1"), 6);
}

TEST_F(LocalEngineTest, EndsWithAnyOtherStatus) {
  program("exit $unit");
  run({0, 64, 65, 70, 74});
  EXPECT_EQ(lines("calls").size(), 5u);
}

TEST_F(LocalEngineTest, EndsWithoutAProgram) {
  program("exit 0");
  plan_.task.program = folder_ / "nowhere";
  run({3});
  ASSERT_EQ(lines("logs/3.log").size(), 1u);
  EXPECT_EQ(lines("logs/3.log")[0], folder_ / "nowhere" + ": No such file or directory");
}

TEST_F(LocalEngineTest, AddsWhatAUnitSaysToItsLog) {
  program("echo \"out $tries\"; echo \"error $tries\" >&2; [ $tries = 1 ] && exit 75; exit 0");
  run({2, 3});
  EXPECT_EQ(sorted("logs/2.log"), (Lines{"error 1", "error 2", "out 1", "out 2"}));
  EXPECT_EQ(sorted("logs/3.log"), (Lines{"error 1", "error 2", "out 1", "out 2"}));
}

/// Notes how many run at a time in `most`: waits for so many, or for the last unit, and then a while
/// for one too many.
std::string counts_others(uint32_t expected, size_t units) {
  return "touch \"$2/run.$unit\"\n"
         "note() { count=$(ls \"$2\" | grep -c '^run'); echo \"$count\" >>\"$2/most\"; }\n"
         "until note \"$@\"; [ \"$count\" -ge " +
         std::to_string(expected) + " ] || [ \"$(wc -l <\"$2/calls\")\" -ge " +
         std::to_string(units) +
         " ]; do sleep 0.01; done\n"
         "sleep 0.1; note \"$@\"; rm \"$2/run.$unit\"; exit 0";
}

TEST_F(LocalEngineTest, RunsAsManyAtOnceAsItShould) {
  program(counts_others(3, 8));
  plan_.task.at_once = 3;
  run({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(sorted("most").back(), "3");
}

TEST_F(LocalEngineTest, RunsAsManyAtOnceAsThereAreProcessorsFor) {
  program(counts_others(1, 3));
  plan_.task.threads = 1'000'000;
  run({0, 1, 2});
  EXPECT_EQ(sorted("most").back(), "1");
}

TEST_F(LocalEngineTest, StopsAllWhenAsked) {
  program(
      "trap 'echo stopped >>\"$2/ends\"; exit 75' TERM; echo >>\"$2/ready\"; "
      "while :; do sleep 0.05; done");
  plan_.task.at_once = 2;
  std::thread stopper([&] {
    while (lines("ready").size() < 2) std::this_thread::sleep_for(10ms);
    stop_ = true;
  });
  run({0, 1, 2}, {.stop = 24h});  // it waits no longer than the workers do
  stopper.join();
  EXPECT_EQ(lines("ends"), (Lines{"stopped", "stopped"}));
  EXPECT_EQ(lines("calls").size(), 2u) << "one was begun or put back after the stop";
}

TEST_F(LocalEngineTest, StopsWhileItWaits) {
  program("exit 75");
  std::thread stopper([&] {
    while (lines("calls").empty()) std::this_thread::sleep_for(10ms);
    stop_ = true;
  });
  run({0}, {24h, 24h});
  stopper.join();
  EXPECT_EQ(cluster::make_local_engine({}, stop_)->submit(plan_, std::array<uint32_t, 1>{0}, 24h),
            "local");
  EXPECT_EQ(lines("calls").size(), 1u);
}

TEST_F(LocalEngineTest, WaitsForTheDelay) {
  program("exit 0");
  cluster::make_local_engine({}, stop_, clock_)->submit(plan_, std::array<uint32_t, 1>{0}, 10s);
  EXPECT_EQ(clock_.rested, (std::map<size_t, std::chrono::milliseconds>{{0, 10s}}));
  EXPECT_EQ(lines("calls").size(), 1u);
}

TEST_F(LocalEngineTest, SharesOutTheGpusThatItIsTold) {
  // Each waits for the unit that shares the machine with it, so that no slot has both.
  program(
      "echo \"$CUDA_VISIBLE_DEVICES\" >>\"$2/gpus\"\n"
      "until [ \"$(wc -l <\"$2/gpus\")\" -ge $((unit / 2 * 2 + 2)) ]; do sleep 0.01; done");
  plan_.task.gpus = 2;
  plan_.task.at_once = 8;
  {
    const Variable gpus("CUDA_VISIBLE_DEVICES", "0,1,GPU-3f,5,7");
    run({0, 1, 2, 3});
    EXPECT_EQ(sorted("gpus"), (Lines{"0,1", "0,1", "GPU-3f,5", "GPU-3f,5"}));
  }
  std::filesystem::remove(plan_.path + "/gpus");
  program("echo \"$CUDA_VISIBLE_DEVICES\" >>\"$2/gpus\"");
  {
    const Variable gpus("CUDA_VISIBLE_DEVICES", "4");
    run({0});
    EXPECT_EQ(lines("gpus"), (Lines{"4"}));
  }
}

TEST_F(LocalEngineTest, LeavesGpusAloneThatItIsNotTold) {
  program("echo \"${CUDA_VISIBLE_DEVICES-unset}\" >>\"$2/gpus\"");
  const Variable gpus("CUDA_VISIBLE_DEVICES", "");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  plan_.task.gpus = 1;
  run({0});
  EXPECT_EQ(lines("gpus"), (Lines{"unset"}));
}

TEST_F(LocalEngineTest, HidesAnOuterJobsShare) {
  program("echo \"${SLURM_CPUS_PER_TASK-unset}\" >>\"$2/threads\"");
  const Variable threads("SLURM_CPUS_PER_TASK", "64");
  run({0});
  EXPECT_EQ(lines("threads"), (Lines{"unset"}));
}

TEST_F(LocalEngineTest, HasNothingInHandAfterwards) {
  program("exit 0");
  const auto engine = cluster::make_cluster_engine(cluster::ClusterEngineKind::kLocal, stop_);
  EXPECT_TRUE(engine->queue(plan_).answers);
  EXPECT_TRUE(engine->queue(plan_).is_empty());
  EXPECT_GT(engine->most_units(), 1'000'000u);
  EXPECT_THROW(cluster::make_cluster_engine(cluster::ClusterEngineKind::kNone, stop_), Error);
}

}  // namespace
}  // namespace mezzo::test::local_engine_test
