// The tone form: windows against all their patterns, searches against their definition in
// naive_form.h, and the tone that they hold.

#include "kernels/search/form.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/search/cpu/form_search.h"
#include "kernels/search/cpu/form_window.h"
#include "tests/kernels/search/naive_form.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/simd_target.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::form_test {
namespace {

using search::FormSettings;
using search::FormWindows;
using search::make_form_search;

constexpr FormWindows kSearched[] = {FormWindows::kAll, FormWindows::kSameInk};

NaiveWindows naive(FormWindows windows) {
  return windows == FormWindows::kNone  ? NaiveWindows::kNone
         : windows == FormWindows::kAll ? NaiveWindows::kAll
                                        : NaiveWindows::kSameInk;
}

TEST(Form, IsAFormOfItsTables) {
  int64_t sum = 0;
  for (int dy = -20; dy <= 20; ++dy) {
    for (int dx = -20; dx <= 20; ++dx) {
      const int32_t q = search::form::q(dy, dx);
      EXPECT_EQ(q, NaiveForm::q(dy, dx));
      EXPECT_GE(q, 0);
      sum += q;
    }
  }
  EXPECT_EQ(sum, 2048 * 2048 + 2 * 2508 * 2508);
  EXPECT_LE(sum, search::form::kSum);
}

/// Some c as searches have them, some as large as they can be, and some that make patterns equal.
search::form::WindowState random_window(std::mt19937& random) {
  search::form::WindowState window{};
  const uint32_t kind = random() % 4;
  const int32_t most = kind == 0 ? 1 << 24 : kind == 1 ? 1 << 19 : 1 << 21;
  for (int32_t& c : window.c) {
    c = kind == 2 ? (random() % 2 == 0 ? -search::form::q(0, 0) : search::form::q(0, 0)) / 2
                  : static_cast<int32_t>(random() % static_cast<uint32_t>(2 * most)) - most;
  }
  window.current = random() & random() & 0xFFFF;
  return window;
}

void expect_best(const search::form::WindowState& window, FormWindows windows) {
  int64_t cs[16];
  std::copy(std::begin(window.c), std::end(window.c), cs);
  const auto [pattern, change] = NaiveForm::best(cs, window.current, naive(windows), window.absent);
  for (const auto find : {search::form::best_pattern, search::form::best_pattern_plainly}) {
    const search::form::WindowBest best = find(window, windows);
    ASSERT_EQ(best.pattern, pattern) << "current " << window.current;
    ASSERT_EQ(best.change, change);
  }
}

class FormOnTarget : public OnTarget {};

MZ_ON_EVERY_TARGET(Lanes, FormOnTarget);

TEST_P(FormOnTarget, GivesEveryWindowItsBestPattern) {
  std::mt19937 random(22);
  for (const FormWindows windows : kSearched) {
    for (int i = 0; i < 80 && !HasFailure(); ++i) expect_best(random_window(random), windows);
  }
}

TEST(Form, LeavesPixelsThatAreNotThereWithoutInk) {
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    search::form::WindowState window = random_window(random);
    window.absent = random() & 0xFFFF;
    window.current &= ~window.absent;
    expect_best(window, kSearched[i % 2]);
  }
  // Ink on all pixels that are there, and none wanted: less of it there, by more where none is,
  // would be less than a pixel less.
  search::form::WindowState solid{{}, 0xCCCC, 0x3333};
  std::ranges::fill(solid.c, search::form::kSum);
  for (const FormWindows windows : kSearched) expect_best(solid, windows);
}

/// Rounds to the end, each against a naive one.
void expect_naive_rounds(SearchPage& page,
                         const FormSettings& settings,
                         Team& team,
                         uint32_t first_row = 0,
                         uint32_t settled = 0) {
  search::Area area = page.area();
  area.first_row = first_row;
  area.settled_rows = settled;
  NaiveForm expected(page.naive,
                     page.bits,
                     {.cell = static_cast<int>(settings.cell),
                      .moves = settings.moves,
                      .windows = naive(settings.windows),
                      .first_row = static_cast<int>(first_row),
                      .settled = static_cast<int>(settled)});
  const auto search = make_form_search(settings, area, team);
  ASSERT_EQ(search->error(), static_cast<uint64_t>(expected.error()));
  for (int rounds = 1;; ++rounds) {
    const std::string stage(search->stage());
    const NaiveForm::Round naive_round = expected.round();
    const search::Round round = search->round(team, kNoPause);
    search->finish();
    ASSERT_EQ(stage, naive_round.stage) << "round " << rounds;
    ASSERT_EQ(page.bits, expected.bits()) << stage << ", round " << rounds;
    ASSERT_EQ(round.error, static_cast<uint64_t>(naive_round.error));
    ASSERT_EQ(round.changed > 0, naive_round.changed);
    ASSERT_EQ(round.last_stage, naive_round.last_stage);
    if (round.last_stage && round.changed == 0) return;
  }
}

TEST(FormSearch, IsWhatItsDefinitionSays) {
  ThreadTeam team(3);
  for (const FormWindows windows : {FormWindows::kNone, FormWindows::kAll, FormWindows::kSameInk}) {
    for (const Tone tone : {Tone::kNoise, Tone::kRamp, Tone::kEdge}) {
      SearchPage page(40, 22, tone);
      expect_naive_rounds(page, {.cell = 19, .moves = true, .windows = windows}, team);
      if (HasFailure()) return;
    }
  }
}

