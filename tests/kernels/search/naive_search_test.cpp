// The naive searches by hand, and against what their definition implies.

#include "tests/kernels/search/naive_search.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

namespace mezzo::test::naive_search_test {
namespace {

/// 1 2 1 by 1 2 1, of 16384. Its autocorrelation is 1 4 6 4 1 by 1 4 6 4 1, times 2^20.
const NaiveEye kBinomial = {1, {1024, 2048, 1024, 2048, 4096, 2048, 1024, 2048, 1024}};

Tones flat_tones(uint32_t width, uint32_t height, int tone) {
  return {width, height, std::vector<int>(size_t{width} * height, tone)};
}

Tones noise_tones(uint32_t width, uint32_t height, uint32_t seed) {
  Tones tones = flat_tones(width, height, 0);
  std::mt19937 random(seed);
  for (int& tone : tones.values) tone = static_cast<int>(random() % 4097);
  return tones;
}

NaiveLes les_of(const NaiveEye& eye, int window, bool partial) {
  NaiveLes les;
  les.eye = eye;
  les.window = window;
  les.cell = 2 * eye.radius + window - 1;
  les.partial = partial;
  return les;
}

NaiveDbs dbs_of(const NaiveEye& eye, NaiveTarget target) {
  NaiveDbs dbs;
  dbs.eye = eye;
  dbs.cell = 2 * eye.radius + 2;
  dbs.target = target;
  return dbs;
}

void expect_falls_until_it_stays(const std::vector<int64_t>& errors) {
  ASSERT_GE(errors.size(), 2U);
  for (size_t n = 1; n + 1 < errors.size(); ++n) EXPECT_LT(errors[n], errors[n - 1]) << n;
  EXPECT_EQ(errors.back(), errors[errors.size() - 2]);
}

TEST(NaiveRounds, VisitEachPlaceOnceByGroupCellAndRow) {
  NaiveSearch how;
  how.cell = 3;
  how.rounds = 1;
  std::vector<std::array<int, 5>> visits;
  NaiveBits bits(1);
  naive_rounds(
      bits,
      17,
      23,
      how,
      [] { return 0; },
      [&](int y, int x) {
        visits.push_back({2 * (y / 3 % 2) + x / 3 % 2, y / 3, x / 3, y, x});
      });
  EXPECT_EQ(visits.size(), 17U * 23U);
  EXPECT_TRUE(std::is_sorted(visits.begin(), visits.end()));
  EXPECT_EQ(std::adjacent_find(visits.begin(), visits.end()), visits.end());
}

TEST(NaiveRounds, SettleWhereOneGainsLessThanA200th) {
  // 10 of 2000 are a 200th, 9 of 1990 are not.
  const std::vector<int64_t> errors = {2000, 1990, 1981, 1000, 0};
  NaiveSearch how;
  how.cell = 1;
  how.until = NaiveUntil::kSettled;
  size_t n = 0;
  NaiveBits bits(1);
  const auto result = naive_rounds(
      bits, 1, 1, how, [&] { return errors.at(n++); }, [&](int, int) { bits[0] ^= 1; });
  EXPECT_EQ(result.errors, (std::vector<int64_t>{2000, 1990, 1981}));
}

TEST(NaiveLes, ByHand) {
  // Half a tint of 3 x 3: targets are 4608 at the corners (M 9216), 6144 at the edges (M 12288)
  // and 8192. Without ink that is the error; with all of it the same, negative.
  const Tones tones = flat_tones(3, 3, 2048);
  const NaiveBits none(9, 0), all(9, 1), plus = {0, 1, 0, 1, 1, 1, 0, 1, 0};
  EXPECT_EQ(naive_total_error(tones, none, kBinomial), 4 * 4608 + 4 * 6144 + 8192);
  EXPECT_EQ(naive_total_error(tones, all, kBinomial), 4 * 4608 + 4 * 6144 + 8192);
  // Corners see 1 + 2 + 2 of 16, edges 4 + 2 + 1 + 1, the middle 4 + 4 * 2.
  EXPECT_EQ(naive_total_error(tones, plus, kBinomial), 4 * 512 + 4 * 2048 + 4096);
  // 2 * 9216 / 4096 is 4.5, rounded up.
  EXPECT_EQ(naive_error(flat_tones(3, 3, 2), none, kBinomial, 2, 2), 5);
  // Ink on the four edges and its complement leave 512 at the corners and nothing elsewhere:
  // what differs least from the start as a number is taken.
  const NaiveBits edges = {0, 1, 0, 1, 0, 1, 0, 1, 0}, cross = {1, 0, 1, 0, 1, 0, 1, 0, 1};
  for (const bool partial : {false, true}) {
    const NaiveLes les = les_of(kBinomial, 3, partial);
    const NaiveSearchResult from_none = naive_les(tones, none, les);
    EXPECT_EQ(from_none.bits, edges);
    EXPECT_EQ(from_none.errors, (std::vector<int64_t>{51200, 2048, 2048}));
    EXPECT_EQ(naive_les(tones, all, les).bits, cross);
    EXPECT_EQ(naive_les(tones, cross, les).bits, cross);
  }
}

TEST(NaiveLes, ChoosesByHand) {
  const auto table = [](std::vector<int64_t> errors) {
    std::vector<NaiveChoice> best;
    for (uint32_t ones = 0; ones < errors.size(); ++ones)
      best.push_back({errors[ones], ones, ones});
    return best;
  };
  const auto whole = [&](std::vector<int64_t> errors, size_t ones) {
    return naive_choose(table(std::move(errors)), ones, false).pattern;
  };
  const auto part = [&](std::vector<int64_t> errors, size_t ones) {
    return naive_choose(table(std::move(errors)), ones, true).pattern;
  };
  EXPECT_EQ(whole({5, 9, 3, 9, 1}, 1), 4U);
  EXPECT_EQ(whole({5, 9, 3, 9, 3}, 4), 2U);
  EXPECT_EQ(part({9, 5, 7, 1, 0}, 1), 1U);  // stays where its neighbours are worse
  EXPECT_EQ(part({9, 5, 4, 4, 0}, 1), 2U);  // ends where the error is not strictly less
  EXPECT_EQ(part({9, 5, 4, 3, 2}, 1), 4U);  // to the end of the window
  EXPECT_EQ(part({1, 2, 3, 4, 5}, 4), 0U);
  EXPECT_EQ(part({9, 4, 5, 4, 0}, 2), 1U);  // both ways alike: the lesser difference
  EXPECT_EQ(part({9, 8, 5, 6, 0}, 0), 2U);
}

TEST(NaiveLes, LowersTheErrorUntilNoWindowFindsBetter) {
  const NaiveEye eye = NaiveEye::gaussian(2, 1.0);
  for (uint32_t seed = 0; seed < 4; ++seed) {
    const Tones tones = noise_tones(13, 11, seed);
    for (const bool partial : {false, true}) {
      const NaiveLes les = les_of(eye, 2, partial);
      const NaiveSearchResult end = naive_les(tones, naive_random_start(tones, seed, 0), les);
      expect_falls_until_it_stays(end.errors);
      EXPECT_EQ(end.errors.back(), naive_total_error(tones, end.bits, eye));
      // No change of a pixel is among what either search would take.
      for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 13; ++x) {
          NaiveBits other = end.bits;
          other[tones.index(y, x)] ^= 1;
          EXPECT_GE(naive_total_error(tones, other, eye), end.errors.back());
        }
      }
    }
  }
}

