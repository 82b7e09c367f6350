// The simulation against cases that can be worked out by hand and against what was measured; the
// formula against the simulation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/lab/bench/cluster/model.h"

namespace mezzo::test::cluster_model_test {
namespace {

/// Nothing but work takes time, almost.
bench::Cluster swift(uint32_t nodes, uint32_t slots) {
  return {.nodes = nodes,
          .slots = slots,
          .tasks_per_s = 1e9,
          .turnaround_s = 0,
          .total_mib_per_s = 1e9,
          .node_mib_per_s = 1e9,
          .most_units = 1'000'000};
}

TEST(ClusterUnits, HaveTheSecondsAskedForOrWhatTheArrayLeaves) {
  const bench::ClusterJob job = {.pages = 100, .page_s = 4, .unit_s = 10};
  EXPECT_EQ(bench::cut_job(job, 1000).pages, 3U);
  EXPECT_EQ(bench::cut_job(job, 1000).count, 34U);
  EXPECT_FALSE(bench::cut_job(job, 34).array_is_full);
  EXPECT_EQ(bench::cut_job(job, 33).pages, 4U);
  EXPECT_TRUE(bench::cut_job(job, 33).array_is_full);
  EXPECT_EQ(bench::cut_job({.pages = 5, .page_s = 1, .unit_s = 60}, 1000).count, 1U);
  EXPECT_EQ(bench::cut_job({.pages = 5, .page_s = 60, .unit_s = 10}, 1000).count, 5U);
  EXPECT_EQ(bench::cut_job({.pages = 100, .page_s = 0.1, .unit_s = 10}, 1000).pages, 100U);
}

TEST(ClusterSimulation, OneSlotIsASum) {
  bench::Cluster cluster = swift(1, 1);
  cluster.tasks_per_s = 4;  // 1/8 s for a start, and for an end
  cluster.turnaround_s = 0.75;
  const bench::ClusterJob job = {.pages = 6, .page_s = 1.5, .unit_s = 3};  // 3 units of 2 pages
  const bench::ClusterRun run = bench::simulate_cluster(job, cluster);
  EXPECT_DOUBLE_EQ(run.seconds, 3 * (0.125 + 0.75 + 2 * 1.5 + 0.125));
  EXPECT_EQ(run.tasks, 3U);
  EXPECT_EQ(run.pages, 6U);
  EXPECT_DOUBLE_EQ(bench::estimate_cluster(job, cluster).seconds, run.seconds);
}

// A starts at 1, B at 2; A's end is served from 11 to 12 and B's to 13, then C starts at 14 and D
// at 15; C's end is served from 24 to 25, and D's to 26.
TEST(ClusterSimulation, OneControllerServesInTurn) {
  bench::Cluster cluster = swift(1, 2);
  cluster.tasks_per_s = 0.5;
  const bench::ClusterJob job = {.pages = 4, .page_s = 10, .unit_s = 1};
  EXPECT_DOUBLE_EQ(bench::simulate_cluster(job, cluster).seconds, 26);
}

TEST(ClusterSimulation, AControllerThatNeverRestsTakesItsTimeForEachTask) {
  bench::Cluster cluster = swift(100, 10);
  cluster.tasks_per_s = 10;
  const bench::ClusterJob job = {.pages = 1000, .page_s = 0.1, .unit_s = 0.1};
  EXPECT_NEAR(bench::simulate_cluster(job, cluster).seconds, 100, 1e-6);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kController);
}

// 800 starts take 8 s, and the first task ends after 10. Then 800 ends and 800 starts take 16 s,
// and the task that is started last 10: 36, if each end is there when it is its turn.
TEST(ClusterModel, TheControllerRestsUntilTheFirstTaskEnds) {
  bench::Cluster cluster = swift(100, 8);
  cluster.tasks_per_s = 50;
  const bench::ClusterJob job = {.pages = 1600, .page_s = 10, .unit_s = 10};
  EXPECT_NEAR(bench::estimate_cluster(job, cluster).seconds, 36.02, 1e-6);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kController);
  const double seconds = bench::simulate_cluster(job, cluster).seconds;
  EXPECT_GT(seconds, 36.02 - 1e-6);
  EXPECT_LT(seconds, 38);
}

