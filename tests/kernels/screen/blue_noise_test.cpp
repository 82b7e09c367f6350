// Masks of blue noise: orders of all pixels that never change. blue_noise_oracle.py has the rest.

#include "kernels/screen/blue_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mezzo::test::blue_noise_test {
namespace {

using screen::blue_noise_ranks;

/// FNV-1a of the ranks, lowest byte first.
uint64_t digest(const std::vector<uint32_t>& ranks) {
  uint64_t hash = 0xCBF29CE484222325U;
  for (const uint32_t rank : ranks) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (rank >> shift & 0xFF)) * 0x100000001B3U;
    }
  }
  return hash;
}

TEST(BlueNoise, RanksEveryPixelOnce) {
  for (const uint32_t side : {1U, 2U, 3U, 5U, 12U, 13U, 16U, 17U, 40U, 64U}) {
    std::vector<uint32_t> ranks = blue_noise_ranks(side, 7), all(ranks.size());
    ASSERT_EQ(ranks.size(), size_t{side} * side);
    std::ranges::sort(ranks);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(ranks, all) << side;
  }
}

TEST(BlueNoise, PutsTheSecondPixelFarthestFromTheFirst) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const std::vector<uint32_t> four = blue_noise_ranks(2, seed);
    const auto first = static_cast<size_t>(std::ranges::find(four, 0U) - four.begin());
    EXPECT_EQ(four[3 - first], 1U) << "the other end of the diagonal";
    // The two that are left are alike: the first in reading order comes first.
    EXPECT_LT(four[first == 0 || first == 3 ? 1 : 0], four[first == 0 || first == 3 ? 2 : 3]);
  }
}

TEST(BlueNoise, DiffersBySeed) {
  EXPECT_EQ(blue_noise_ranks(16, 3), blue_noise_ranks(16, 3));
  EXPECT_NE(blue_noise_ranks(16, 3), blue_noise_ranks(16, 4));
}

/// Masks are part of the bits of plates: none of these may ever change.
TEST(BlueNoise, NeverChanges) {
  EXPECT_EQ(digest(blue_noise_ranks(5, 1)), 0xD297980A4A45164DU);
  EXPECT_EQ(digest(blue_noise_ranks(64, 1)), 0x69370D6B7E02C0C1U);
  EXPECT_EQ(digest(blue_noise_ranks(100, 2)), 0x2B172B393A58932DU);
  EXPECT_EQ(digest(blue_noise_ranks(256, 1)), 0xCBAEA732746F8499U);
}

}  // namespace
}  // namespace mezzo::test::blue_noise_test
