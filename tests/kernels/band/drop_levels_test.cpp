// Levels from drops: their tones, the level nearest to a tone, and the sentences for mistakes.

#include "kernels/band/drop_levels.h"

#include <gtest/gtest.h>

namespace mezzo::test::drop_levels_test {
namespace {

TEST(DropLevels, AreSharesOfTheLargestDrop) {
  const DropLevels levels = drop_levels({.drops = {0, 7, 14, 21}});
  EXPECT_EQ(levels.count, 4U);
  EXPECT_EQ(levels.tones[0], 0);
  EXPECT_EQ(levels.tones[1], 1365);
  EXPECT_EQ(levels.tones[2], 2731);
  EXPECT_EQ(levels.tones[3], 4096);
  EXPECT_EQ(levels.interval(0), 0U);
  EXPECT_EQ(levels.interval(1364), 0U);
  EXPECT_EQ(levels.interval(1365), 1U);
  EXPECT_EQ(levels.interval(4096), 2U);
  EXPECT_EQ(levels.nearest(-5000), 0U);
  EXPECT_EQ(levels.nearest(682), 0U);
  EXPECT_EQ(levels.nearest(683), 1U);
  EXPECT_EQ(levels.nearest(9000), 3U);
}

TEST(DropLevels, HaveBitsByTheirCount) {
  const auto bits = [](size_t count, LevelFormat format) {
    HalftoneSettings settings{.levels = LevelSettings{.format = format}};
    for (size_t i = 0; i < count; ++i) settings.levels->drops.push_back(static_cast<double>(i));
    return bits_per_pixel(settings);
  };
  EXPECT_EQ(bits_per_pixel({}), 1U);
  EXPECT_EQ(bits(2, LevelFormat::kPacked), 1U);
  EXPECT_EQ(bits(3, LevelFormat::kPacked), 2U);
  EXPECT_EQ(bits(4, LevelFormat::kPacked), 2U);
  EXPECT_EQ(bits(5, LevelFormat::kPacked), 4U);
  EXPECT_EQ(bits(16, LevelFormat::kPacked), 4U);
  EXPECT_EQ(bits(16, LevelFormat::kPlanes), 1U);
  EXPECT_EQ(drop_bits(2), 1U);
  EXPECT_EQ(drop_bits(4), 2U);
  EXPECT_EQ(drop_bits(5), 3U);
  EXPECT_EQ(drop_bits(16), 4U);
}

TEST(DropLevels, NamesMistakes) {
  EXPECT_EQ(check({.drops = {0, 7, 14, 21}}), "");
  EXPECT_EQ(check({.drops = {0}}), "levels must be 2 to 16 volumes, and there are 1");
  EXPECT_EQ(check({.drops = std::vector<double>(17)}),
            "levels must be 2 to 16 volumes, and there are 17");
  EXPECT_EQ(check({.drops = {1, 2}}), "the first volume of levels must be 0, for paper");
  EXPECT_EQ(check({.drops = {0, 7, 7}}), "the volumes of levels must rise from one to the next");
  EXPECT_EQ(check({.drops = {0, 0.0001, 1}}),
            "the volumes of levels must differ by at least 1/4096 of the largest");
  EXPECT_EQ(check({.drops = {0, 1}, .overlap_percent = 101}),
            "the overlap of levels must lie in 0% .. 100%");
  EXPECT_EQ(check({.drops = {0, 1, 2}, .format = LevelFormat::kPlanes, .bit = 2}),
            "levels have 2 bits, and bit 2 is asked for");
}

}  // namespace
}  // namespace mezzo::test::drop_levels_test