TEST(NaiveLes, AWindowIsReadFromItsFirstPixelOn) {
  // One dot is best, on any pixel alike; the number that differs least from the start's moves the
  // dot, or the hole, to the end or the start of the window.
  for (const bool partial : {false, true}) {
    const NaiveLes les = les_of(kBinomial, 2, partial);
    for (const auto& [width, height] : {std::pair{2U, 1U}, std::pair{1U, 2U}}) {
      const Tones tones = flat_tones(width, height, 2048);
      EXPECT_EQ(naive_les(tones, {0, 0}, les).bits, (NaiveBits{0, 1}));
      EXPECT_EQ(naive_les(tones, {1, 1}, les).bits, (NaiveBits{1, 0}));
    }
    EXPECT_EQ(naive_les(flat_tones(2, 2, 1024), NaiveBits(4), les).bits, (NaiveBits{0, 0, 0, 1}));
  }
}

/// The least error of all bits of a small page whose number of ones is within `most` of `ones`.
int64_t least_error(const Tones& tones, const NaiveEye& eye, int ones, int most) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (uint32_t n = 0; n < 1U << tones.values.size(); ++n) {
    if (std::abs(std::popcount(n) - ones) > most) continue;
    NaiveBits bits;
    for (size_t i = 0; i < tones.values.size(); ++i) bits.push_back(n >> i & 1);
    least = std::min(least, naive_total_error(tones, bits, eye));
  }
  return least;
}

