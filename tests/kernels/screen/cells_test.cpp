// The choice of AM cells: the sets that are known to be good, the errors and periods that a choice is
// held to, and what is refused.

#include "kernels/screen/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::screen::test::cells_test {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Cell mirrored(const Cell& cell) {
  return {cell.repeats, cell.n, cell.m};
}

/// A set of screens at 15, 75 and 45 degrees with figures worked out by hand.
struct Set {
  double resolution, ruling;
  Cell cyan, black;
  double cyan_ruling, cyan_angle, black_ruling;
  uint64_t ranks;
  double period;  // mm
};

const std::vector<Set> kSets = {
    {600, 85, {13, 88, 24}, {1, 5, 5}, 85.513, 15.255, 84.853, 8320, kNever},
    {1200, 133, {9, 79, 21}, {5, 32, 32}, 132.121, 14.886, 132.583, 6682, 3200.3},
    {2400, 133, {12, 209, 56}, {4, 51, 51}, 133.104, 15.000, 133.102, 46817, 8934.1},
    {2400, 150, {5, 77, 21}, {8, 91, 91}, 150.353, 15.255, 149.192, 6370, kNever},
    {2400, 175, {5, 66, 18}, {4, 39, 39}, 175.412, 15.255, 174.057, 4680, kNever},
    {2540, 150, {15, 246, 65}, {13, 155, 155}, 149.739, 14.801, 150.637, 64741, 8347.9},
    {2540, 175, {7, 99, 26}, {4, 41, 41}, 173.705, 14.715, 175.224, 10477, 1012.5},
    {2540, 175, {4, 56, 15}, {4, 41, 41}, 175.251, 14.995, 175.224, 3361, 487.2},
    {4000, 175, {3, 66, 18}, {4, 65, 65}, 175.412, 15.255, 174.057, 4680, kNever},
    {4800, 200, {9, 209, 56}, {1, 17, 17}, 199.656, 15.000, 199.654, 46817, 5956.1},
};

TEST(Cells, HaveTheFiguresOfKnownSets) {
  for (const Set& set : kSets) {
    SCOPED_TRACE(std::to_string(set.resolution) + " dpi, " + std::to_string(set.ruling) + " lpi");
    EXPECT_NEAR(ruling_of(set.cyan, set.resolution), set.cyan_ruling, 0.0006);
    EXPECT_NEAR(ruling_of(set.black, set.resolution), set.black_ruling, 0.0006);
    EXPECT_NEAR(angle_of(set.cyan), set.cyan_angle, 0.0006);
    EXPECT_NEAR(angle_of(mirrored(set.cyan)), 90 - set.cyan_angle, 0.0006);
    EXPECT_EQ(pixels_of(set.cyan), set.ranks);
    const double period =
        moire_period(std::vector{set.cyan, mirrored(set.cyan), set.black}, set.resolution);
    if (set.period == kNever) {
      EXPECT_EQ(period, kNever);
    } else {
      EXPECT_NEAR(period, set.period, 0.06);
    }
  }
}

TEST(Cells, ChosenAreBetterThanKnownSets) {
  for (const Set& set : kSets) {
    SCOPED_TRACE(std::to_string(set.resolution) + " dpi, " + std::to_string(set.ruling) + " lpi");
    const auto chosen = [&](double angle) {
      return choose_cell(set.resolution, set.ruling, angle);
    };
    const Cell cyan = chosen(15), magenta = chosen(75), black = chosen(45);
    EXPECT_EQ(magenta, mirrored(cyan));
    EXPECT_EQ(black.m, black.n);
    EXPECT_LE(std::abs(angle_of(cyan) - 15), 0.06);
    EXPECT_NEAR(ruling_of(cyan, set.resolution), set.ruling, 0.003 * set.ruling);
    EXPECT_NEAR(ruling_of(black, set.resolution), set.ruling, 0.003 * set.ruling);
    EXPECT_GE(moire_period(std::vector{cyan, magenta, black}, set.resolution), kLongMoire);
  }
}

