// Clustered screens: orders of all pixels that never change. clustered_oracle.py has the rest.

#include "kernels/screen/clustered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mezzo::test::clustered_test {
namespace {

using screen::clustered_ranks;

TEST(Clustered, RanksEveryPixelOnce) {
  for (const uint32_t area : {screen::kLeastCluster, 36U, screen::kMostCluster}) {
    std::vector<uint32_t> ranks = clustered_ranks(70, area, 7), all(ranks.size());
    ASSERT_EQ(ranks.size(), 70U * 70U);
    std::ranges::sort(ranks);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(ranks, all) << area;
  }
}

/// Screens are part of the bits of plates: these may never change.
TEST(Clustered, NeverChanges) {
  const auto digest = [](const std::vector<uint32_t>& ranks) {
    uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a, lowest byte first
    for (const uint32_t rank : ranks) {
      for (int shift = 0; shift < 32; shift += 8) {
        hash = (hash ^ (rank >> shift & 0xFF)) * 0x100000001B3U;
      }
    }
    return hash;
  };
  EXPECT_EQ(digest(clustered_ranks(64, 9, 1)), 0x27172B7911358CB9U);
  EXPECT_EQ(digest(clustered_ranks(128, 36, 2)), 0xB70483CB62D2C0E1U);
}

}  // namespace
}  // namespace mezzo::test::clustered_test
