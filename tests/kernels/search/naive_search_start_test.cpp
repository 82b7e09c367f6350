// The eye filters and start images of the naive searches, by hand and against the method that they
// must equal.

#include <gtest/gtest.h>

#include <numeric>

#include "tests/kernels/planes.h"
#include "tests/kernels/search/naive_search.h"

namespace mezzo::test::naive_search_start_test {
namespace {

/// 1 2 1 by 1 2 1, of 16384. Its autocorrelation is 1 4 6 4 1 by 1 4 6 4 1, times 2^20.
const NaiveEye kBinomial = {1, {1024, 2048, 1024, 2048, 4096, 2048, 1024, 2048, 1024}};

Tones flat_tones(uint32_t width, uint32_t height, int tone) {
  return {width, height, std::vector<int>(size_t{width} * height, tone)};
}

TEST(NaiveEye, SumsTo16384AndIsSymmetric) {
  for (int radius = 1; radius <= 8; ++radius) {
    for (const NaiveEye& eye : {NaiveEye::gaussian(radius, radius / 2.5),
                                NaiveEye::gaussian(radius, 0.3),
                                NaiveEye::nasanen(radius, 3000),
                                NaiveEye::nasanen(radius, 600)}) {
      EXPECT_EQ(std::accumulate(eye.weights.begin(), eye.weights.end(), 0), 16384);
      for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
          EXPECT_GE(eye.at(y, x), 0);
          EXPECT_LE(eye.at(y, x), eye.at(0, 0));
          EXPECT_EQ(eye.at(y, x), eye.at(-y, x));
          EXPECT_EQ(eye.at(y, x), eye.at(x, y));
        }
      }
    }
  }
}

TEST(NaiveEye, ByHand) {
  // 1 + 4 exp(-1/2) + 4 exp(-1) = 4.89764; 16384 of that are 3345.3 at the centre, by exp(-1/2)
  // 2029.0 and by exp(-1) 1230.7.
  EXPECT_EQ(NaiveEye::gaussian(1, 1).weights,
            (std::vector<int>{1231, 2029, 1231, 2029, 3344, 2029, 1231, 2029, 1231}));
  // The taper leaves 2 - sqrt(2) of the corners: with k so large that the rest is flat
  // 1 + 4 + 4 * 0.585786 = 7.343146, and 16384 of that are 2231.2 and 1307.0.
  EXPECT_EQ(NaiveEye::nasanen(1, 1e9).weights,
            (std::vector<int>{1307, 2231, 1307, 2231, 2232, 2231, 1307, 2231, 1307}));
  const int64_t by_hand[] = {6, 4, 1, 0};
  for (int y = -3; y <= 3; ++y) {
    for (int x = -3; x <= 3; ++x) {
      EXPECT_EQ(kBinomial.autocorrelation(y, x),
                (by_hand[std::abs(y)] * by_hand[std::abs(x)]) << 20);
    }
  }
}

TEST(NaiveStart, RandomIsAsDenseAsItsTones) {
  EXPECT_EQ(naive_random_start(flat_tones(200, 200, 0), 1, 0), NaiveBits(40000, 0));
  EXPECT_EQ(naive_random_start(flat_tones(200, 200, 4096), 1, 0), NaiveBits(40000, 1));
  const NaiveBits half = naive_random_start(flat_tones(200, 200, 1024), 1, 0);
  EXPECT_NEAR(std::accumulate(half.begin(), half.end(), 0), 10000, 500);
  EXPECT_NE(half, naive_random_start(flat_tones(200, 200, 1024), 2, 0));
  EXPECT_NE(half, naive_random_start(flat_tones(200, 200, 1024), 1, 1));
}

TEST(NaiveStart, FloydSteinbergIsTheMethod) {
  SamplePlane in(67, 31, 1);
  fill(in, Fill::kNoise, 255, 3);
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  Tones tones = flat_tones(67, 31, 0);
  for (uint32_t y = 0; y < 31; ++y) {
    for (uint32_t x = 0; x < 67; ++x) tones.values[y * 67 + x] = curve[in.get(x, y)];
  }
  BitPlane out(67, 31);
  run_whole(*make_reference(complete({.method = "floyd-steinberg"})), in.band, curve, out.band);
  const NaiveBits bits = naive_floyd_steinberg_start(tones);
  for (uint32_t y = 0; y < 31; ++y) {
    for (uint32_t x = 0; x < 67; ++x) ASSERT_EQ(out.band.ink(x, y), bits[y * 67 + x] != 0);
  }
}

}  // namespace
}  // namespace mezzo::test::naive_search_start_test
