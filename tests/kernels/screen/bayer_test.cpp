// Bayer against the published matrix, and the ink that a tint gets.

#include "kernels/screen/bayer.h"

#include <gtest/gtest.h>

#include "tests/kernels/planes.h"

namespace mezzo::test::bayer_test {
namespace {

TEST(Bayer, HasThePublishedMatrix) {
  // Ranks of the 4 x 4 matrix, from M2 = 0 2 / 3 1 by its recursion, written out by hand.
  constexpr uint32_t kRank[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  const auto method = make_reference(complete({.method = "bayer", .parameters = {{"order", 2}}}));
  for (uint32_t tone = 0; tone <= 4096; tone += 16) {
    SamplePlane in(9, 9, 2);
    for (uint32_t y = 0; y < 9; ++y) {
      for (uint32_t x = 0; x < 9; ++x) in.set(x, y, tone);
    }
    BitPlane out(9, 9);
    run_whole(*method, in.band, ToneCurve(4096, Polarity::kMaxIsInk), out.band);
    for (uint32_t y = 0; y < 9; ++y) {
      for (uint32_t x = 0; x < 9; ++x) {
        const bool ink = tone / 4096.0 > (kRank[y % 4][x % 4] + 0.5) / 16;
        ASSERT_EQ(out.band.ink(x, y), ink) << "tone " << tone << " at " << x << ", " << y;
      }
    }
  }
}

TEST(Bayer, InksAnEighthOfItsCellsAtAnEighth) {
  SamplePlane in(64, 64, 1);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) in.set(x, y, 32);
  }
  BitPlane out(64, 64);
  run_whole(*make_reference(complete({.method = "bayer"})),
            in.band,
            ToneCurve(256, Polarity::kMaxIsInk),
            out.band);
  uint32_t ink = 0;
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) ink += out.band.ink(x, y);
  }
  EXPECT_EQ(ink, 64U * 64 / 8);
}

}  // namespace
}  // namespace mezzo::test::bayer_test
