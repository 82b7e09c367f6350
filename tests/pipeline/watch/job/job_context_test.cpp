#include "pipeline/watch/job/job_context.h"

#include <gtest/gtest.h>

#include "pipeline/steady_time.h"

namespace mezzo::test::job_context_test {
namespace {

using std::chrono::minutes;

TEST(GpuBackoff, BeginsAfterTwoLossesInARowForSomeTime) {
  const SteadyTime now{};
  watch::GpuBackoff gpus;
  EXPECT_FALSE(gpus.worker_ended(71, now));
  EXPECT_FALSE(gpus.worker_ended(0, now));
  EXPECT_FALSE(gpus.worker_ended(71, now));
  EXPECT_TRUE(gpus.may_use(now));
  EXPECT_TRUE(gpus.worker_ended(71, now));
  EXPECT_FALSE(gpus.may_use(now));
  EXPECT_FALSE(gpus.worker_ended(71, now));  // one that had begun before
  EXPECT_FALSE(gpus.worker_ended(0, now + minutes(1)));
  EXPECT_FALSE(gpus.may_use(now + minutes(9)));
  EXPECT_TRUE(gpus.may_use(now + minutes(10)));
}

TEST(GpuBackoff, BeginsAtOnceByAGpuThatIsStillGone) {
  const SteadyTime now{};
  watch::GpuBackoff gpus;
  gpus.worker_ended(71, now);
  gpus.worker_ended(71, now);
  EXPECT_TRUE(gpus.worker_ended(71, now + minutes(11)));
  EXPECT_FALSE(gpus.may_use(now + minutes(12)));
}

TEST(GpuBackoff, EndsWithAGpuThatWorksAgain) {
  const SteadyTime now{};
  watch::GpuBackoff gpus;
  gpus.worker_ended(71, now);
  gpus.worker_ended(71, now);
  gpus.worker_ended(0, now + minutes(11));
  EXPECT_FALSE(gpus.worker_ended(71, now + minutes(12)));
  EXPECT_TRUE(gpus.may_use(now + minutes(12)));
}

}  // namespace
}  // namespace mezzo::test::job_context_test