TEST(NaiveLes, AWindowAsLargeAsThePageFindsTheLeastOfAll) {
  for (const auto& [width, height] : {std::pair{3U, 2U}, std::pair{1U, 5U}, std::pair{4U, 3U}}) {
    for (uint32_t seed = 0; seed < 10; ++seed) {
      const Tones tones = noise_tones(width, height, seed);
      const auto end =
          naive_les(tones, naive_random_start(tones, seed, 0), les_of(kBinomial, 5, false));
      EXPECT_EQ(end.errors.back(), least_error(tones, kBinomial, 0, 12));
      EXPECT_EQ(end.errors.back(), end.errors[1]);
    }
  }
}

TEST(NaiveLes, PartEndsWhereOneDotMoreOrLessIsNoBetter) {
  const NaiveEye eye = {1, {2048, 1024, 2048, 1024, 4096, 1024, 2048, 1024, 2048}};
  const Tones tones = {3, 3, {1536, 0, 1024, 3584, 1536, 4096, 1024, 1536, 4096}};
  const auto whole = naive_les(tones, NaiveBits(9), les_of(eye, 3, false));
  const auto part = naive_les(tones, NaiveBits(9), les_of(eye, 3, true));
  EXPECT_EQ(std::accumulate(part.bits.begin(), part.bits.end(), 0), 3);
  EXPECT_EQ(part.errors.back(), least_error(tones, eye, 3, 1));
  EXPECT_EQ(whole.errors.back(), least_error(tones, eye, 0, 9));
  EXPECT_LT(whole.errors.back(), part.errors.back());
}

/// Is the result the same whatever the order of a group's cells, on all of some pages?
template <class Search, class How>
bool cells_are_independent(Search search, How how, uint32_t size) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const Tones tones = noise_tones(size, size, seed);
    const NaiveBits start = naive_random_start(tones, seed, 0);
    how.backwards = false;
    const NaiveBits forwards = search(tones, start, how).bits;
    how.backwards = true;
    if (search(tones, start, how).bits != forwards) return false;
  }
  return true;
}

TEST(NaiveLes, CellsOfAGroupAreIndependentAndNoSmallerOnesAre) {
  NaiveEye eye = NaiveEye::gaussian(1, 1.0);
  for (const bool partial : {false, true}) {
    NaiveLes les = les_of(eye, 2, partial);
    ASSERT_TRUE(les.is_legal_cell());
    EXPECT_TRUE(cells_are_independent(naive_les, les, 24));
    --les.cell;
    ASSERT_FALSE(les.is_legal_cell());
    EXPECT_FALSE(cells_are_independent(naive_les, les, 24));
  }
}

TEST(NaiveLes, StopsAsItIsTold) {
  const NaiveEye eye = NaiveEye::gaussian(1, 1.0);
  const Tones tones = noise_tones(16, 16, 1);
  const NaiveBits start = naive_random_start(tones, 1, 0);
  NaiveLes les = les_of(eye, 2, true);
  const auto all = naive_les(tones, start, les).errors;
  ASSERT_GT(all.size(), 3U);
  les.rounds = 2;
  EXPECT_EQ(naive_les(tones, start, les).errors, std::vector(all.begin(), all.begin() + 3));
  les.rounds = 0;
  les.until = NaiveUntil::kSettled;
  const auto settled = naive_les(tones, start, les).errors;
  ASSERT_LE(settled.size(), all.size());
  for (size_t n = 1; n < settled.size(); ++n) {
    EXPECT_EQ(settled[n], all[n]);
    EXPECT_EQ(200 * (settled[n - 1] - settled[n]) < settled[n - 1], n + 1 == settled.size());
  }
  // Nothing to do, and no error that it could be a 200th of.
  EXPECT_EQ(naive_les(flat_tones(4, 4, 0), NaiveBits(16), les).errors,
            (std::vector<int64_t>{0, 0}));
}

