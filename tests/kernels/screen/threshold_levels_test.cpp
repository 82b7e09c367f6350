// Levels of screens against the definition: a threshold a level, from Bayer's matrix.

#include "kernels/screen/threshold_levels.h"

#include <gtest/gtest.h>

#include "tests/kernels/level_planes.h"

namespace mezzo::test::threshold_levels_test {
namespace {

TEST(ThresholdLevels, CountThresholdsBelowTheTone) {
  constexpr uint32_t kRank[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  for (const auto& drops : kDrops) {
    const std::vector<int> v = tones_of(drops);
    SamplePlane in(4, 4097, 2);
    for (uint32_t y = 0; y < in.band.rows; ++y) {
      for (uint32_t x = 0; x < 4; ++x) in.set(x, y, y);
    }
    const auto levels = levels_by_bit(
        {.method = "bayer", .parameters = {{"order", 2}}, .levels = LevelSettings{.drops = drops}},
        in.band,
        ToneCurve(4096, Polarity::kMaxIsInk));
    for (uint32_t y = 0; y < in.band.rows; ++y) {
      for (uint32_t x = 0; x < 4; ++x) {
        const uint32_t threshold = (2 * kRank[y % 4][x] + 1) * 4096 / 32;
        uint32_t level = 0;
        for (size_t j = 1; j < v.size(); ++j) {
          const auto gap = static_cast<uint32_t>(v[j] - v[j - 1]);
          level += y > static_cast<uint32_t>(v[j - 1]) + (gap * threshold >> 12);
        }
        ASSERT_EQ(levels[y][x], level) << "tone " << y << " at " << x;
      }
    }
  }
}

TEST(ThresholdLevels, WithTwoAreTheScreen) {
  for (const char* method : {"bayer", "threshold"}) {
    SamplePlane in(77, 50, 1);
    fill(in, Fill::kNoise, 255, 3);
    in.band.texture = 9;
    const ToneCurve curve(255, Polarity::kMaxIsPaper, {.gamma = 1.3});
    BitPlane expected(77, 50), found(77, 50);
    run_whole(*make_reference(complete({.method = method})), in.band, curve, expected.band);
    const auto levels =
        make_halftoner(complete({.method = method, .levels = LevelSettings{.drops = {0, 1}}}));
    SoloTeam solo;
    run_in_bands(*levels.halftoner, in.band, curve, found.band, {3, 11}, solo);
    EXPECT_TRUE(same_bits(expected.band, found.band)) << method;
    EXPECT_TRUE(found.guards_intact());
  }
}

}  // namespace
}  // namespace mezzo::test::threshold_levels_test
