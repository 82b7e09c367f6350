#include "kernels/band/ink_texture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "tests/kernels/planes.h"

namespace mezzo::test::ink_texture_test {
namespace {

const std::vector<std::string> kInks = {"black", "cyan", "magenta", "yellow", "pantone-185-c"};

/// The dots of an ink of a page: a flat tint or a ramp with paper above it and on both sides.
class Dots {
 public:
  Dots(const std::string& method, const std::string& ink, uint32_t number, uint32_t tint)
      : plane_(kSide, kSide) {
    SamplePlane in(kSide, kSide, 1);
    for (uint32_t y = 0; y < kSide; ++y) {
      for (uint32_t x = 0; x < kSide; ++x) {
        const bool inside = y >= kMargin && x >= kMargin && x < kSide - kMargin;
        in.set(x, y, !inside ? 0 : tint == kRamp ? (x - kMargin) * 255 / (kArea - 1) : tint);
      }
    }
    in.band.plane = number;
    in.band.texture = texture_of_ink(ink);
    SoloTeam solo;
    const auto halftoner = make_halftoner(complete({.method = method})).halftoner;
    run_plane(*halftoner, in.band, ToneCurve(255, Polarity::kMaxIsInk), plane_.band, solo);
    mean_ = mean_of([&](uint32_t x, uint32_t y) { return plane_.band.ink(x, y); });
  }

  static constexpr uint32_t kRamp = 256;

  /// Part of the pixels that have dots.
  double mean() const { return mean_; }

  /// Part of the pixels at which both have a dot or both have none.
  double agreement(const Dots& other) const { return 1 - mean_ - other.mean_ + 2 * both(other); }

  double correlation(const Dots& other) const {
    const double a = mean_, b = other.mean_;
    return (both(other) - a * b) / std::sqrt(a * (1 - a) * b * (1 - b));
  }

  /// Root mean square of the density in squares of 4 x 4 pixels, less the tint.
  double grain(double tone) const {
    double sum = 0;
    for (uint32_t y = kMargin + 16; y < kSide; y += 4) {
      for (uint32_t x = kMargin; x < kSide - kMargin; x += 4) {
        double dots = 0;
        for (uint32_t i = 0; i < 16; ++i) dots += plane_.band.ink(x + i % 4, y + i / 4);
        sum += (dots / 16 - tone) * (dots / 16 - tone);
      }
    }
    constexpr uint32_t kSquares = (kArea - 16) / 4 * (kArea / 4);
    return std::sqrt(sum / kSquares);
  }

 private:
  static constexpr uint32_t kMargin = 32, kArea = 256, kSide = kArea + 2 * kMargin;

  template <typename Ink>
  static double mean_of(const Ink& ink) {
    double dots = 0;
    for (uint32_t y = kMargin; y < kMargin + kArea; ++y) {
      for (uint32_t x = kMargin; x < kMargin + kArea; ++x) dots += ink(x, y);
    }
    return dots / (double{kArea} * kArea);
  }
  double both(const Dots& other) const {
    return mean_of([&](uint32_t x, uint32_t y) {
      return plane_.band.ink(x, y) && other.plane_.band.ink(x, y);
    });
  }

