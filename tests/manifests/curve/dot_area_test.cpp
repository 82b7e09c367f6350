// Dot areas and colours, against values worked out by other means.
#include "manifests/curve/dot_area.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mezzo::curve::dot_area_test {
namespace {

TEST(DotArea, OfDensityIsMurrayDaviesAndYuleNielsen) {
  // Half of the paper covered: R = 0.8 (1/2 + 1/2 10^-1.4).
  const double tint = -std::log10(0.8 * (0.5 + 0.5 * std::pow(10, -1.4)));
  const double paper = -std::log10(0.8), solid = paper + 1.4;
  EXPECT_NEAR(area_by_density(tint, paper, solid, 1), 0.5, 1e-12);
  EXPECT_EQ(area_by_density(paper, paper, solid, 1.7), 0);
  EXPECT_NEAR(area_by_density(solid, paper, solid, 1.7), 1, 1e-12);
  // (1 - 10^-(0.3/2)) / (1 - 10^-(1.4/2)), worked out by hand.
  EXPECT_NEAR(area_by_density(0.4, 0.1, 1.5, 2), 0.364852, 1e-6);
}

TEST(DotArea, OfReflectanceIsThatOfDensity) {
  for (const double n : {1.0, 1.7, 3.0}) {
    for (const double density : {0.1, 0.4, 0.9, 1.5}) {
      EXPECT_NEAR(
          area_by_reflectance(std::pow(10, -density), std::pow(10, -0.1), std::pow(10, -1.5), n),
          area_by_density(density, 0.1, 1.5, n),
          1e-12);
    }
  }
  EXPECT_TRUE(std::isfinite(area_by_reflectance(-0.01, 0.8, 0.05, 2)));
}

TEST(DotArea, OfLightnessAndColour) {
  EXPECT_DOUBLE_EQ(area_by_lightness(75, 95, 55), 0.5);
  const Xyz paper = {83, 86, 71}, solid = {45, 35, 6};
  EXPECT_EQ(area_by_sctv(paper, paper, solid), 0);
  EXPECT_DOUBLE_EQ(area_by_sctv(solid, paper, solid), 1);
  // Half of the way in each of the three lightnesses.
  Xyz half{};
  for (size_t i = 0; i < half.size(); ++i) {
    half[i] = value_of_lightness(
        (lightness_of(paper[i], kWhite[i]) + lightness_of(solid[i], kWhite[i])) / 2, kWhite[i]);
  }
  EXPECT_NEAR(area_by_sctv(half, paper, solid), 0.5, 1e-12);
}

TEST(Colour, LightnessGoesBothWays) {
  EXPECT_NEAR(lightness_of(18.4187, 100), 50, 1e-4);
  for (const double value : {0.0, 0.3, 0.8856, 1.0, 20.0, 100.0}) {
    EXPECT_NEAR(value_of_lightness(lightness_of(value, 100), 100), value, 1e-9);
  }
  const Xyz cyan = xyz_of(Lab{55, -37, -50});
  EXPECT_NEAR(cyan[0], 15.0207, 1e-4);
  EXPECT_NEAR(cyan[1], 22.9298, 1e-4);
  EXPECT_NEAR(cyan[2], 52.8677, 1e-4);
}

TEST(Colour, OfSpectra) {
  const auto white = xyz_of(std::vector<double>(31, 1.0), 400);
  ASSERT_TRUE(white.has_value());
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR((*white)[i], kWhite[i], 0.1);
  // A spectrum of 36 bands; the values are Argyll's spec2cie -i D50 -o 1931_2.
  std::vector<double> bands;
  for (int i = 0; i < 36; ++i) bands.push_back(0.05 + 0.9 * (i % 7) / 7.0 * (i / 36.0));
  const auto colour = xyz_of(bands, 380);
  EXPECT_NEAR((*colour)[0], 24.677, 0.03);
  EXPECT_NEAR((*colour)[1], 24.102, 0.03);
  EXPECT_NEAR((*colour)[2], 10.248, 0.03);
  EXPECT_FALSE(xyz_of(std::vector<double>(20, 1.0), 430).has_value());
  EXPECT_FALSE(xyz_of(std::vector<double>(20, 1.0), 400).has_value());
  EXPECT_FALSE(xyz_of(std::vector<double>(), 400).has_value());
}

}  // namespace
}  // namespace mezzo::curve::dot_area_test
