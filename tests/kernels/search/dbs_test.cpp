// Direct binary search against its definition in naive_search.h, and what must not change its bits:
// threads, skipped cells, slabs.

#include "kernels/search/cpu/dbs.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <map>
#include <tuple>

#include "tests/kernels/search/search_pages.h"
#include "tests/support/simd_target.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::dbs_test {
namespace {

using search::DbsSettings;
using search::DbsTarget;
using search::make_dbs;

constexpr DbsTarget kTargets[] = {DbsTarget::kFiltered, DbsTarget::kOriginal};

/// Every radius that there is, with the least cell and with a larger one.
DbsSettings settings_of(uint32_t radius, DbsTarget target, uint32_t more_cell = 0) {
  const search::Square eye = radius % 2 ? search::gaussian_eye(0.3 * radius + 0.2, radius)
                                        : search::nasanen_eye(3500, radius);
  return {eye, target, search::least_dbs_cell(radius) + more_cell};
}

NaiveDbs naive(const DbsSettings& settings) {
  NaiveDbs how;
  how.eye = naive_eye(settings.eye);
  how.cell = static_cast<int>(settings.cell);
  how.rounds = 1;
  how.target =
      settings.target == DbsTarget::kFiltered ? NaiveTarget::kFiltered : NaiveTarget::kOriginal;
  return how;
}

/// One naive round. Remembers those of a process: they are the same for all targets of vectors.
const NaiveSearchResult& naive_round_of(const SearchPage& page,
                                        const NaiveBits& bits,
                                        const DbsSettings& settings) {
  using Key = std::tuple<std::vector<uint16_t>, uint32_t, NaiveBits, uint32_t, DbsTarget, uint32_t>;
  static std::map<Key, NaiveSearchResult> known;
  const Key key(
      page.tones, page.width, bits, settings.eye.radius(), settings.target, settings.cell);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, naive_dbs(page.naive, bits, naive(settings))).first->second;
}

/// Rounds until one changes nothing, each against one naive round; returns how many.
int expect_naive_rounds(SearchPage& page, const DbsSettings& settings, Team& team) {
  NaiveBits expected = page.bits;
  const auto search = make_dbs(settings, page.area(), team);
  for (int rounds = 1;; ++rounds) {
    const NaiveSearchResult& naive_round = naive_round_of(page, expected, settings);
    EXPECT_EQ(search->error(), static_cast<uint64_t>(naive_round.errors[0]));
    const search::Round round = search->round(team, kNoPause);
    search->finish();
    EXPECT_EQ(round.error, static_cast<uint64_t>(naive_round.errors[1])) << "round " << rounds;
    EXPECT_EQ(round.error, search->error());
    EXPECT_EQ(page.bits, naive_round.bits) << "round " << rounds;
    EXPECT_EQ(round.changed == 0, naive_round.bits == expected);
    if (::testing::Test::HasFailure() || round.changed == 0) return rounds;
    expected = naive_round.bits;
  }
}

TEST(Dbs, GivesTheBitsAndErrorsOfItsDefinition) {
  ThreadTeam team(3);
  int most_rounds = 0;
  for (const auto& [width, height] : std::vector<std::pair<uint32_t, uint32_t>>{
           {1, 1}, {1, 23}, {23, 1}, {3, 40}, {2, 2}, {5, 4}, {17, 26}, {31, 13}}) {
    for (uint32_t radius = 1; radius <= 3; ++radius) {
      for (const DbsTarget target : kTargets) {
        for (const Tone tone : {Tone::kNoise, Tone::kRamp}) {
          SCOPED_TRACE(testing::Message() << width << " x " << height << " radius " << radius);
          SearchPage page(width, height, tone);
          if (tone == Tone::kNoise) page.start_at_random(radius);
          const int rounds = expect_naive_rounds(page, settings_of(radius, target, radius), team);
          ASSERT_FALSE(HasFailure());
          most_rounds = std::max(most_rounds, rounds);
        }
      }
    }
  }
  EXPECT_GE(most_rounds, 4);
}

class DbsOnTarget : public OnTarget {};

MZ_ON_EVERY_TARGET(Lanes, DbsOnTarget);

TEST_P(DbsOnTarget, GivesTheBitsAndErrorsOfItsDefinition) {
  SoloTeam team;
  for (const uint32_t radius : {1U, 3U}) {
    for (const uint32_t more_cell : {0U, 15U}) {
      SearchPage page(29, 24, Tone::kNoise);
      page.start_at_random(radius);
      const DbsSettings settings = settings_of(radius, DbsTarget::kFiltered, more_cell);
      ASSERT_GE(expect_naive_rounds(page, settings, team), 3);
      ASSERT_FALSE(HasFailure());
    }
  }
}

