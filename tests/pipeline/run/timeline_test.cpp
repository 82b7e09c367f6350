#include "pipeline/run/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::test::timeline_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Timelines : public ::testing::Test {
 protected:
  static auto activity(size_t stage, double begin, double end, double busy) {
    return testing::AllOf(Field(&run::Activity::stage, stage),
                          Field(&run::Activity::begin, DoubleNear(begin, 1e-9)),
                          Field(&run::Activity::end, DoubleNear(end, 1e-9)),
                          Field(&run::Activity::busy_seconds, DoubleNear(busy, 1e-9)));
  }

  void record(size_t stage, std::chrono::nanoseconds begin, std::chrono::nanoseconds end) {
    timeline_.record(stage, origin_ + begin, origin_ + end);
  }

  const run::Timeline::Clock::time_point origin_{seconds(1000)};
  run::Timeline timeline_{origin_};
};

TEST_F(Timelines, BeginEmpty) {
  EXPECT_THAT(timeline_.activities(), IsEmpty());
}

TEST_F(Timelines, JoinSlotsThatTouch) {
  record(1, microseconds(200), microseconds(2500));
  record(1, microseconds(2600), microseconds(2700));
  record(1, milliseconds(7), milliseconds(8));
  record(0, milliseconds(3), milliseconds(4));
  EXPECT_THAT(timeline_.activities(),
              ElementsAre(activity(0, 0.003, 0.004, 0.001),
                          activity(1, 0, 0.003, 0.0024),
                          activity(1, 0.007, 0.008, 0.001)));
}

TEST_F(Timelines, CountThreadsSideBySide) {
  for (int thread = 0; thread < 3; ++thread) record(2, milliseconds(0), milliseconds(10));
  EXPECT_THAT(timeline_.activities(), ElementsAre(activity(2, 0, 0.01, 0.03)));
}

TEST_F(Timelines, KeepAllWorkWhenSlotsGrow) {
  record(0, milliseconds(1), milliseconds(2));
  record(3, seconds(99), seconds(100));  // slots of 1.024 s
  record(0, milliseconds(2), milliseconds(3));
  EXPECT_THAT(timeline_.activities(),
              ElementsAre(activity(0, 0, 1.024, 0.002), activity(3, 96 * 1.024, 98 * 1.024, 1)));
}

TEST_F(Timelines, StaySmall) {
  for (int i = 0; i < 100'000; ++i) record(4, milliseconds(2 * i), milliseconds(2 * i + 1));
  EXPECT_THAT(timeline_.activities(), SizeIs(testing::Le(run::Timeline::kSlots)));
}

}  // namespace
}  // namespace mezzo::test::timeline_test