TEST(FormSearch, IsItFromOtherStartsWithOtherCellsAndOnSmallPages) {
  ThreadTeam team(2);
  for (const auto& [width, height] : std::vector<std::pair<uint32_t, uint32_t>>{
           {1, 1}, {3, 9}, {9, 2}, {4, 4}, {5, 23}, {45, 6}}) {
    SearchPage page(width, height, Tone::kRamp);
    page.start_at_random(width);
    expect_naive_rounds(
        page, {.cell = 21, .moves = width % 2 == 0, .windows = kSearched[height % 2]}, team);
    if (HasFailure()) return;
  }
}

TEST(FormSearch, CountsSettledRowsAndThePlaceOnThePage) {
  SoloTeam team;
  for (const uint32_t first_row : {7U, 38U}) {
    SearchPage page(22, 36, Tone::kNoise);
    page.start_at_random(first_row);
    const NaiveBits start = page.bits;
    expect_naive_rounds(page, {}, team, first_row, 16);
    EXPECT_TRUE(std::equal(start.begin(), start.begin() + 16 * 22, page.bits.begin()));
    EXPECT_NE(start, page.bits);
    if (HasFailure()) return;
  }
}

/// Settles a page.
void settle(SearchPage& page, const FormSettings& settings, Team& team) {
  const auto search = make_form_search(settings, page.area(), team);
  for (uint64_t error = search->error();;) {
    const search::Round round = search->round(team, kNoPause);
    const bool ends = round.changed == 0 || search::is_settled(error, round.error);
    error = round.error;
    if (ends && round.last_stage) break;
  }
  search->finish();
}

TEST(FormSearch, GivesTheSameBitsWithAnyTeam) {
  SearchPage one(200, 130, Tone::kRamp), many(200, 130, Tone::kRamp);
  SoloTeam solo;
  ThreadTeam four(4);
  settle(one, {}, solo);
  settle(many, {}, four);
  EXPECT_EQ(one.bits, many.bits);
}

TEST(FormSearch, LeavesPaperAndSolidAsTheyAre) {
  SoloTeam team;
  for (const Tone tone : {Tone::kPaper, Tone::kSolid}) {
    SearchPage page(40, 30, tone);
    page.start_at_random(3);
    const NaiveBits start(page.bits.size(), tone == Tone::kSolid ? 1 : 0);
    settle(page, {}, team);
    EXPECT_EQ(page.bits, start);
    // Also from a start that is wrong.
    for (size_t i = 0; i < page.bits.size(); i += 7) page.bits[i] ^= 1;
    settle(page, {}, team);
    EXPECT_EQ(page.bits, start);
  }
}

/// From any start, up to the borders of a page.
TEST(FormSearch, HoldsTheToneOfTints) {
  ThreadTeam team(2);
  constexpr uint32_t kSide = 96, kRing = 12;
  for (const bool moves : {true, false}) {
    double sum = 0, of_rings = 0;
    const std::vector<double> tints = {0.4, 1.5, 3, 8, 26, 50, 67, 92, 98, 99.6};
    for (const double tint : tints) {
      SearchPage page(kSide, kSide, Tone::kFlat);
      std::ranges::fill(page.tones, static_cast<uint16_t>(std::lround(40.96 * tint)));
      std::ranges::fill(page.naive.values, page.tones[0]);
      page.start_at_random(3);
      settle(page, {.moves = moves}, team);
      uint32_t ink = 0, in_ring = 0, ring = 0;
      for (uint32_t i = 0; i < kSide * kSide; ++i) {
        const uint32_t y = i / kSide, x = i % kSide;
        const bool inside = std::min(y, x) >= kRing && std::max(y, x) < kSide - kRing;
        ink += page.bits[i];
        in_ring += inside ? 0U : page.bits[i];
        ring += inside ? 0U : 1U;
      }
      const double tone = page.tones[0] / 40.96;
      EXPECT_NEAR(100.0 * ink / (kSide * kSide), tone, 0.3) << tint << " %";
      EXPECT_NEAR(100.0 * in_ring / ring, tone, 0.5) << tint << " %, at the borders";
      sum += std::abs(100.0 * ink / (kSide * kSide) - tone);
      of_rings += 100.0 * in_ring / ring - tone;
    }
    EXPECT_LE(sum / static_cast<double>(tints.size()), 0.1);
    EXPECT_NEAR(of_rings / static_cast<double>(tints.size()), 0, 0.1);
  }
}

TEST(FormSearch, PutsNoDotsOnPaperNextToATintOrType) {
  SoloTeam team;
  SearchPage page(100, 90, Tone::kPaper);
  const auto tone = [](uint32_t x) -> uint16_t {
    return x < 25 ? 200 : x < 50 ? 2048 : x < 80 ? 0 : 4096;
  };
  for (uint32_t i = 0; i < page.tones.size(); ++i) {
    if (i / 100 >= 20 && i / 100 < 70 && i % 100 >= 10 && i % 100 < 90)
      page.tones[i] = tone(i % 100);
    page.naive.values[i] = page.tones[i];
  }
  page.start_at_random(5);
  settle(page, {}, team);
  for (uint32_t i = 0; i < page.tones.size(); ++i) {
    if (page.tones[i] % 4096 != 0) continue;
    EXPECT_EQ(page.bits[i], page.tones[i] / 4096) << i % 100 << ", " << i / 100;
  }
}

}  // namespace
}  // namespace mezzo::test::form_test
