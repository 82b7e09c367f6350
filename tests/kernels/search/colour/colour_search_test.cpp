// Colour direct binary search against its definition in naive_colour_dbs.h, and what must not change
// its bits: threads, vectors, skipped cells.
#include "kernels/search/colour/cpu/colour_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kernels/search/colour/colour_eyes.h"
#include "tests/kernels/search/colour/naive_colour_dbs.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/simd_target.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::colour_search_test {
namespace {

using search::colour::make_search;

/// Rounds until one changes nothing, each against one naive round; returns how many.
int expect_naive_rounds(ColourPage& page, const together::InkColours& colours, Team& team) {
  NaiveColourDbs naive(page, colours);
  const auto search = make_search(colours, page.page(), team);
  EXPECT_EQ(search->error(), naive.energy());
  for (int rounds = 1;; ++rounds) {
    const std::vector<uint8_t> before = naive.states;
    naive.round();
    const search::Round round = search->round(team, kNoPause);
    search->finish();
    EXPECT_EQ(page.states, naive.states) << "round " << rounds;
    EXPECT_EQ(round.error, naive.energy()) << "round " << rounds;
    EXPECT_EQ(round.changed == 0, naive.states == before);
    if (::testing::Test::HasFailure() || round.changed == 0) return rounds;
  }
}

TEST(ColourDbs, GivesTheStatesAndErrorsOfItsDefinition) {
  ThreadTeam team(3);
  int most_rounds = 0;
  for (int inks = 1; inks <= 4; ++inks) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 5}, {5, 1}, {3, 4}, {5, 5}}) {
      SCOPED_TRACE(testing::Message() << inks << " inks, " << width << " x " << height);
      ColourPage page(width, height, inks);
      page.fill(static_cast<uint32_t>(7 * width + inks));
      most_rounds = std::max(most_rounds, expect_naive_rounds(page, some_colours(page.inks), team));
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GE(most_rounds, 3);
}

TEST(ColourDbs, GivesThemWithSixInks) {
  SoloTeam team;
  ColourPage page(3, 3, 6);
  page.fill(5);
  EXPECT_GE(expect_naive_rounds(page, some_colours(page.inks), team), 2);
}

/// Pages of several cells.
TEST(ColourDbs, GivesThemFromCellToCell) {
  ThreadTeam team(2);
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{{35, 1}, {1, 34}, {18, 2}}) {
    ColourPage page(width, height, 2);
    page.fill(static_cast<uint32_t>(width));
    EXPECT_GE(expect_naive_rounds(page, some_colours(page.inks), team), 2);
    ASSERT_FALSE(HasFailure());
  }
}

/// Stripes on flat tones: what is on either side of a pixel is alike, and changes gain the same.
TEST(ColourDbs, TakesTheFirstOfEqualSwaps) {
  SoloTeam team;
  for (const uint32_t apart : {2U, 3U}) {
    ColourPage page(5, 5, 3);
    page.fill_flat({1300, 1300, 700}, 1);
    for (uint32_t i = 0; i < page.states.size(); ++i) page.states[i] = i % 5 % apart == 0 ? 7 : 0;
    ASSERT_GE(expect_naive_rounds(page, some_colours(page.inks), team), 2);
    ASSERT_FALSE(HasFailure());
  }
}

/// Inks of one colour, where one does as well as another.
TEST(ColourDbs, TakesTheFirstOfEqualStates) {
  SoloTeam team;
  proof::PrintColours print;
  print.paper = {95, 0, 0};
  print.solids.assign(3, {50, 10, 20});
  print.overprints = {{3, {30, 10, 20}}, {5, {30, 10, 20}}, {6, {30, 10, 20}}};
  ColourPage page(5, 4, 3);
  page.fill_flat({300, 300, 300}, 1);
  page.states.assign(page.states.size(), 0);
  ASSERT_GE(expect_naive_rounds(page, together::InkColours::of(print), team), 2);
}

class ColourDbsOnTarget : public OnTarget {};

MZ_ON_EVERY_TARGET(Lanes, ColourDbsOnTarget);

TEST_P(ColourDbsOnTarget, GivesTheStatesAndErrorsOfItsDefinition) {
  SoloTeam team;
  ColourPage page(19, 2, 3);
  page.fill(3);
  EXPECT_GE(expect_naive_rounds(page, some_colours(page.inks), team), 2);
}