TEST(NaiveDbs, ByHand) {
  for (const NaiveTarget target : {NaiveTarget::kFiltered, NaiveTarget::kOriginal}) {
    const NaiveDbs dbs = dbs_of(kBinomial, target);
    // One pixel: f is K less half of it, whether it has ink or not, so E is C(0) / 4; one step
    // of tone decides.
    const NaiveBits paper = {0}, ink = {1};
    EXPECT_EQ(naive_energy(flat_tones(1, 1, 2048), paper, dbs), 9 << 20);
    EXPECT_EQ(naive_energy(flat_tones(1, 1, 2048), ink, dbs), 9 << 20);
    EXPECT_EQ(naive_dbs(flat_tones(1, 1, 2048), paper, dbs).bits, paper);
    EXPECT_EQ(naive_dbs(flat_tones(1, 1, 2048), ink, dbs).bits, ink);
    EXPECT_EQ(naive_dbs(flat_tones(1, 1, 2049), paper, dbs).bits, ink);
    EXPECT_EQ(naive_dbs(flat_tones(1, 1, 2047), ink, dbs).bits, paper);
  }
  // Ink on the wrong one of two pixels: 2 (C(0) - C(1)) = 24 << 20; a swap leaves nothing.
  const auto swapped =
      naive_dbs({2, 1, {0, 4096}}, {1, 0}, dbs_of(kBinomial, NaiveTarget::kFiltered));
  EXPECT_EQ(swapped.bits, (NaiveBits{0, 1}));
  EXPECT_EQ(swapped.errors, (std::vector<int64_t>{24 << 20, 0, 0}));
  // Tones of 0.4 of a dot on the other diagonal: in units of 2^20 the start's E is about 14.2, no
  // ink 16.6, a swap with either pixel of that diagonal 11.0: the first is taken.
  EXPECT_EQ(
      naive_dbs({2, 2, {0, 1638, 1638, 0}}, {1, 0, 0, 0}, dbs_of(kBinomial, NaiveTarget::kFiltered))
          .bits,
      (NaiveBits{0, 1, 0, 0}));
  // Outside the page the original's goal is the nearest pixel's tone, weighed by what the eye sees
  // of the page. Beside pixel 0, which has ink: 2048 for that dot, less half of 2048 + 1024.
  const NaiveDbs original = dbs_of(kBinomial, NaiveTarget::kOriginal);
  const NaiveDbs filtered = dbs_of(kBinomial, NaiveTarget::kFiltered);
  const Tones row = {2, 1, {2048, 4096}}, column = {1, 2, {2048, 4096}};
  for (const int side : {-1, 1}) {
    EXPECT_EQ(naive_difference(row, {1, 0}, original, side, 0), 2048 - (2048 + 1024) / 2);
    EXPECT_EQ(naive_difference(row, {1, 0}, filtered, side, 0), 2048 - (2048 / 2 + 1024));
    EXPECT_EQ(naive_difference(column, {1, 0}, original, 0, side), 2048 - (2048 + 1024) / 2);
    EXPECT_EQ(naive_difference(column, {1, 0}, filtered, 0, side), 2048 - (2048 / 2 + 1024));
  }
  EXPECT_EQ(naive_difference(row, {1, 0}, original, 0, 2), -2048);  // sees pixel 1 alone, by 2048
  EXPECT_EQ(naive_difference(column, {1, 0}, original, 2, 0), -2048);
  for (const NaiveDbs& dbs : {original, filtered}) {  // 4.5, rounded up
    EXPECT_EQ(naive_difference(flat_tones(3, 3, 2), NaiveBits(9), dbs, 2, 2), -5);
  }
}

TEST(NaiveDbs, CandidatesAreTheToggleAndTheOthersInRasterOrder) {
  const Tones tones = flat_tones(3, 3, 2048);
  EXPECT_EQ(naive_candidates(tones, {1, 1, 0, 1, 0, 0, 1, 0, 1}, 1, 1),
            (std::vector<size_t>{4, 0, 1, 3, 6, 8}));
  EXPECT_EQ(naive_candidates(tones, {1, 1, 0, 1, 0, 0, 1, 0, 1}, 0, 2),
            (std::vector<size_t>{2, 1}));
}