TEST(ClusterSimulation, AFileSystemThatNeverRestsTakesItsTimeForEachByte) {
  bench::Cluster cluster = swift(4, 2);
  cluster.total_mib_per_s = 20;
  bench::ClusterJob job = {
      .pages = 400, .page_s = 0.01, .input_mib = 7, .plate_mib = 3, .unit_s = 0.01};
  EXPECT_NEAR(bench::simulate_cluster(job, cluster).seconds, 200, 0.01);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kFileSystem);
  cluster.node_mib_per_s = 4;  // four nodes: 16 in all
  EXPECT_NEAR(bench::simulate_cluster(job, cluster).seconds, 250, 0.01);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kNodeLink);
  job.page_s = 100;  // bytes travel meanwhile
  EXPECT_NEAR(bench::simulate_cluster(job, cluster).seconds, 400.0 * 100 / 8, 0.01);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kSlots);
}

TEST(ClusterSimulation, FastNodesTakeMoreThanSlowOnes) {
  bench::Cluster cluster = swift(2, 1);
  cluster.slow_share = 0.5;
  cluster.slow_factor = 0.5;
  EXPECT_NEAR(
      bench::simulate_cluster({.pages = 30, .page_s = 1, .unit_s = 1}, cluster).seconds, 20, 1e-3);
}

TEST(ClusterSimulation, SlotsWithoutUnitsIdle) {
  bench::Cluster cluster = swift(50, 8);
  cluster.most_units = 100;
  const bench::ClusterJob job = {.pages = 1000, .page_s = 1, .unit_s = 1};
  EXPECT_NEAR(bench::simulate_cluster(job, cluster).seconds, 10, 1e-3);
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit, bench::ClusterLimit::kArray);
  cluster.most_units = 1001;
  EXPECT_EQ(bench::estimate_cluster(job, cluster).limit,
            bench::ClusterLimit::kPages);  // 400 slots: 2.5 waves
}

