#include "tools/lab/bench/cluster/shared_bandwidth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mezzo::test::shared_bandwidth_test {
namespace {

// Nodes 0 and 1; 10 MiB/s for all, 8 for one.
TEST(SharedBandwidth, GivesNodesAtWorkEqualParts) {
  bench::SharedBandwidth shared(2, 10, 8);
  EXPECT_TRUE(std::isinf(shared.end_s()));
  shared.begin(0, 0, 7, 16);  // alone: 8 MiB/s
  EXPECT_DOUBLE_EQ(shared.end_s(), 2);
  shared.begin(1, 1, 9, 10);  // two: 5 MiB/s each; node 0 has 8 MiB to go
  EXPECT_DOUBLE_EQ(shared.end_s(), 2.6);
  EXPECT_EQ(shared.end_next(), 7U);
  EXPECT_DOUBLE_EQ(shared.end_s(), 2.6 + 2.0 / 8);  // node 1 has 2 MiB to go, alone
  EXPECT_EQ(shared.end_next(), 9U);
  EXPECT_TRUE(std::isinf(shared.end_s()));
}

TEST(SharedBandwidth, GivesTransfersOfANodeEqualParts) {
  bench::SharedBandwidth shared(1, 100, 8);
  shared.begin(0, 0, 1, 8);
  shared.begin(0, 0, 2, 12);  // 4 MiB/s each
  EXPECT_DOUBLE_EQ(shared.end_s(), 2);
  EXPECT_EQ(shared.end_next(), 1U);
  EXPECT_DOUBLE_EQ(shared.end_s(), 2.5);
  shared.begin(2.25, 0, 1, 1);  // 2 has 2 MiB to go
  EXPECT_DOUBLE_EQ(shared.end_s(), 2.5);
  EXPECT_EQ(shared.end_next(), 1U);
  EXPECT_DOUBLE_EQ(shared.end_s(), 2.625);
}

TEST(SharedBandwidth, GivesOthersWhatANodeThatIsGoneHad) {
  bench::SharedBandwidth shared(3, 9, 9);
  for (uint32_t node = 0; node < 3; ++node) shared.begin(0, node, node, 9);  // 3 MiB/s each
  shared.drop(1, 0);  // 6 MiB to go, 4.5 each
  EXPECT_DOUBLE_EQ(shared.end_s(), 1 + 6 / 4.5);
  EXPECT_EQ(shared.end_next(), 1U);
  EXPECT_EQ(shared.end_next(), 2U);
  EXPECT_TRUE(std::isinf(shared.end_s()));
  shared.begin(10, 0, 0, 9);  // it is back, and has nothing left over
  EXPECT_DOUBLE_EQ(shared.end_s(), 11);
}

}  // namespace
}  // namespace mezzo::test::shared_bandwidth_test
