// Local search of small pages against its naive definition, round by round.
#include "kernels/search/cpu/local_search.h"

#include <gtest/gtest.h>

#include "tests/kernels/search/search_pages.h"
#include "tests/support/effort.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::local_search_test {
namespace {

using search::LocalSettings;

LocalSettings settings_of(uint32_t radius, uint32_t window, bool partial = false) {
  LocalSettings settings{search::gaussian_eye(0.35 * radius, radius)};
  settings.window = window;
  settings.cell = search::least_cell(radius, window);
  settings.partial = partial;
  return settings;
}

/// Runs to the end, and compares each round's error and the bits.
void expect_naive(SearchPage page, const LocalSettings& settings, Team& team) {
  NaiveLes naive;
  naive.eye = naive_eye(settings.eye);
  naive.cell = static_cast<int>(settings.cell);
  naive.window = static_cast<int>(settings.window);
  naive.partial = settings.partial;
  const NaiveSearchResult expected = naive_les(page.naive, page.bits, naive);
  const auto search = make_local_search(settings, page.area(), team);
  EXPECT_EQ(static_cast<int64_t>(search->error()), expected.errors[0]);
  for (size_t round = 1; round < expected.errors.size(); ++round) {
    const search::Round done = search->round(team, kNoPause);
    EXPECT_EQ(static_cast<int64_t>(done.error), expected.errors[round]) << "round " << round;
    EXPECT_EQ(done.changed == 0, round + 1 == expected.errors.size());
  }
  EXPECT_EQ(page.bits, expected.bits);
}

struct Shape {
  uint32_t width, height, radius, window;
};

TEST(LocalSearch, IsWhatItsDefinitionSays) {
  ThreadTeam team(3);
  for (const auto& [width, height, radius, window] : std::vector<Shape>{{40, 31, 1, 2},
                                                                        {31, 24, 2, 2},
                                                                        {20, 19, 3, 2},
                                                                        {15, 14, 5, 2},
                                                                        {12, 13, 1, 3},
                                                                        {9, 8, 2, 3},
                                                                        {6, 7, 3, 3},
                                                                        {5, 4, 6, 3},
                                                                        {4, 5, 1, 4},
                                                                        {4, 4, 3, 4},
                                                                        {3, 6, 2, 5},
                                                                        {1, 1, 3, 4},
                                                                        {1, 23, 3, 4},
                                                                        {30, 2, 2, 3}}) {
    for (const bool partial : {false, true}) {
      for (const Tone tone : {Tone::kNoise, Tone::kRamp}) {
        if (window > 3 && tone != Tone::kNoise) continue;  // slow
        SCOPED_TRACE(testing::Message() << width << " x " << height << ", radius " << radius
                                        << ", window " << window << (partial ? ", partial" : ""));
        // Naive searches of many small windows take most of the time.
        const uint32_t part = window == 2 ? effort::choose(2U, 1U) : 1;
        SearchPage page(width / part, height / part, tone);
        if (tone != Tone::kRamp) page.start_at_random(width);
        expect_naive(page, settings_of(radius, window, partial), team);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(LocalSearch, LargerCellsGoInTheirOwnOrder) {
  ThreadTeam team(2);
  for (const uint32_t more : {1U, 5U, 40U}) {
    LocalSettings settings = settings_of(1, 2);
    settings.cell += more;
    SearchPage page(37, 29, Tone::kNoise);
    page.start_at_random(more);
    expect_naive(page, settings, team);
  }
}

/// The bits when nothing changes any more.
NaiveBits converged(SearchPage page,
                    const LocalSettings& settings,
                    Team& team,
                    const search::SearchWindow& of_window) {
  const auto search = make_local_search(settings, page.area(), team, of_window);
  while (search->round(team, kNoPause).changed > 0) {
  }
  return page.bits;
}
NaiveBits converged(SearchPage page, const LocalSettings& settings, Team& team) {
  const auto of_window = search::window_search(settings.partial, search::search_in_lanes);
  return converged(std::move(page), settings, team, of_window);
}

TEST(LocalSearch, DoesNotDependOnTheTeamOrTheWayToSearch) {
  SearchPage page(50, 41, Tone::kRamp);
  page.start_at_random(3);
  SoloTeam solo;
  const LocalSettings settings = settings_of(3, 4);
  const NaiveBits expected = converged(page, settings, solo);
  for (const uint32_t members : {2U, 5U, 16U}) {
    ThreadTeam team(members);
    EXPECT_EQ(converged(page, settings, team), expected) << members << " members";
  }
  // Bounds take many times as long.
  SearchPage other(effort::choose(26U, 50U), effort::choose(22U, 41U), Tone::kRamp);
  other.start_at_random(3);
  const auto by_bounds = search::window_search(false, search::search_by_bounds);
  EXPECT_EQ(converged(other, settings, solo, by_bounds), converged(other, settings, solo));
}

/// A search that is begun anew for every round, so that all windows are searched in each.
TEST(LocalSearch, LeavesOutNoWindowThatHasSomethingToGain) {
  SearchPage page(60, 50, Tone::kNoise);
  page.start_at_random(1);
  SoloTeam solo;
  const LocalSettings settings = settings_of(2, 3);
  const NaiveBits expected = converged(page, settings, solo);
  uint64_t changed = 1;
  while (changed > 0) {
    changed = make_local_search(settings, page.area(), solo)->round(solo, kNoPause).changed;
  }
  EXPECT_EQ(page.bits, expected);
}

TEST(LocalSearch, LeavesSettledRowsAlone) {
  const LocalSettings settings = settings_of(3, 4);
  SoloTeam solo;
  for (const uint32_t first : {1U, 8U, 20U}) {
    SearchPage page(50, 60, Tone::kRamp);
    page.start_at_random(first);
    const NaiveBits before = page.bits;
    const auto search = make_local_search(settings, page.area(first, 7), solo);
    EXPECT_GT(search->round(solo, kNoPause).changed, 0U);
    const auto settled_end = std::ptrdiff_t{first + 7} * page.width;
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + settled_end, page.bits.begin()));
    EXPECT_NE(page.bits, before);
  }
}

TEST(LocalSearch, PartialSearchMissesFewWindows) {
  SearchPage page(60, 50, Tone::kNoise);
  page.start_at_random(1);
  SoloTeam solo;
  const LocalSettings settings = settings_of(1, 3, true);
  uint64_t windows = 0, missed = 0;
  const auto count = [&](const search::WindowTask& task, search::Best was) {
    const search::Best best = partial(search::search_in_lanes, task, was);
    const search::Best least = exhaustive(search::search_in_lanes, task, was);
    EXPECT_LE(least.error, best.error);
    ++windows;
    missed += least.error < best.error ? 1 : 0;
    return best;
  };
  const NaiveBits counted = converged(page, settings, solo, count);
  EXPECT_GE(windows, 58U * 48U);
  EXPECT_LT(missed, windows / 10);
  EXPECT_EQ(converged(page, settings, solo), counted);
}

/// Thrown by a pause.
struct Stopped {};

TEST(LocalSearch, AsksWhetherToGoOnAndMayBeStopped) {
  SearchPage page(60, 50, Tone::kNoise);
  SoloTeam solo;
  const auto search = make_local_search(settings_of(2, 3), page.area(), solo);
  std::vector<double> parts;
  search->round(solo, [&](double part) { parts.push_back(part); });
  ASSERT_GE(parts.size(), 4U);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1);
  EXPECT_THROW(search->round(solo, [](double) { throw Stopped(); }), Stopped);
}

/// Where windows are slow, pauses come in the middle of a cell; where they came must not matter.
TEST(LocalSearch, PausesWithinCells) {
  SearchPage page(24, 22, Tone::kNoise), other = page;
  LocalSettings settings = settings_of(2, 3);
  settings.cell = 40;  // all windows in one
  ThreadTeam team(2);
  make_local_search(settings, page.area(), team)->round(team, kNoPause);
  settings.between_pauses = {};
  uint32_t pauses = 0;
  make_local_search(settings, other.area(), team)->round(team, [&](double) { ++pauses; });
  EXPECT_GE(pauses, 22U * 20U / 2) << "before a pause, each thread searches a window at most";
  EXPECT_EQ(other.bits, page.bits);
}

}  // namespace
}  // namespace mezzo::test::local_search_test