/// Tiles as wide as many vectors, whole and not.
TEST_P(DbsOnTarget, CountsTheErrorAtTheStart) {
  SoloTeam team;
  for (const uint32_t width : {70U, 512U, 531U, 600U}) {
    SearchPage page(width, 9, Tone::kNoise);
    const DbsSettings settings = settings_of(3, DbsTarget::kFiltered);
    const NaiveSearchResult& expected = naive_round_of(page, page.bits, settings);
    ASSERT_EQ(make_dbs(settings, page.area(), team)->error(),
              static_cast<uint64_t>(expected.errors[0]));
    const auto search = make_dbs(settings, page.area(), team);
    search->round(team, kNoPause);
    search->finish();
    ASSERT_EQ(page.bits, expected.bits);
  }
}

TEST(Dbs, GivesThemWithWideEyesToo) {
  SoloTeam team;
  for (uint32_t radius = 4; radius <= search::kMostEyeRadius; ++radius) {
    SearchPage page(23, 21, Tone::kEdge);
    page.start_at_random(radius);
    const DbsSettings settings = settings_of(radius, kTargets[radius % 2]);
    const NaiveSearchResult expected = naive_dbs(page.naive, page.bits, naive(settings));
    const auto search = make_dbs(settings, page.area(), team);
    ASSERT_EQ(search->error(), static_cast<uint64_t>(expected.errors[0])) << radius;
    ASSERT_EQ(search->round(team, kNoPause).error, static_cast<uint64_t>(expected.errors[1]));
    search->finish();
    ASSERT_EQ(page.bits, expected.bits) << radius;
  }
}

/// Stripes on a flat tone: what is on either side of a pixel is alike, and moves gain the same.
TEST(Dbs, TakesTheFirstOfEqualMoves) {
  SoloTeam team;
  for (const uint32_t apart : {2U, 3U, 5U}) {
    SearchPage page(21, 21, Tone::kFlat);
    for (uint32_t i = 0; i < page.bits.size(); ++i) page.bits[i] = i % 21 % apart == 0;
    ASSERT_GE(expect_naive_rounds(page, settings_of(1, DbsTarget::kFiltered), team), 2);
    ASSERT_FALSE(HasFailure());
  }
}

/// Pages of several tiles of the start's count, of random bits.
TEST(Dbs, CountsTheErrorAtTheStartOfAnyPage) {
  ThreadTeam team(2);
  for (const auto& [width, height] :
       std::vector<std::pair<uint32_t, uint32_t>>{{1, 700}, {700, 2}, {513, 66}, {64, 129}}) {
    for (const DbsTarget target : kTargets) {
      SearchPage page(width, height, Tone::kNoise);
      page.start_at_random(7);
      const DbsSettings settings = settings_of(3, target);
      ASSERT_EQ(make_dbs(settings, page.area(), team)->error(),
                static_cast<uint64_t>(naive_energy(page.naive, page.bits, naive(settings))))
          << width << " x " << height;
    }
  }
}

/// What is kept from change to change is what a count from scratch gives, and a search that skips
/// nothing, as a new one, goes the same way.
TEST(Dbs, EachRoundLowersTheErrorAndIsThatOfANewSearch) {
  ThreadTeam team(2);
  for (const DbsTarget target : kTargets) {
    for (const uint32_t radius : {2U, 5U}) {
      SearchPage page(201, 163, Tone::kRamp), fresh = page;
      const DbsSettings settings = settings_of(radius, target, radius);
      const auto search = make_dbs(settings, page.area(), team);
      uint64_t last = search->error();
      int rounds = 0;
      for (bool changing = true; changing; ++rounds) {
        const search::Round round = search->round(team, kNoPause);
        search->finish();
        changing = round.changed > 0;
        ASSERT_EQ(changing, round.error < last);
        last = round.error;
        const auto again = make_dbs(settings, fresh.area(), team);
        ASSERT_EQ(again->round(team, kNoPause).error, round.error);
        again->finish();
        ASSERT_EQ(page.bits, fresh.bits);
      }
      ASSERT_EQ(make_dbs(settings, page.area(), team)->error(), last);
      EXPECT_GE(rounds, 4);
    }
  }
}

TEST(Dbs, GivesTheSameBitsWithAnyTeam) {
  for (const uint32_t radius : {1U, 3U, 7U}) {
    const DbsSettings settings = settings_of(radius, DbsTarget::kFiltered);
    const auto converged = [&](uint32_t members) {
      ThreadTeam team(members);
      SearchPage page(311, 257, Tone::kNoise);
      const auto search = make_dbs(settings, page.area(), team);
      while (search->round(team, kNoPause).changed > 0) {
      }
      search->finish();
      return page.bits;
    };
    const NaiveBits alone = converged(1);
    for (const uint32_t members : {2U, 3U, 8U}) ASSERT_EQ(converged(members), alone) << members;
  }
}

