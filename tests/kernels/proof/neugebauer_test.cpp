#include "kernels/proof/neugebauer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mezzo::proof::neugebauer_test {
namespace {

PrintColours cyan_and_magenta() {
  return {.paper = {95, 0, -2},
          .solids = {{55, -37, -50}, {48, 74, -3}},
          .overprints = {{3, {24, 22, -46}}}};
}

void expect_near(const Lab& found, const Lab& expected, double tolerance) {
  EXPECT_NEAR(found.l, expected.l, tolerance);
  EXPECT_NEAR(found.a, expected.a, tolerance);
  EXPECT_NEAR(found.b, expected.b, tolerance);
}

TEST(Neugebauer, GoesFromLabAndBack) {
  for (const Lab& lab : {Lab{95, 0, -2}, Lab{55, -37, -50}, Lab{4, 1, -3}, Lab{100, 0, 0}}) {
    expect_near(lab_of(xyz_of(lab)), lab, 1e-9);
  }
}

TEST(Neugebauer, GivesPaperSolidsAndOverprintsAsTheyAre) {
  const PrintColours colours = cyan_and_magenta();
  const Neugebauer print(colours, 2, 2);
  const std::vector<Lab> sets = {
      colours.paper, colours.solids[0], colours.solids[1], colours.overprints[0].lab};
  for (size_t set = 0; set < 4; ++set) {
    std::vector<uint64_t> areas(4);
    areas[set] = 576;
    expect_near(lab_of(print.mix(areas, {})), sets[set], 0.01);
  }
}

/// A press file may say it, and so may a damaged plan of a cluster.
TEST(Neugebauer, HasColoursForPaperWithoutLight) {
  for (const Lab& paper : {Lab{0, 0, 0},
                           Lab{0, 0, 60},
                           Lab{50, -128, 127},
                           Lab{1e308, 1e308, 1e308},
                           Lab{1e308, -1e308, 1e308}}) {
    PrintColours colours = cyan_and_magenta();
    colours.paper = paper;
    colours.solids.push_back({1e308, -1e308, 1e308});
    for (const PrintColours& one : {colours, on_white(colours)}) {
      const Neugebauer print(one, 2, 1.7);
      for (size_t set = 0; set < 4; ++set) {
        std::vector<uint64_t> areas(4, 1);
        areas[set] = 573;
        const double other[] = {0.5};
        srgb_of(print.mix(areas, other));  // reads no byte beyond its tables
      }
    }
  }
  EXPECT_EQ(srgb_of({NAN, NAN, NAN}), (Rgb8{0, 0, 0}));
  EXPECT_EQ(srgb_of({0, 0, 0}), (Rgb8{0, 0, 0}));
}

TEST(Neugebauer, MixesAsItsFormulaSays) {
  const PrintColours colours = cyan_and_magenta();
  const std::vector<Xyz> light = light_of_sets(colours);
  for (const double n : {1.0, 1.7, 2.0, 4.0}) {
    const Neugebauer print(colours, 2, n);
    const std::vector<uint64_t> areas = {300, 100, 150, 26};
    const Xyz found = print.mix(areas, {});
    for (size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (size_t set = 0; set < 4; ++set) {
        sum += static_cast<double>(areas[set]) / 576 * std::pow(light[set][c], 1 / n);
      }
      EXPECT_NEAR(found[c], std::pow(sum, n), 1e-6) << "n " << n;
    }
  }
}

TEST(Neugebauer, MultipliesWhatIsNotKnown) {
  PrintColours colours = cyan_and_magenta();
  colours.solids.push_back({89, -5, 93});
  const std::vector<Xyz> light = light_of_sets(colours);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(light[5][c], light[1][c] * light[4][c] / light[0][c], 1e-12);
    EXPECT_NEAR(light[7][c], light[3][c] * light[4][c] / light[0][c], 1e-12);  // C+M is known
  }
}

TEST(Neugebauer, TakesLightAwayForFurtherInks) {
  PrintColours colours = cyan_and_magenta();
  colours.solids.push_back({95, 0, -2});  // a varnish: as the paper
  colours.solids.push_back({50, 10, 10});
  const Neugebauer print(colours, 2, 2);
  const std::vector<uint64_t> areas = {1, 1, 1, 1};
  const Xyz none = print.mix(areas, std::vector<double>{0, 0});
  const Xyz varnish = print.mix(areas, std::vector<double>{1, 0});
  const Xyz half = print.mix(areas, std::vector<double>{0, 0.5});
  const Xyz spot = xyz_of({50, 10, 10}), paper = xyz_of(colours.paper);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(varnish[c], none[c], 1e-12);
    const double root = 0.5 + 0.5 * std::sqrt(spot[c] / paper[c]);
    EXPECT_NEAR(half[c], none[c] * root * root, 1e-6);  // powers are from a table
  }
}

TEST(Neugebauer, MixesInksApartAsTheAreasThatFollow) {
  PrintColours colours = cyan_and_magenta();
  colours.solids.push_back({50, 10, 10});
  const Neugebauer print(colours, 2, 2);
  const Xyz apart = print.mix_apart(std::vector<double>{0.25, 0.5, 0.75});
  const Xyz counted = print.mix(std::vector<uint64_t>{3, 1, 3, 1}, std::vector<double>{0.75});
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(apart[c], counted[c], 1e-12);
}

TEST(Neugebauer, ShowsPaperWhite) {
  const PrintColours white = on_white(cyan_and_magenta());
  expect_near(white.paper, {100, 0, 0}, 1e-9);
  const Xyz solid = xyz_of({55, -37, -50}), paper = xyz_of({95, 0, -2});
  EXPECT_NEAR(xyz_of(white.solids[0])[1], solid[1] / paper[1], 1e-9);
}

TEST(Neugebauer, ShowsColoursInSrgb) {
  EXPECT_EQ(srgb_of(xyz_of({100, 0, 0})), (Rgb8{255, 255, 255}));
  EXPECT_EQ(srgb_of(xyz_of({0, 0, 0})), (Rgb8{0, 0, 0}));
  EXPECT_EQ(srgb_of(xyz_of({53.389, 0, 0})), (Rgb8{127, 127, 127}));
  EXPECT_EQ(srgb_of(xyz_of({54.29, 80.81, 69.89})), (Rgb8{255, 0, 0}));  // the red primary, at D50
  EXPECT_EQ(srgb_of(xyz_of({55, -37, -50}))[0], 0);                      // out of gamut
}

TEST(Neugebauer, KnowsTheLightOfTheScreen) {
  for (const Rgb8& rgb : {Rgb8{255, 255, 255}, Rgb8{12, 200, 93}, Rgb8{0, 0, 7}}) {
    EXPECT_EQ(srgb_of(xyz_of_srgb(rgb)), rgb);
  }
}

}  // namespace
}  // namespace mezzo::proof::neugebauer_test
