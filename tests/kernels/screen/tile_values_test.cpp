// The thresholds of a user's values against their definition.

#include "kernels/screen/tile_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace mezzo::test::tile_values_test {
namespace {

using screen::ThresholdTile;
using screen::TileValues;

TileValues random_tile(uint32_t width, uint32_t height, uint32_t bits) {
  std::mt19937 random(width * 1000 + height + bits);
  TileValues tile{width, height, bits, 0, {}};
  for (uint32_t i = 0; i < width * height; ++i) {
    tile.values.push_back(static_cast<uint16_t>(random() >> (32 - bits)));
  }
  return tile;
}

TEST(TileValues, TakesTheLowestAndTheHighestValue) {
  for (const uint32_t bits : {1U, 8U, 12U, 16U}) {
    const auto most = static_cast<uint16_t>((1U << bits) - 1);
    const ThresholdTile tile = screen::tile_of_thresholds({2, 1, bits, 0, {0, most}}, 1);
    EXPECT_EQ(tile.thresholds[0], (1U << 12) >> (bits + 1)) << bits;
    EXPECT_EQ(tile.thresholds[1], 4096 - std::max(1U, (1U << 12) >> (bits + 1))) << bits;
    EXPECT_EQ(tile.shift, 1U);
  }
}

TEST(TileValues, GivesTintsOfRanksTheirShareOfPixels) {
  // 5 bits: many of the 21 * 19 values are equal.
  for (const TileValues& values : {random_tile(21, 19, 5), random_tile(64, 64, 16)}) {
    const ThresholdTile tile = screen::tile_of_ranks(values, 0);
    const size_t count = values.values.size();
    for (uint32_t tone = 0; tone <= 4096; ++tone) {
      const auto inked =
          std::ranges::count_if(tile.thresholds, [&](uint16_t t) { return tone > t; });
      const double share = static_cast<double>(tone) / 4096 * static_cast<double>(count);
      ASSERT_NEAR(static_cast<double>(inked), share, 0.5) << tone;
    }
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (values.values[i] == values.values[j]) continue;
        ASSERT_EQ(values.values[i] < values.values[j] ? tile.thresholds[i] <= tile.thresholds[j]
                                                      : tile.thresholds[j] <= tile.thresholds[i],
                  true)
            << i << " " << j;
      }
    }
  }
}

TEST(TileValues, ScattersEqualRanks) {
  const ThresholdTile tile = screen::tile_of_ranks({64, 64, 8, 0, std::vector<uint16_t>(4096)}, 0);
  for (uint32_t y = 0; y < 64; y += 8) {
    const auto* first = tile.thresholds.data() + size_t{64} * y;
    const auto inked = std::count_if(first, first + 512, [](uint16_t t) { return t < 2048; });
    EXPECT_NEAR(static_cast<double>(inked), 256, 60) << "rows from " << y;
  }
}

TEST(TileValues, SaysHowItsThresholdsAreSpread) {
  EXPECT_EQ(screen::figures_of({2, 2, 0, {512, 1536, 2560, 3584}}).levels, 5U);
  // Just above a tint of 12.5 % a quarter of the pixels has ink, and so on.
  EXPECT_NEAR(screen::figures_of({2, 2, 0, {512, 1536, 2560, 3584}}).most_tone_error, 12.5, 0.03);
  EXPECT_EQ(screen::figures_of({2, 1, 0, {1024, 1024}}).levels, 2U);
  EXPECT_NEAR(screen::figures_of({2, 1, 0, {1024, 1024}}).most_tone_error, 75, 0.03);
  EXPECT_NEAR(screen::figures_of({1, 1, 0, {4095}}).most_tone_error, 100, 0.03);
}

}  // namespace
}  // namespace mezzo::test::tile_values_test
