// Stochastic screens: the order of a mask, another one for each ink.

#include <gtest/gtest.h>

#include "kernels/band/ink_texture.h"
#include "kernels/base/error.h"
#include "kernels/base/noise.h"
#include "kernels/screen/blue_noise.h"
#include "kernels/screen/clustered.h"
#include "kernels/screen/fm_method.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::fm_test {
namespace {

constexpr uint32_t kSide = 64;

/// The bits of a flat tint of the ink.
void run_tint(uint32_t tone, uint32_t texture, const Parameters& parameters, const BitBand& out) {
  SamplePlane in(out.width_px, out.rows, 2);
  for (uint32_t y = 0; y < out.rows; ++y) {
    for (uint32_t x = 0; x < out.width_px; ++x) in.set(x, y, tone);
  }
  in.band.texture = texture;
  const auto method = make_reference(complete({.method = "fm", .parameters = parameters}));
  run_whole(*method, in.band, ToneCurve(4096, Polarity::kMaxIsInk), out);
}

TEST(Fm, FollowsTheRanksOfTheInksMask) {
  constexpr uint32_t kSeed = 5;
  for (const uint32_t texture : {0U, texture_of_ink("cyan")}) {
    const auto ranks = screen::blue_noise_ranks(kSide, row_noise(kSeed, texture, 0));
    for (const uint32_t tone : {0U, 1U, 2U, 409U, 2048U, 4095U, 4096U}) {
      BitPlane out(2 * kSide + 3, kSide + 5);
      run_tint(tone, texture, {{"size", kSide}, {"seed", kSeed}}, out.band);
      for (uint32_t y = 0; y < out.band.rows; ++y) {
        for (uint32_t x = 0; x < out.band.width_px; ++x) {
          const uint32_t rank = ranks[y % kSide * kSide + x % kSide];
          // There are as many pixels as tones: tone > (rank + 1/2) / pixels of solid.
          ASSERT_EQ(out.band.ink(x, y), tone > rank) << tone << " at " << x << ", " << y;
        }
      }
    }
  }
}

TEST(Fm, GivesEachInkAndSeedDotsOfItsOwn) {
  const auto share_in_common = [](uint32_t texture, double seed) {
    BitPlane black(kSide, kSide), other(kSide, kSide);
    run_tint(2048, 0, {{"size", kSide}, {"seed", 1}}, black.band);
    run_tint(2048, texture, {{"size", kSide}, {"seed", seed}}, other.band);
    uint32_t both = 0;
    for (uint32_t y = 0; y < kSide; ++y) {
      for (uint32_t x = 0; x < kSide; ++x) both += black.band.ink(x, y) && other.band.ink(x, y);
    }
    return both / static_cast<double>(kSide * kSide);
  };
  EXPECT_EQ(share_in_common(0, 1), 0.5);
  EXPECT_NEAR(share_in_common(texture_of_ink("cyan"), 1), 0.25, 0.02);
  EXPECT_NEAR(share_in_common(texture_of_ink("magenta"), 1), 0.25, 0.02);
  EXPECT_NEAR(share_in_common(0, 2), 0.25, 0.02);
}

TEST(Fm, GrowsDotsInCells) {
  const auto ranks = screen::clustered_ranks(kSide, 36, row_noise(1, 0, 0));
  BitPlane out(kSide, kSide);
  run_tint(1000, 0, {{"size", kSide}, {"cluster", 36}}, out.band);
  for (uint32_t y = 0; y < kSide; ++y) {
    for (uint32_t x = 0; x < kSide; ++x) {
      ASSERT_EQ(out.band.ink(x, y), ranks[y * kSide + x] < 1000) << x << ", " << y;
    }
  }
}

TEST(Fm, RefusesCellsThatAreTooSmall) {
  for (const double cluster : {1, 8}) {
    try {
      make_reference(complete({.method = "fm", .parameters = {{"cluster", cluster}}}));
      ADD_FAILURE() << cluster;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'cluster' must be at least 9, or 0"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Fm, MakesAMaskOnceForAllThreads) {
  const auto screens = screen::Fm::screens({.parameters = {{"size", 65}, {"seed", 9}}});
  ThreadTeam team(4);
  std::array<std::shared_ptr<const screen::ThresholdTile>, 16> tiles;
  for_each_index(team, tiles.size(), [&](uint32_t i) { tiles[i] = screens.of_ink(i % 2).tile; });
  for (size_t i = 2; i < tiles.size(); ++i) EXPECT_EQ(tiles[i], tiles[i % 2]);
  EXPECT_NE(tiles[0], tiles[1]);
  EXPECT_EQ(screens.width, 65U);
  EXPECT_EQ(tiles[0]->thresholds.size(), 65U * 65U);
}

}  // namespace
}  // namespace mezzo::test::fm_test
