#include "tools/train/blue_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>

#include "kernels/pinwheel/tables/tables.h"
#include "tools/train/pinwheel_model.h"

namespace mezzo::train {
namespace {

constexpr size_t kSide = 32;

std::vector<uint32_t> sorted(std::vector<uint32_t> ranks) {
  std::ranges::sort(ranks);
  return ranks;
}

std::vector<uint32_t> counted(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// Mean power of the `below` lowest ranks at frequencies up to an eighth of a cycle a pixel, over
/// that of dots thrown at random.
double low_frequency_power(const std::vector<uint32_t>& ranks, size_t side, uint32_t below) {
  double power = 0;
  int frequencies = 0;
  const int most = static_cast<int>(side) / 8;
  for (int v = 0; v <= most; ++v) {
    for (int u = -most; u <= most; ++u) {
      if ((v == 0 && u <= 0) || u * u + v * v > most * most) continue;
      std::complex<double> sum = 0;
      for (size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] >= below) continue;
        const size_t x = i % side, y = i / side;
        const double turns =
            (u * static_cast<double>(x) + v * static_cast<double>(y)) / static_cast<double>(side);
        sum += std::polar(1.0, 2 * std::numbers::pi * turns);
      }
      power += std::norm(sum);
      ++frequencies;
    }
  }
  const double part = below / static_cast<double>(ranks.size());
  return power / frequencies / (static_cast<double>(ranks.size()) * part * (1 - part));
}

TEST(VoidAndCluster, RanksEveryPixelOnce) {
  EXPECT_EQ(sorted(void_and_cluster(kSide, 1.5, 3)), counted(kSide * kSide));
  EXPECT_EQ(sorted(void_and_cluster(5, 1.5, 3)), counted(25));
  EXPECT_EQ(sorted(void_and_cluster(1, 1.5, 3)), counted(1));
}

TEST(VoidAndCluster, IsRepeatableAndSeeded) {
  EXPECT_EQ(void_and_cluster(16, 1.5, 3), void_and_cluster(16, 1.5, 3));
  EXPECT_NE(void_and_cluster(16, 1.5, 3), void_and_cluster(16, 1.5, 4));
}

TEST(VoidAndCluster, HasLittlePowerAtLowFrequenciesAtAnyTone) {
  const std::vector<uint32_t> ranks = void_and_cluster(kSide, 1.5, 3);
  for (const uint32_t below : {50U, 102U, 300U, 512U, 800U, 960U}) {
    EXPECT_LT(low_frequency_power(ranks, kSide, below), 0.15) << below;
  }
  // What the measure says of no order at all.
  std::vector<uint32_t> shuffled = counted(kSide * kSide);
  std::ranges::shuffle(shuffled, std::mt19937(1));
  EXPECT_GT(low_frequency_power(shuffled, kSide, 300), 0.5);
}

TEST(BlueNoiseMask, IsWhatTheProgramMakes) {
  const auto& embedded = pinwheel::blue_noise_mask();
  EXPECT_EQ(mask_of(void_and_cluster(64, 1.5, 1)), embedded);
  std::vector<uint32_t> ranks;
  for (const uint16_t value : embedded) ranks.push_back((value - 4U) / 8);
  EXPECT_EQ(sorted(ranks), counted(64 * 64));
}

}  // namespace
}  // namespace mezzo::train
