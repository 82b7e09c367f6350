// What follows the end of a worker's run, in every combination of what may be known by then.
#include "pipeline/watch/job/next_step.h"

#include <gtest/gtest.h>

#include <vector>

namespace mezzo::test::next_step_test {
namespace {

using watch::EndedRun;
using watch::NextStep;
using watch::RunOutcome;
using Stop = watch::WorkerRun::Stop;

/// All that there can be.
std::vector<EndedRun> every_run() {
  std::vector<EndedRun> runs;
  for (const auto outcome :
       {RunOutcome::kGood, RunOutcome::kBad, RunOutcome::kTryAgain, RunOutcome::kNeverBegan}) {
    for (const auto stop : {Stop::kNone, Stop::kCancel, Stop::kSuspend, Stop::kStall}) {
      for (unsigned flags = 0; flags < 16; ++flags) {
        runs.push_back({.outcome = outcome,
                        .stop = stop,
                        .files_changed = (flags & 1) != 0,
                        .is_away = (flags & 2) != 0,
                        .has_tries = (flags & 4) != 0,
                        .suspends = (flags & 8) != 0});
      }
    }
  }
  return runs;
}

NextStep step(const EndedRun& run) {
  return watch::decide(run).step;
}

TEST(NextStep, is_none_but_the_end_for_a_job_that_is_to_be_suspended) {
  for (EndedRun run : every_run()) {
    run.suspends = false;
    const NextStep unasked = step(run);
    run.suspends = true;
    const bool is_over = unasked < NextStep::kLeave;
    EXPECT_EQ(step(run), is_over ? unasked : NextStep::kLeave);
  }
}

TEST(NextStep, takes_no_result_of_files_that_changed) {
  for (const EndedRun& run : every_run()) {
    if (!run.files_changed) continue;
    EXPECT_NE(step(run), NextStep::kDone);
    const bool is_cancelled = run.stop == Stop::kCancel && run.outcome != RunOutcome::kGood;
    EXPECT_EQ(step(run) == NextStep::kCancelled, is_cancelled);
  }
}

TEST(NextStep, counts_no_try_that_was_not_the_jobs_fault) {
  for (const EndedRun& run : every_run()) {
    const watch::Decision next = watch::decide(run);
    if (next.step == NextStep::kAwaitFiles || next.step == NextStep::kAwaitProcess) {
      EXPECT_TRUE(next.forgets_try);
    }
    if (next.step < NextStep::kLeave || next.step == NextStep::kTryAgain) {
      EXPECT_FALSE(next.forgets_try);
    }
  }
}

TEST(NextStep, is_that_of_the_first_rule_that_applies) {
  EXPECT_EQ(step({.outcome = RunOutcome::kGood}), NextStep::kDone);
  EXPECT_EQ(step({.outcome = RunOutcome::kGood, .stop = Stop::kCancel}), NextStep::kDone);
  EXPECT_EQ(step({.outcome = RunOutcome::kGood, .is_away = true}), NextStep::kDone);
  EXPECT_EQ(step({.outcome = RunOutcome::kBad}), NextStep::kFailed);
  EXPECT_EQ(step({.outcome = RunOutcome::kBad, .is_away = true}), NextStep::kAwaitFolder);
  EXPECT_EQ(step({.stop = Stop::kCancel, .is_away = true}), NextStep::kCancelled);
  EXPECT_EQ(step({.stop = Stop::kSuspend}), NextStep::kLeave);
  EXPECT_EQ(step({.stop = Stop::kStall}), NextStep::kTryAgain);
  EXPECT_EQ(step({.stop = Stop::kStall, .has_tries = false}), NextStep::kGiveUp);
  EXPECT_EQ(step({.outcome = RunOutcome::kNeverBegan}), NextStep::kAwaitProcess);
  EXPECT_EQ(step({.outcome = RunOutcome::kNeverBegan, .has_tries = false}),
            NextStep::kAwaitProcess);
  EXPECT_EQ(step({.outcome = RunOutcome::kNeverBegan, .stop = Stop::kStall}), NextStep::kTryAgain);
}

}  // namespace
}  // namespace mezzo::test::next_step_test