TEST(ClusterSimulation, SpreadChangesPagesAndNotTheirMean) {
  bench::ClusterJob job = {.pages = 100'000, .page_s = 1, .unit_s = 1, .spread = 0.5};
  const bench::Cluster cluster = swift(1, 1);
  const double seconds = bench::simulate_cluster(job, cluster).seconds;
  EXPECT_NEAR(seconds, 1e5, 5 * 0.5 * std::sqrt(1e5));  // five standard deviations
  EXPECT_NE(seconds, 1e5);
  EXPECT_EQ(bench::simulate_cluster(job, cluster).seconds, seconds);
  job.seed = 2;
  EXPECT_NE(bench::simulate_cluster(job, cluster).seconds, seconds);
}

// One slot, one unit: each failure costs the repair or the wait of its task, whichever is longer,
// at most one page, and the start of a task.
TEST(ClusterSimulation, ANodeThatFailsCostsItsRepairAndNoMoreThanAPage) {
  bench::Cluster cluster = swift(1, 1);
  cluster.turnaround_s = 1;
  const bench::ClusterJob job = {.pages = 2000, .page_s = 20, .unit_s = 1e6};
  const double without = bench::simulate_cluster(job, cluster).seconds;
  cluster.mtbf_hours = 0.5;
  for (const double repair_s : {600.0, 10.0}) {
    cluster.repair_s = repair_s;
    const double away_s = std::max(repair_s, cluster.notice_s + cluster.requeue_s);
    const bench::ClusterRun run = bench::simulate_cluster(job, cluster);
    const auto again = static_cast<double>(run.tasks - 1);
    const double idle = static_cast<double>(run.failures) - again;  // while the task waits
    EXPECT_GT(again, 10);
    EXPECT_GE(idle, 0);
    EXPECT_EQ(run.pages, job.pages);
    EXPECT_GT(run.seconds, without + again * away_s);
    EXPECT_LT(run.seconds,
              without + again * (away_s + job.page_s + 1 + 1e-6) + idle * cluster.repair_s);
  }
}

TEST(ClusterSimulation, ManyNodesThatFailLoseNoPage) {
  const bench::Cluster cluster = {
      .nodes = 40, .slots = 4, .total_mib_per_s = 2000, .most_units = 100'000, .mtbf_hours = 0.5};
  const bench::ClusterJob job = {.pages = 40'000, .page_s = 10, .input_mib = 100, .unit_s = 40};
  const bench::ClusterRun run = bench::simulate_cluster(job, cluster);
  EXPECT_GT(run.failures, 20U);
  EXPECT_GT(run.tasks, 10'000U);
  EXPECT_EQ(run.pages, job.pages);
  EXPECT_EQ(bench::simulate_cluster(job, cluster).seconds, run.seconds);
}

// Most tasks wait for the controller, so some are gone when it is their turn.
TEST(ClusterSimulation, CallsOfNodesThatFailedComeToNothing) {
  bench::Cluster cluster = {.nodes = 40, .slots = 10, .tasks_per_s = 1, .mtbf_hours = 0.5};
  const bench::ClusterJob job = {.pages = 1000, .page_s = 20, .unit_s = 20};
  const bench::ClusterRun run = bench::simulate_cluster(job, cluster);
  EXPECT_GT(run.failures, 5U);
  EXPECT_EQ(run.pages, job.pages);
}

// 300 tasks that do nothing, on Slurm 22.05 with its daemons on one machine of 2 cores: 33 to 42 s
// on 6 slots and 5.7 to 6.6 s on 48.
TEST(ClusterSimulation, AgreesWithSlurm) {
  const bench::ClusterJob job = {.pages = 300, .page_s = 1e-3, .unit_s = 1e-3};
  const double six = bench::simulate_cluster(job, {.nodes = 3, .slots = 2}).seconds;
  EXPECT_GT(six, 33);
  EXPECT_LT(six, 42);
  const double many = bench::simulate_cluster(job, {.nodes = 6, .slots = 8}).seconds;
  EXPECT_GT(many, 5.7);
  EXPECT_LT(many, 6.6);
}

/// How far the formula is from the simulation.
double deviation(const bench::ClusterJob& job, const bench::Cluster& cluster) {
  return bench::estimate_cluster(job, cluster).seconds /
             bench::simulate_cluster(job, cluster).seconds -
         1;
}

TEST(ClusterModel, AgreesWithTheSimulationWhereverTheLimitIs) {
  constexpr double kTolerance = 0.1;
  constexpr uint32_t kNodes[] = {1, 5, 20, 100, 500, 1000};
  for (const double page_s : {0.2, 2.0, 6.0}) {
    for (const auto& [unit_s, slots] : {std::pair(10.0, 1U), {60.0, 1U}, {10.0, 8U}, {60.0, 8U}}) {
      for (const uint32_t most_units : {1000U, 100'000U}) {
        for (const double total_mib_per_s : {1000.0, 100'000.0}) {
          for (const double spread : {0.0, 0.2}) {
            const bench::ClusterJob job = {.pages = 20'000,
                                           .page_s = page_s,
                                           .input_mib = 95,
                                           .plate_mib = 3,
                                           .unit_s = unit_s,
                                           .spread = spread};
            for (const uint32_t nodes : kNodes) {
              const bench::Cluster cluster = {.nodes = nodes,
                                              .slots = slots,
                                              .total_mib_per_s = total_mib_per_s,
                                              .node_mib_per_s = 1000,
                                              .most_units = most_units};
              EXPECT_LT(std::abs(deviation(job, cluster)), kTolerance)
                  << deviation(job, cluster) << ": " << nodes << " nodes of " << slots
                  << " slots, pages of " << page_s << " s, units of " << unit_s << " s, at most "
                  << most_units << ", " << total_mib_per_s << " MiB/s, spread " << spread
                  << ", limit " << bench::to_string(bench::estimate_cluster(job, cluster).limit);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::cluster_model_test