TEST(Cells, ThirtyDegreesApartMakeNoMoireAtAnyAngle) {
  for (const double resolution : {600.0, 1270.0, 2400.0}) {
    for (const double ruling : {65.0, 100.0, 133.3}) {
      for (const double angle : {0.0, 7.5, 15.0, 22.5, 1.0, 18.43, 29.0}) {
        std::vector<Cell> set;
        for (const double more : {0, 30, 60}) {
          set.push_back(choose_cell(resolution, ruling, angle + more));
          EXPECT_NEAR(angle_of(set.back()), angle + more, 0.6);
          EXPECT_NEAR(ruling_of(set.back(), resolution), ruling, 0.01 * ruling);
          EXPECT_TRUE(fault_of(set.back()).empty());
        }
        EXPECT_GE(moire_period(set, resolution), kLongMoire)
            << resolution << " dpi, " << ruling << " lpi, " << angle << " degrees";
      }
    }
  }
}

TEST(Cells, AreMirroredAndTurnedWithTheirAngle) {
  EXPECT_EQ(choose_cell(2400, 150, 82.5), mirrored(choose_cell(2400, 150, 7.5)));
  EXPECT_EQ(choose_cell(2400, 150, 52.5), mirrored(choose_cell(2400, 150, 37.5)));
  const Cell cell = choose_cell(2400, 150, 15);
  EXPECT_EQ(choose_cell(2400, 150, 105), (Cell{cell.repeats, -cell.n, cell.m}));
  EXPECT_NEAR(angle_of(choose_cell(2400, 150, 165)), 165, 0.06);
  EXPECT_EQ(choose_cell(2400, 150, 0).n, 0);
  EXPECT_NEAR(angle_of(choose_cell(2400, 150, 180)), 180, 1e-9);
}

TEST(Moire, IsThatOfScreensMeantToMeet) {
  const Cell one{1, 20, 0}, near{1, 21, 0}, far{1, 25, 0};
  EXPECT_EQ(moire_period(std::vector{one, one}, 2540), kNever);
  EXPECT_EQ(moire_period(std::vector{one}, 2540), kNever);
  // Lines of 0.20 and 0.21 mm fall together every 4.2 mm.
  EXPECT_NEAR(moire_period(std::vector{one, near}, 2540), 4.2, 1e-6);
  // Some degrees apart they make lozenges, which are seen.
  const std::vector lozenges{choose_cell(2400, 175, 15), choose_cell(2400, 175, 19)};
  EXPECT_NEAR(moire_period(lozenges, 2400), 2.07, 0.01);
  // Far apart in ruling or angle they have a rosette, and no moire.
  EXPECT_EQ(moire_period(std::vector{one, far}, 2540), kNever);
  EXPECT_EQ(moire_period(std::vector{choose_cell(2400, 175, 0), choose_cell(2400, 175, 15)}, 2400),
            kNever);
}

TEST(Cells, AreMultipliedUntilTheyHaveTheLevels) {
  EXPECT_EQ(filled({5, 66, 18}), (Cell{10, 132, 36}));
  EXPECT_EQ(filled({13, 88, 24}), (Cell{13, 88, 24}));
  EXPECT_EQ(filled({1, 5, 5}), (Cell{10, 50, 50}));
  EXPECT_EQ(filled({1, 500, 0}), (Cell{1, 500, 0}));  // as far as a tile goes
  EXPECT_EQ(levels_of({1, 5, 5}), 4097U);
  EXPECT_EQ(levels_of({8, 91, 91}), 4097U);
}

TEST(Cells, RefuseWhatCannotBeAScreen) {
  const auto message = [](double resolution, double ruling) -> std::string {
    try {
      choose_cell(resolution, ruling, 15);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
  };
  EXPECT_EQ(message(600, 150), "");
  EXPECT_EQ(message(600, 151),
            "a ruling of 151 lpi at 600 dpi leaves less than 4 px to a cell; give the plates' "
            "resolution, such as 2400 dpi, or use at most 150 lpi");
  EXPECT_EQ(message(600, 9), "a ruling must be at least 10 lpi");
  EXPECT_EQ(
      message(9600, 12.5),
      "a ruling of 12.5 lpi at 9600 dpi makes cells of more than 500 px; use at least 20 lpi");
  EXPECT_EQ(fault_of({4, 39, 39}), "");
  EXPECT_EQ(fault_of({0, 39, 39}), "a cell of (39, 39) / 0 px must repeat after 1 to 64 cells");
  EXPECT_EQ(fault_of({9, 500, 300}),
            "a cell of (500, 300) / 9 px takes more than the 262144 px of a tile");
  EXPECT_EQ(fault_of({20, 39, 39}), "a cell of (39, 39) / 20 px is less than 4 px wide");
}

}  // namespace
}  // namespace mezzo::screen::test::cells_test