TEST(Dbs, LeavesPaperAndSolidAsTheyAre) {
  SoloTeam team;
  for (const Tone tone : {Tone::kPaper, Tone::kSolid}) {
    for (const DbsTarget target : kTargets) {
      SearchPage page(40, 30, tone);
      const NaiveBits start = page.bits;
      const auto search = make_dbs(settings_of(3, target), page.area(), team);
      EXPECT_EQ(search->error(), 0U);
      EXPECT_EQ(search->round(team, kNoPause).changed, 0U);
      search->finish();
      EXPECT_EQ(page.bits, start);
    }
  }
}

/// One naive round of the rows of a page from `free` on.
NaiveBits naive_round_below(const Tones& tones, NaiveBits bits, const NaiveDbs& how, int free) {
  const int reach = how.eye.radius + 1;
  const NaiveGoals goals(tones, how);
  const auto visit = [&](int y, int x) {
    const auto changed = [&](size_t other) {
      NaiveBits result = bits;
      const size_t here = tones.index(y, x);
      result[here] ^= 1;
      if (other != here) result[other] ^= 1;
      return result;
    };
    const NaiveBox affected = {y - reach, x - reach, y + reach + 1, x + reach + 1};
    int64_t least = naive_energy(tones, bits, how, goals, affected);
    NaiveBits best = bits;
    for (const size_t other : naive_candidates(tones, bits, y, x)) {
      if (other < tones.index(free, 0)) continue;
      const int64_t error = naive_energy(tones, changed(other), how, goals, affected);
      if (error < least) least = error, best = changed(other);
    }
    bits = best;
  };
  for (int group = 0; group < 4; ++group) {
    for (int y = free; y < tones.rows(); ++y) {
      if (y / how.cell % 2 != group / 2) continue;
      for (int x = 0; x < tones.columns(); ++x) {
        if (x / how.cell % 2 == group % 2) visit(y, x);
      }
    }
  }
  return bits;
}

/// Visiting by rows of the page and not of cells is the same, as cells of a group do not meet.
TEST(Dbs, LeavesSettledRowsAloneAndCountsThem) {
  ThreadTeam team(2);
  for (const DbsTarget target : kTargets) {
    for (const uint32_t first : {3U, 6U, 13U}) {
      const DbsSettings settings = settings_of(2, target, first % 2);
      const uint32_t settled = 2 * 2 + first % 3;
      SearchPage page(19, 44, Tone::kNoise);
      page.start_at_random(first);
      NaiveBits expected = page.bits;
      const NaiveDbs how = naive(settings);
      const auto search = make_dbs(settings, page.area(first, settled), team);
      const auto free = static_cast<int>(first + settled);
      const auto counted = [&] {
        NaiveBox box;
        box.top = free - 2;
        return static_cast<uint64_t>(naive_energy(page.naive, expected, how, box));
      };
      ASSERT_EQ(search->error(), counted());
      for (int round = 0; round < 3; ++round) {
        expected = naive_round_below(page.naive, expected, how, free);
        ASSERT_EQ(search->round(team, kNoPause).error, counted()) << "from row " << first;
        search->finish();
        ASSERT_EQ(page.bits, expected) << "from row " << first;
      }
    }
  }
}

/// Settled at the top of the page, fewer rows than an eye is wide: the page ends above them.
TEST(Dbs, AllowsFewSettledRowsAtTheTopOfThePage) {
  SoloTeam team;
  SearchPage page(15, 20, Tone::kNoise);
  page.start_at_random(3);
  const DbsSettings settings = settings_of(3, DbsTarget::kOriginal);
  const NaiveBits expected = naive_round_below(page.naive, page.bits, naive(settings), 2);
  const auto search = make_dbs(settings, page.area(0, 2), team);
  search->round(team, kNoPause);
  search->finish();
  EXPECT_EQ(page.bits, expected);
}

TEST(Dbs, PausesWithThePartOfTheRoundThatIsDone) {
  ThreadTeam team(2);
  SearchPage page(300, 200, Tone::kNoise);
  const auto search = make_dbs(settings_of(3, DbsTarget::kFiltered), page.area(), team);
  std::vector<double> parts;
  search->round(team, [&](double part) { parts.push_back(part); });
  ASSERT_GE(parts.size(), 4U);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_GT(parts.front(), 0);
  EXPECT_EQ(parts.back(), 1);
  EXPECT_THROW(search->round(team, [](double) { throw std::runtime_error("stopped"); }),
               std::runtime_error);
}

TEST(Dbs, ErrorAsPeopleReadItIsTheRootOfTheMeanSquare) {
  SoloTeam team;
  SearchPage page(10, 20, Tone::kSolid);
  page.bits.assign(page.bits.size(), 0);
  const auto search = make_dbs(settings_of(1, DbsTarget::kFiltered), page.area(), team);
  EXPECT_DOUBLE_EQ(search->of_255(uint64_t{12 * 22} << 28), 255);
  EXPECT_DOUBLE_EQ(search->of_255(uint64_t{3 * 22} << 28), 127.5);
}

}  // namespace
}  // namespace mezzo::test::dbs_test