TEST(NaiveDbs, FormulaOfAChangeIsTheDifferenceOfE) {
  for (const NaiveTarget target : {NaiveTarget::kFiltered, NaiveTarget::kOriginal}) {
    for (const NaiveEye& eye : {NaiveEye::gaussian(1, 0.7), NaiveEye::nasanen(3, 600)}) {
      const NaiveDbs dbs = dbs_of(eye, target);
      const Tones tones = noise_tones(9, 7, 5);
      NaiveBits bits = naive_random_start(tones, 1, 0);
      const int r = eye.radius;
      const int64_t whole = naive_energy(tones, bits, dbs);
      const auto c = [&](int y, int x) {
        int64_t sum = 0;
        for (int dy = -r; dy <= r; ++dy) {
          for (int dx = -r; dx <= r; ++dx) {
            sum += eye.at(dy, dx) * naive_difference(tones, bits, dbs, y + dy, x + dx);
          }
        }
        return sum;
      };
      for (int y = 0; y < 7; ++y) {
        for (int x = 0; x < 9; ++x) {
          const size_t here = tones.index(y, x);
          const int a = bits[here] ? -1 : 1;
          for (const size_t other : naive_candidates(tones, bits, y, x)) {
            const int oy = static_cast<int>(other) / 9, ox = static_cast<int>(other) % 9;
            const int64_t c0 = eye.autocorrelation(0, 0);
            const int64_t formula = other == here ? c0 + 2 * a * c(y, x)
                                                  : 2 * (c0 - eye.autocorrelation(oy - y, ox - x)) +
                                                        2 * a * (c(y, x) - c(oy, ox));
            std::vector<int64_t> before, after;
            for (int i = 0; i < 63; ++i) before.push_back(c(i / 9, i % 9));
            bits[here] ^= 1;
            if (other != here) bits[other] ^= 1;
            EXPECT_EQ(naive_energy(tones, bits, dbs) - whole, formula) << y << " " << x;
            for (int i = 0; i < 63; ++i) {
              int64_t change = a * eye.autocorrelation(i / 9 - y, i % 9 - x);
              if (other != here) change -= a * eye.autocorrelation(i / 9 - oy, i % 9 - ox);
              ASSERT_EQ(c(i / 9, i % 9) - before[static_cast<size_t>(i)], change);
            }
            bits[here] ^= 1;
            if (other != here) bits[other] ^= 1;
          }
        }
      }
    }
  }
}

TEST(NaiveDbs, LowersEUntilNoChangeDoes) {
  for (const NaiveTarget target : {NaiveTarget::kFiltered, NaiveTarget::kOriginal}) {
    const NaiveDbs dbs = dbs_of(NaiveEye::gaussian(2, 1.2), target);
    const Tones tones = noise_tones(17, 14, 2);
    const NaiveSearchResult end = naive_dbs(tones, naive_random_start(tones, 2, 0), dbs);
    expect_falls_until_it_stays(end.errors);
    ASSERT_EQ(end.errors.back(), naive_energy(tones, end.bits, dbs));
    for (int y = 0; y < 14; ++y) {
      for (int x = 0; x < 17; ++x) {
        for (const size_t other : naive_candidates(tones, end.bits, y, x)) {
          NaiveBits bits = end.bits;
          bits[tones.index(y, x)] ^= 1;
          if (other != tones.index(y, x)) bits[other] ^= 1;
          EXPECT_GE(naive_energy(tones, bits, dbs), end.errors.back());
        }
      }
    }
  }
}

TEST(NaiveDbs, CellsOfAGroupAreIndependentAndNoSmallerOnesAre) {
  NaiveDbs dbs = dbs_of(NaiveEye::gaussian(1, 1.0), NaiveTarget::kFiltered);
  ASSERT_TRUE(dbs.is_legal_cell());
  EXPECT_TRUE(cells_are_independent(naive_dbs, dbs, 40));
  --dbs.cell;
  ASSERT_FALSE(dbs.is_legal_cell());
  EXPECT_FALSE(cells_are_independent(naive_dbs, dbs, 40));
}

}  // namespace
}  // namespace mezzo::test::naive_search_test