/// As many states as `target`, on a page wider than any vector.
TEST_P(ColourDbsOnTarget, GivesTheStatesOfEveryOther) {
  SoloTeam team;
  const auto result = [&] {
    ColourPage page(71, 45, 4);
    page.fill(9);
    const auto search = make_search(some_colours(4), page.page(), team);
    for (int i = 0; i < 3; ++i) search->round(team, kNoPause);
    search->finish();
    return page.states;
  };
  const std::vector<uint8_t> on_target = result();
  UseTarget least(hwy::SupportedAndGeneratedTargets().back());
  EXPECT_EQ(on_target, result());
}

/// What is kept from change to change is what a count from scratch gives, and a search that skips
/// nothing, as a new one, goes the same way.
TEST(ColourDbs, EachRoundLowersTheErrorAndIsThatOfANewSearch) {
  ThreadTeam team(2);
  for (const int inks : {1, 4}) {
    ColourPage page(67, 70, inks), fresh(67, 70, inks);
    page.fill_flat({1000, 1800, 1300, 100}, 1);
    fresh.fill_flat({1000, 1800, 1300, 100}, 1);
    const together::InkColours colours = some_colours(inks);
    const auto search = make_search(colours, page.page(), team);
    uint64_t last = search->error();
    int rounds = 0;
    for (bool changing = true; changing && rounds < 6; ++rounds) {
      const search::Round round = search->round(team, kNoPause);
      search->finish();
      changing = round.changed > 0;
      ASSERT_EQ(changing, round.error < last);
      last = round.error;
      const auto again = make_search(colours, fresh.page(), team);
      ASSERT_EQ(again->round(team, kNoPause).error, round.error);
      again->finish();
      ASSERT_EQ(page.states, fresh.states);
    }
    EXPECT_GE(rounds, 4);
  }
}

TEST(ColourDbs, GivesTheSameStatesWithAnyTeam) {
  const auto after_rounds = [&](uint32_t members) {
    ThreadTeam team(members);
    ColourPage page(151, 201, 4);
    page.fill(4);
    const auto search = make_search(some_colours(4), page.page(), team);
    for (int i = 0; i < 2; ++i) search->round(team, kNoPause);
    search->finish();
    return page.states;
  };
  const std::vector<uint8_t> alone = after_rounds(1);
  for (const uint32_t members : {2U, 3U, 8U}) ASSERT_EQ(after_rounds(members), alone) << members;
}

TEST(ColourDbs, KeepsPaperAndSolid) {
  SoloTeam team;
  ColourPage page(20, 20, 3);
  page.fill_flat({0, 4096, 1000}, 1);
  const auto search = make_search(some_colours(3), page.page(), team);
  EXPECT_GT(search->round(team, kNoPause).changed, 0U);
  search->finish();
  for (const uint8_t state : page.states) EXPECT_EQ(state & 3, 2);
}

/// The tables are those of their formulas.
TEST(ColourEyes, AreRoundedPointSpreads) {
  constexpr double kPi = std::numbers::pi, kDegree = 3500 * kPi / 180;
  const auto expect = [&](const search::colour::EyeQuarter& quarter, double k) {
    double sum = 0;
    int whole = 0;
    const auto spread = [&](int dy, int dx) {
      const int square = dy * dy + dx * dx;
      return square > 49 ? 0 : std::pow(k * k + 4 * kPi * kPi * square, -1.5);
    };
    for (int dy = -7; dy <= 7; ++dy) {
      for (int dx = -7; dx <= 7; ++dx) {
        sum += spread(dy, dx);
        whole += quarter[std::abs(dy)][std::abs(dx)];
      }
    }
    EXPECT_LE(whole, 1023);
    EXPECT_GE(whole, 1016);
    // Scaled so that the rounded ones do not exceed 1023.
    double least = 900, most = 1100;
    for (int dy = 0; dy <= 7; ++dy) {
      for (int dx = 0; dx <= 7; ++dx) {
        if (spread(dy, dx) == 0) {
          EXPECT_EQ(quarter[dy][dx], 0);
          continue;
        }
        least = std::max(least, (quarter[dy][dx] - 0.5) * sum / spread(dy, dx));
        most = std::min(most, (quarter[dy][dx] + 0.5) * sum / spread(dy, dx));
      }
    }
    EXPECT_LE(least, most) << "one scale gives all values";
  };
  expect(search::colour::kLuminanceEye, kDegree / (0.525 * std::log(11) + 3.91));
  expect(search::colour::kChrominanceEye, 0.7 * 0.419 * kDegree);
}

}  // namespace
}  // namespace mezzo::test::colour_search_test
