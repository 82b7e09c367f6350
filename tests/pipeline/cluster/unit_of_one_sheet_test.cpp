#include <gtest/gtest.h>

#include "pipeline/cluster/make_cluster_plan.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/records/attempt_record.h"
#include "pipeline/cluster/sheet_status.h"
#include "pipeline/cluster/unit_run.h"
#include "pipeline/exit_status.h"
#include "tests/pipeline/cluster/engine/fake_slurm.h"
#include "tests/pipeline/cluster/pages.h"

namespace mezzo::test::unit_of_one_sheet_test {
namespace {

/// A plan of one unit with one sheet.
class UnitOfOneSheet : public testing::Test {
 protected:
  UnitOfOneSheet() {
    test::write_pages(folder_ / "page.tif", 1);
    manifests::Job job;
    job.name = "job";
    job.folder = job.plates_folder = folder_.path();
    job.pages = {test::job_page(folder_.path(), "page.tif", "out/{stem}.tif")};
    cluster::TaskSettings task;
    task.program = "/usr/bin/mezzotint";
    task.tries = 2;
    plan_ = cluster::make_cluster_plan({job}, folder_ / "job.plan", task, {});
    cluster::save_plan(plan_);
  }

  int run(const cluster::Allocation& given) {
    run::JobObserver nobody;
    const std::atomic<bool> stop{false};
    return cluster::run_unit(plan_, 0, given, nobody, stop);
  }
  cluster::SheetStatus status() const {
    return cluster::evaluate_sheets(
               plan_, cluster::read_attempts(plan_), cluster::VerifyMode::kDigest)
        .at(0);
  }

  /// Writes of an attempt that met an error of our own.
  void fail_with_a_bug() {
    const plan::JobPlan job = plan::make_plan(cluster::job_of_unit(plan_, 0));
    cluster::AttemptRecord record(plan_, {}, {});
    record.set_job_plan(job, {0});
    run::SheetResult result;
    result.failure = run::Failure{ErrorKind::kBug, "it went wrong"};
    record.sheet_started(job.sheets[0]);
    record.sheet_finished(job.sheets[0], result);
  }

  test::TempFolder folder_;
  cluster::ClusterPlan plan_;
};

cluster::Allocation with_memory(uint64_t bytes) {
  return {.node = "n1", .slurm_job = "", .threads = 1, .memory_bytes = bytes, .gpus = ""};
}

TEST_F(UnitOfOneSheet, LeavesAPageToNodesThatHaveTheMemory) {
  EXPECT_EQ(run(with_memory(uint64_t{32} << 20)), kExitTryAgain);
  ASSERT_TRUE(status().failure);
  EXPECT_EQ(status().state, cluster::SheetState::kOpen) << status().failure->message;
  EXPECT_EQ(run(with_memory(uint64_t{8} << 30)), kExitGood);
  EXPECT_EQ(status().state, cluster::SheetState::kDone);
}

TEST_F(UnitOfOneSheet, IsNoBugForEver) {
  fail_with_a_bug();
  fail_with_a_bug();
  EXPECT_EQ(status().state, cluster::SheetState::kFailed);
  // With 70 Slurm would hold the task each time that somebody releases it, and nobody would
  // collect.
  EXPECT_EQ(run(with_memory(uint64_t{8} << 30)), kExitData);
}

TEST_F(UnitOfOneSheet, IsNotTriedAgainForEver) {
  cluster::TaskSettings task;
  task.tries = 2;
  EXPECT_EQ(cluster::bounded_status(kExitTryAgain, task), kExitTryAgain);
  const test::Variable often("SLURM_RESTART_COUNT", "5");
  EXPECT_EQ(cluster::bounded_status(kExitTryAgain, task), kExitTryAgain);
  const test::Variable too_often("SLURM_RESTART_COUNT", "6");
  EXPECT_EQ(cluster::bounded_status(kExitTryAgain, task), kExitData);
  EXPECT_EQ(cluster::bounded_status(kExitData, task), kExitData);
  EXPECT_EQ(cluster::bounded_status(kExitGood, task), kExitGood);
}

}  // namespace
}  // namespace mezzo::test::unit_of_one_sheet_test
