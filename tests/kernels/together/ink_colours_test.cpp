#include "kernels/together/ink_colours.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/proof/usual_colours.h"

namespace mezzo::together::ink_colours_test {
namespace {

/// Darkest first.
proof::PrintColours process_inks() {
  const std::vector<std::string> inks = {"black", "magenta", "cyan", "yellow"};
  proof::PrintColours print;
  print.paper = proof::kUsualPaper;
  for (const std::string& ink : inks) print.solids.push_back(*proof::usual_solid(ink));
  print.overprints = proof::usual_overprints(inks);
  return print;
}

TEST(InkColours, AreRootsOfTheLightOfEachSet) {
  const proof::PrintColours print = process_inks();
  const InkColours colours = InkColours::of(print);
  ASSERT_EQ(colours.inks, 4U);
  ASSERT_EQ(colours.states.size(), 16U);
  EXPECT_EQ(colours.states[0], (std::array<int16_t, 3>{1024, 0, 0}));
  const proof::Xyz paper = proof::xyz_of(print.paper);
  const auto expect = [&](uint32_t set, const proof::Lab& lab) {
    const proof::Xyz xyz = proof::xyz_of(lab);
    const double x = 1024 * std::sqrt(xyz[0] / paper[0]);
    const double y = 1024 * std::sqrt(xyz[1] / paper[1]);
    const double z = 1024 * std::sqrt(xyz[2] / paper[2]);
    EXPECT_NEAR(colours.states[set][0], y, 0.51) << set;
    EXPECT_NEAR(colours.states[set][1], x - y, 1.01) << set;
    EXPECT_NEAR(colours.states[set][2], y - z, 1.01) << set;
  };
  for (uint32_t ink = 0; ink < 4; ++ink) expect(1U << ink, print.solids[ink]);
  for (const proof::Overprint& known : print.overprints) expect(known.inks, known.lab);
}

/// Pinned, as they decide bits.
TEST(InkColours, OfTheUsualInksNeverChange) {
  const std::vector<std::array<int16_t, 3>> known = InkColours::of(process_inks()).states;
  const std::vector<std::pair<size_t, std::array<int16_t, 3>>> pinned = {{1, {159, 0, 3}},
                                                                         {2, {448, 192, -12}},
                                                                         {4, {524, -92, -338}},
                                                                         {8, {942, -15, 627}},
                                                                         {14, {213, 0, 3}},
                                                                         {15, {33, 0, 1}}};
  for (const auto& [set, colour] : pinned) EXPECT_EQ(known[set], colour) << set;
}

TEST(InkColours, KeepToTheirRangeWithAnyInk) {
  const InkColours colours =
      InkColours::of({.paper = {40, 30, -60},
                      .solids = {{100, -128, 127}, {0, 127, -128}, {90, 90, 90}},
                      .overprints = {}});
  for (const auto& [y, xy, yz] : colours.states) {
    EXPECT_GE(y, 0);
    EXPECT_LE(y, InkColours::kPaper);
    EXPECT_LE(std::abs(xy), InkColours::kPaper);
    EXPECT_LE(std::abs(yz), InkColours::kPaper);
  }
}

}  // namespace
}  // namespace mezzo::together::ink_colours_test