  BitPlane plane_;
  double mean_ = 0;
};

TEST(InkTexture, LeavesBlackAlone) {
  EXPECT_EQ(texture_of_ink("black"), 0U);
  for (size_t i = 0; i < kInks.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(texture_of_ink(kInks[i]), texture_of_ink(kInks[j]));
  }
}

TEST(InkTexture, HasNoMeanAndRepeatsItsRows) {
  for (uint32_t y = 0; y < kTextureSide; ++y) {
    for (uint32_t x = 0; x < kTextureSide; ++x) {
      const size_t at = y * kTextureStride + x;
      ASSERT_EQ(kTextureTile[at], kTextureTile[at + kTextureSide]);
    }
  }
  const int sum = std::accumulate(kTextureTile.begin(), kTextureTile.end(), 0);
  EXPECT_LT(std::abs(sum), kTextureSide * kTextureStride / 16);
}

TEST(InkTexture, KeepsTonesInTheirRange) {
  for (int tone = 0; tone <= 4096; ++tone) {
    for (const int value : {-32767, -1, 0, 1, 32767}) {
      const int textured = textured_tone(tone, value);
      ASSERT_GE(textured, 0) << tone;
      ASSERT_LE(textured, 4096) << tone;
      if (tone == 0 || tone == 4096) {
        ASSERT_EQ(textured, tone);
      }
    }
  }
}

/// Methods whose dots must differ from ink to ink. A threshold has no dots: its inks must register;
/// a tile is its user's; and AM screens have an angle for each ink.
std::vector<std::string> methods_with_dots() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) {
    const bool differs = method.name != "threshold" && method.name != "am" && !method.takes_tile;
    if (differs && !is_slow(method)) names.emplace_back(method.name);
  }
  return names;
}

TEST(InkTexture, SetsTheDotsOfAnyTwoInksApart) {
  for (const std::string& method : methods_with_dots()) {
    SCOPED_TRACE(method);
    std::deque<Dots> inks;
    for (uint32_t i = 0; i < kInks.size(); ++i) inks.emplace_back(method, kInks[i], i, Dots::kRamp);
    // Independent dots agree in 0.67 of a ramp. Of four inks two have one of the two patterns that
    // an ordered matrix has at one half.
    const double most = method == "bayer" ? 0.88 : 0.70;
    for (size_t i = 0; i < inks.size(); ++i) {
      EXPECT_NEAR(inks[i].mean(), 0.5, 0.01) << kInks[i];
      for (size_t j = 0; j < i; ++j) {
        EXPECT_LE(inks[i].agreement(inks[j]), most) << kInks[i] << " and " << kInks[j];
      }
    }
  }
}

TEST(InkTexture, SetsTheDotsOfFourProcessInksOfBayerApart) {
  std::deque<Dots> inks;
  for (uint32_t i = 0; i < 4; ++i) inks.emplace_back("bayer", kInks[i], i, Dots::kRamp);
  for (size_t i = 0; i < inks.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_LE(inks[i].agreement(inks[j]), 0.76) << i << " " << j;
  }
}

struct TintCase {
  std::string method;
  uint32_t step;  ///< from tint to tint
  double most_correlation;
};

class InkTextureTints : public ::testing::TestWithParam<TintCase> {};

INSTANTIATE_TEST_SUITE_P(Methods,
                         InkTextureTints,
                         ::testing::Values(TintCase{"floyd-steinberg", 1, 0.1},
                                           TintCase{"ostromoukhov", 5, 0.15},
                                           TintCase{"green-noise", 5, 0.15}),
                         [](const auto& test) {
                           std::string name = test.param.method;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(InkTextureTints, AreApartAtEveryTone) {
  const auto& [method, step, most_correlation] = GetParam();
  double grain = 0, grain_of_black = 0;
  for (uint32_t tint = 1; tint < 255; tint += step) {
    SCOPED_TRACE("tint " + std::to_string(tint));
    std::deque<Dots> inks;
    for (uint32_t i = 0; i < 3; ++i) inks.emplace_back(method, kInks[i], i, tint);
    for (size_t i = 1; i < inks.size(); ++i) {
      EXPECT_NEAR(inks[i].mean(), inks[0].mean(), 0.25 / 255);
      for (size_t j = 0; j < i; ++j) {
        EXPECT_LE(std::abs(inks[i].correlation(inks[j])), most_correlation);
      }
    }
    grain += inks[1].grain(tint / 255.0);
    grain_of_black += inks[0].grain(tint / 255.0);
  }
  EXPECT_LE(grain, 1.06 * grain_of_black);
}

}  // namespace
}  // namespace mezzo::test::ink_texture_test
