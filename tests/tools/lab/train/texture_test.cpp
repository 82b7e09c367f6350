#include "tools/lab/train/texture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace mezzo::train::texture_test {
namespace {

constexpr size_t kSide = 64;

/// A field from value(x, y, lane).
template <typename Value>
ErrorField field(const Value& value) {
  ErrorField result{kSide, kSide, RealField(kSide * kSide)};
  for (size_t i = 0; i < result.errors.size(); ++i) {
    for (size_t l = 0; l < kLanes; ++l) {
      result.errors[i].lane[l] = static_cast<float>(value(i % kSide, i / kSide, l));
    }
  }
  return result;
}

ErrorField white_noise() {
  std::mt19937 random(5);
  return field(
      [&](size_t, size_t, size_t) { return static_cast<double>(random()) / 4294967296.0 - 0.5; });
}

double wave(double position, double period) {
  return std::sin(2 * std::numbers::pi * position / period);
}

TEST(Texture, GaussianSumsToOne) {
  for (const double sigma : {0.8, 1.0, 1.5, 3.0}) {
    const std::vector<float> taps = gaussian(sigma);
    EXPECT_NEAR(2 * std::accumulate(taps.begin(), taps.end(), 0.0) - taps[0], 1, 1e-6);
    EXPECT_NEAR(taps[1] / taps[0], std::exp(-1 / (2 * sigma * sigma)), 1e-5);
  }
}

TEST(Texture, BlurFadesAWaveAsAGaussianDoes) {
  const double sigma = 1.5, period = 16;
  for (const bool across : {true, false}) {
    const ErrorField waves = field([&](size_t x, size_t y, size_t l) {
      return wave(static_cast<double>((across ? x : y) + l), period);
    });
    const double faded = std::exp(-2 * std::pow(std::numbers::pi * sigma / period, 2));
    for (const size_t step : {1U, 2U}) {
      const ErrorField blur = blurred(waves, gaussian(sigma), step);
      EXPECT_EQ(blur.width, kSide / step);
      EXPECT_NEAR(std::sqrt(mean_square(blur)), 255 * faded * std::sqrt(0.5), 0.05);
    }
  }
}

TEST(Texture, MeanSquareIsThatOfTheWindow) {
  const ErrorField step = field([](size_t x, size_t, size_t) { return x < 10 ? 1 : 0; });
  EXPECT_NEAR(mean_square(step, {0, 0, 10, 64}), 255 * 255, 1e-3);
  EXPECT_EQ(mean_square(step, {10, 3, 20, 9}), 0);
  EXPECT_NEAR(mean_square(step, {5, 5, 15, 15}), 255 * 255 / 2.0, 1e-3);
}

TEST(Texture, AFilterTakesItsFrequencies) {
  const ErrorField noise = white_noise();
  const Window all{0, 0, kSide, kSide};
  const std::vector<double> everything(kSide * kSide, 1);
  EXPECT_NEAR(filtered_mean_square(noise, all, everything) / mean_square(noise), 1, 1e-4);

  // A wave of 8 pixels across has two frequencies, and each has half of its square.
  const ErrorField waves =
      field([](size_t x, size_t, size_t) { return wave(static_cast<double>(x), 8); });
  std::vector<double> one(32 * 16), others(32 * 16, 1);
  one[32 / 8] = 1;
  others[32 / 8] = others[32 - 32 / 8] = 0;
  const Window part{16, 8, 48, 24};
  EXPECT_NEAR(filtered_mean_square(waves, part, one) / mean_square(waves), 0.5, 1e-4);
  EXPECT_NEAR(filtered_mean_square(waves, part, others), 0, 1e-3);

  // Down, the frequency is in the rows of the response.
  const ErrorField down =
      field([](size_t, size_t y, size_t) { return wave(static_cast<double>(y), 8); });
  std::vector<double> below(32 * 16);
  below[32 * 16 / 8] = 1;
  EXPECT_NEAR(filtered_mean_square(down, part, below) / mean_square(down), 0.5, 1e-4);
}

TEST(Texture, TellsWhatRepeatsFromWhatDoesNot) {
  const ErrorField noise = white_noise();
  EXPECT_LT(repeated_mean_square(noise, 16), 0.01 * mean_square(noise));
  // Along (8, 8) and (16, 0): blocks of 8.
  const ErrorField blocks = field([](size_t x, size_t y, size_t l) {
    return (x / 8 + y / 8) % 2 == 0 ? 0.1 * static_cast<double>((x % 8) ^ (y % 8) ^ l) : 0.0;
  });
  EXPECT_NEAR(repeated_mean_square(blocks, 16) / mean_square(blocks), 1, 1e-3);
  // Along (16, 0) and (0, 16) alone this repeats; along (8, 8) it changes its sign.
  const ErrorField waves =
      field([](size_t x, size_t, size_t) { return wave(static_cast<double>(x), 16); });
  EXPECT_EQ(repeated_mean_square(waves, 16), 0);
}

TEST(Texture, AnisotropySeesADirection) {
  const Window window{4, 4, kSide - 4, kSide - 4};
  EXPECT_LT(anisotropy(blurred(white_noise(), gaussian(1.5), 1), window), 0.05);
  const ErrorField waves =
      field([](size_t x, size_t, size_t) { return wave(static_cast<double>(x), 8); });
  EXPECT_GT(anisotropy(waves, window), 0.5);
}

}  // namespace
}  // namespace mezzo::train::texture_test
