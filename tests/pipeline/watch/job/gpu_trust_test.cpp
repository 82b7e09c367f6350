#include "pipeline/watch/job/gpu_trust.h"

#include <gtest/gtest.h>

namespace mezzo::test {
namespace {

using std::chrono::minutes;

TEST(GpuTrust, EndsAfterTwoLossesInARowForSomeTime) {
  const watch::GpuTrust::Clock::time_point now{};
  watch::GpuTrust trust;
  EXPECT_FALSE(trust.worker_ended(71, now));
  EXPECT_FALSE(trust.worker_ended(0, now));
  EXPECT_FALSE(trust.worker_ended(71, now));
  EXPECT_TRUE(trust.is_trusted(now));
  EXPECT_TRUE(trust.worker_ended(71, now));
  EXPECT_FALSE(trust.is_trusted(now));
  EXPECT_FALSE(trust.worker_ended(71, now));  // one that had begun before
  EXPECT_FALSE(trust.worker_ended(0, now + minutes(1)));
  EXPECT_FALSE(trust.is_trusted(now + minutes(9)));
  EXPECT_TRUE(trust.is_trusted(now + minutes(10)));
}

TEST(GpuTrust, IsLostAtOnceByAGpuThatIsStillGone) {
  const watch::GpuTrust::Clock::time_point now{};
  watch::GpuTrust trust;
  trust.worker_ended(71, now);
  trust.worker_ended(71, now);
  EXPECT_TRUE(trust.worker_ended(71, now + minutes(11)));
  EXPECT_FALSE(trust.is_trusted(now + minutes(12)));
}

TEST(GpuTrust, ComesBackWithAGpuThatWorksAgain) {
  const watch::GpuTrust::Clock::time_point now{};
  watch::GpuTrust trust;
  trust.worker_ended(71, now);
  trust.worker_ended(71, now);
  trust.worker_ended(0, now + minutes(11));
  EXPECT_FALSE(trust.worker_ended(71, now + minutes(12)));
  EXPECT_TRUE(trust.is_trusted(now + minutes(12)));
}

}  // namespace
}  // namespace mezzo::test
