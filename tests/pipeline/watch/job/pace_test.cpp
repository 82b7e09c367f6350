#include "pipeline/watch/job/pace.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/pipeline/watch/machine/fake_machine.h"

namespace mezzo::test::pace_test {
namespace {

TEST(Pace, is_that_of_the_last_jobs) {
  const FakeClock clock;
  watch::Pace pace(nullptr, clock);
  EXPECT_EQ(pace.seconds_for(1000, 2), 0);
  const watch::JobView slow{.state = watch::JobState::kDone, .seconds = 1000, .bytes = 1};
  const watch::JobView quick{.state = watch::JobState::kDone, .seconds = 2, .bytes = 100};
  pace.job_ended(slow);
  pace.job_ended({.state = watch::JobState::kFailed, .seconds = 1000, .bytes = 1});
  pace.job_ended({.state = watch::JobState::kDone, .seconds = 0, .bytes = 1000});
  for (int i = 0; i < 50; ++i) pace.job_ended(quick);
  EXPECT_DOUBLE_EQ(pace.seconds_for(1000, 1), 20);
  EXPECT_DOUBLE_EQ(pace.seconds_for(1000, 2), 10);
}

TEST(Pace, of_a_job_that_runs_is_its_own) {
  EXPECT_EQ(watch::seconds_left_of({.seconds = 30, .pixels = 0, .bytes = 7000}), std::nullopt);
  EXPECT_EQ(watch::seconds_left_of({.seconds = 30, .pixels = 100}), std::nullopt);
  EXPECT_DOUBLE_EQ(*watch::seconds_left_of({.seconds = 30, .pixels = 100, .pixels_done = 25}), 90);
  EXPECT_DOUBLE_EQ(*watch::seconds_left_of({.seconds = 30, .pixels = 100, .pixels_done = 100}), 0);
  EXPECT_DOUBLE_EQ(*watch::seconds_left_of({.seconds = 30, .pixels = 100, .pixels_done = 120}), 0);
}

TEST(Pace, counts_the_good_sheets_of_an_hour) {
  const FakeClock clock;
  watch::Pace pace(nullptr, clock);
  for (int i = 0; i < 3; ++i) pace.sheet_ended({.ok = true});
  pace.sheet_ended({.ok = false});
  const SteadyTime now = clock.now();
  EXPECT_EQ(pace.sheets_an_hour(now), 3U);
  EXPECT_EQ(pace.sheets_an_hour(now + std::chrono::minutes(55)), 3U);
  EXPECT_EQ(pace.sheets_an_hour(now + std::chrono::minutes(62)), 0U);
}

}  // namespace
}  // namespace mezzo::test::pace_test
