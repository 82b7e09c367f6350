#include "kernels/codec/byte_runs.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/simd_target.h"

namespace mezzo::test::byte_runs_test {
namespace {

class ByteRuns : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, ByteRuns);

TEST_P(ByteRuns, MarksWhatEqualsTheByteBefore) {
  std::mt19937 random(1);
  for (const size_t size : {0U, 1U, 2U, 63U, 64U, 65U, 128U, 129U, 1000U}) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = random() % 4 == 0 ? 1 : 0;
    for (const size_t distance : {1U, 2U, 17U, 64U, 65U, 999U, 1000U, 1001U}) {
      const codec::ByteRuns runs(bytes, distance);
      ASSERT_EQ(runs.words(), (size + 63) / 64);
      size_t marked = size, unmarked = size;  // the next ones
      for (size_t at = size; at-- > 0;) {
        const bool same = at >= distance && bytes[at] == bytes[at - distance];
        (same ? marked : unmarked) = at;
        ASSERT_EQ(runs.marks(at / 64) >> at % 64 & 1, same) << size << " " << distance << " " << at;
        ASSERT_EQ(runs.find_marked(at), marked);
        ASSERT_EQ(runs.find_unmarked(at), unmarked);
      }
      EXPECT_EQ(runs.find_marked(size), size);
      EXPECT_EQ(runs.find_unmarked(size), size);
    }
  }
}

TEST(ByteRunsOfOneByte, EndWhereAMarkIsTaken) {
  codec::ByteRuns runs(std::vector<uint8_t>(200), 1);
  EXPECT_EQ(runs.find_unmarked(1), 200U);
  runs.unmark(130);
  EXPECT_EQ(runs.find_unmarked(1), 130U);
  EXPECT_EQ(runs.find_marked(130), 131U);
}

}  // namespace
}  // namespace mezzo::test::byte_runs_test
