// Inks together by every scalar schedule, against the definition.

#include <gtest/gtest.h>

#include "kernels/diffusion/together/account.h"
#include "kernels/diffusion/together/inks_blocks.h"
#include "kernels/diffusion/together/reference.h"
#include "tests/kernels/diffusion/together/naive_inks.h"
#include "tests/kernels/diffusion/together/tested_rules.h"

namespace mezzo::test::accounts_test {
namespace {

using namespace diffusion;
using diffusion::together::InksBlockDiffusion;
using diffusion::together::LightTones;

template <Rule R>
::testing::AssertionResult same_bits(const NaiveInks<R>& naive, const InkPlanes& inks) {
  for (size_t k = 0; k < inks.bits.size(); ++k) {
    const BitPlane& found = *inks.bits[k];
    if (!found.guards_intact()) return ::testing::AssertionFailure() << "wrote outside " << k;
    BitPlane expected(found.band.width_px, found.band.rows);
    for (int y = 0; y < inks.rows(); ++y) {
      const auto row = static_cast<uint32_t>(y);
      std::fill_n(expected.band.row(row), bit_row_bytes(found.band.width_px), uint8_t{0});
      for (int x = 0; x < inks.width(); ++x) {
        if (naive.ink(k, x, y)) {
          expected.band.row(row)[x / 8] |= static_cast<uint8_t>(0x80 >> (x % 8));
        }
      }
    }
    auto same = test::same_bits(expected.band, found.band);
    if (!same) return same << "\nof plane " << k << " of " << inks.bits.size();
  }
  return ::testing::AssertionSuccess();
}

template <typename R>
class InksTogether : public ::testing::Test {};
using Rules = ::testing::Types<FloydSteinbergRule, TableRule, ToneRule, FeedbackRule>;
TYPED_TEST_SUITE(InksTogether, Rules);

TYPED_TEST(InksTogether, OrderOfPixelsAndPlanesIsFree) {
  for (const bool light : {false, true}) {
    InkPlanes inks(5, 61, 40, 1);
    fill_inks(inks, 1);
    NaiveInks<TypeParam> pixels(rule<TypeParam>(), inks, light), planes = pixels, knight = pixels;
    pixels.planes_innermost();
    planes.plane_after_plane();
    knight.by_knight_moves();
    for (size_t k = 0; k < 5; ++k) {
      for (int y = 0; y < inks.rows(); ++y) {
        for (int x = 0; x < inks.width(); ++x) {
          ASSERT_EQ(pixels.residue(k, x, y), planes.residue(k, x, y)) << k << ' ' << x << ' ' << y;
          ASSERT_EQ(pixels.residue(k, x, y), knight.residue(k, x, y)) << k << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

TYPED_TEST(InksTogether, RowsAndBlocksAreTheNaiveOnes) {
  SoloTeam solo;
  ThreadTeam team(3);
  for (uint32_t width = 1; width <= 66; ++width) {
    const uint32_t count = 1 + width % 8;
    const bool light = width % 3 == 0;
    InkPlanes inks(count, width, 29, 1 + width % 2);
    fill_inks(inks, width);
    NaiveInks<TypeParam> naive(rule<TypeParam>(), inks, light);
    naive.planes_innermost();
    const InksBlockDiffusion<TypeParam> blocks(rule<TypeParam>(), light_tones(light));
    run_in_bands(blocks, inks, {width % 5 + 1}, solo);
    ASSERT_TRUE(same_bits(naive, inks)) << width << " px, rows";
    run_in_bands(blocks, inks, {width % 7 + 9}, team);
    ASSERT_TRUE(same_bits(naive, inks)) << width << " px, blocks";
  }
}

TYPED_TEST(InksTogether, AnyTeamInAnyBandsGivesTheSame) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 5ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto any = [&](uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(least + random() % (most - least + 1));
  };
  for (int round = 0; round < 10; ++round) {
    InkPlanes inks(any(2, 5), any(1, 900), any(1, 100), 1);
    fill_inks(inks, random());
    const bool light = round % 2 == 1;
    NaiveInks<TypeParam> naive(rule<TypeParam>(), inks, light);
    naive.plane_after_plane();
    ThreadTeam team(any(1, 6));
    run_in_bands(InksBlockDiffusion<TypeParam>(rule<TypeParam>(), light_tones(light)),
                 inks,
                 {any(1, 100), any(1, 20)},
                 team);
    ASSERT_TRUE(same_bits(naive, inks));
  }
}

TYPED_TEST(InksTogether, TheFirstPlaneIsTheRuleAlone) {
  SoloTeam solo;
  InkPlanes inks(4, 200, 50, 1);
  fill_inks(inks, 1);
  run_in_bands(
      InksBlockDiffusion<TypeParam>(rule<TypeParam>(), LightTones::kSideBySide), inks, {7}, solo);
  inks.samples[0]->band.texture = 0;
  const NaiveDiffusion alone(rule<TypeParam>(), inks.samples[0]->band, inks.curve);
  EXPECT_TRUE(test::same_bits(alone.bits.band, inks.bits[0]->band));
}

TYPED_TEST(InksTogether, PaperAndSolidStayInLaterPlanes) {
  SoloTeam solo;
  InkPlanes inks(4, 300, 60, 1);
  fill_inks(inks, 1);  // paper, solid and nothing else in all planes but the second
  run_in_bands(
      InksBlockDiffusion<TypeParam>(rule<TypeParam>(), LightTones::kAsIs), inks, {60}, solo);
  for (size_t k = 1; k < 4; ++k) {
    for (int y = 0; y < inks.rows(); ++y) {
      for (int x = 0; x < inks.width(); ++x) {
        const int tone = inks.tone(k, x, y);
        const bool ink = inks.bits[k]->band.ink(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
        ASSERT_FALSE(ink && tone == 0);
        ASSERT_FALSE(!ink && tone == 4096);
      }
    }
  }
}

TEST(InksTogether, CollectionIsTheNaiveOne) {
  SoloTeam solo;
  for (uint32_t width = 1; width <= 66; ++width) {
    InkPlanes inks(1 + width % 8, width, 23, 1 + width % 2);
    fill_inks(inks, width);
    const bool light = width % 3 == 1;
    NaiveInks<FloydSteinbergRule> naive({}, inks, light);
    naive.planes_innermost();
    run_in_bands(
        diffusion::together::InksCollection(light_tones(light)), inks, {width % 5 + 1}, solo);
    ASSERT_TRUE(same_bits(naive, inks)) << width << " px";
  }
}

}  // namespace
}  // namespace mezzo::test::accounts_test
