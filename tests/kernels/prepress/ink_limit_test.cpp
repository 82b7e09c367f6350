#include "kernels/prepress/ink_limit.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/kernels/prepress/colour_tables.h"

namespace mezzo::test::ink_limit_test {
namespace {

using prepress::InkLimitCounts;
using prepress::LimitedInks;
using Row = std::vector<uint16_t>;

constexpr uint32_t kPercent = kInk15 / 100;  ///< 326.4, rounded down

struct Pixels {
  std::vector<Row> cmyk;  ///< an empty row: the page has not this ink
  std::vector<Row> spots;

  InkLimitCounts limit(uint32_t most) {
    LimitedInks<uint16_t> inks;
    for (size_t i = 0; i < 4; ++i) inks.cmyk[i] = cmyk[i].empty() ? nullptr : cmyk[i].data();
    const std::vector<const uint16_t*> rows = spot_rows();
    inks.spots = rows;
    return prepress::limit_ink(most, inks, size());
  }
  InkLimitCounts count(uint32_t most) const {
    LimitedInks<const uint16_t> inks;
    for (size_t i = 0; i < 4; ++i) inks.cmyk[i] = cmyk[i].empty() ? nullptr : cmyk[i].data();
    const std::vector<const uint16_t*> rows = spot_rows();
    inks.spots = rows;
    return prepress::count_ink(most, inks, size());
  }
  std::vector<const uint16_t*> spot_rows() const {
    std::vector<const uint16_t*> rows;
    for (const Row& spot : spots) rows.push_back(spot.data());
    return rows;
  }
  uint32_t size() const {
    size_t most = 0;
    for (const Row& row : cmyk) most = std::max(most, row.size());
    return static_cast<uint32_t>(most);
  }
  int64_t ink(size_t number, size_t pixel) const {
    return cmyk[number].empty() ? 0 : cmyk[number][pixel];
  }
  int64_t spots_of(size_t pixel) const {
    int64_t sum = 0;
    for (const Row& spot : spots) sum += spot[pixel];
    return sum;
  }
  int64_t sum(size_t pixel) const {
    return ink(0, pixel) + ink(1, pixel) + ink(2, pixel) + ink(3, pixel) + spots_of(pixel);
  }
};

/// Half of the samples are paper or a solid.
Pixels random_pixels(uint32_t count, std::vector<bool> has, uint32_t spots, std::mt19937& random) {
  const auto row = [&] {
    Row samples = random_ink15(count, random);
    for (uint16_t& sample : samples) {
      if (random() % 2 == 0) sample = random() % 3 == 0 ? 0 : kInk15;
    }
    return samples;
  };
  Pixels pixels;
  for (const bool is_there : has) pixels.cmyk.push_back(is_there ? row() : Row());
  for (uint32_t i = 0; i < spots; ++i) pixels.spots.push_back(row());
  return pixels;
}

/// The rule by its conditions: a colour is the largest whose share of what is left is not exceeded.
void check(Pixels pixels, int64_t most) {
  const Pixels before = pixels;
  const InkLimitCounts counts = pixels.limit(static_cast<uint32_t>(most));
  InkLimitCounts expected{.pixels = pixels.size()};
  for (size_t i = 0; i < pixels.size(); ++i) {
    const int64_t sum = before.sum(i), after = pixels.sum(i), spots = before.spots_of(i);
    const int64_t black = std::min(before.ink(3, i), most);
    if (sum <= most) {
      ASSERT_EQ(after, sum);
    } else {
      ASSERT_LE(after, std::max(most, spots + black));
    }
    ASSERT_EQ(pixels.ink(3, i), sum > most ? black : before.ink(3, i));
    const int64_t colours = before.ink(0, i) + before.ink(1, i) + before.ink(2, i);
    const int64_t left =
        sum > most ? std::clamp<int64_t>(most - black - spots, 0, colours) : colours;
    for (size_t ink = 0; ink < 3; ++ink) {
      const int64_t share = before.ink(ink, i) * left, found = pixels.ink(ink, i);
      ASSERT_LE(found * colours, share);
      ASSERT_TRUE(colours == 0 || (found + 1) * colours > share);
    }
    expected.above += sum > most ? 1 : 0;
    expected.changed += after < sum ? 1 : 0;
    expected.sum_before += static_cast<uint64_t>(sum);
    expected.sum_after += static_cast<uint64_t>(after);
    expected.most_before = std::max(expected.most_before, static_cast<uint32_t>(sum));
    expected.most_after = std::max(expected.most_after, static_cast<uint32_t>(after));
  }
  EXPECT_EQ(pixels.spots, before.spots);
  EXPECT_EQ(counts, expected);
  EXPECT_TRUE(!before.spots.empty() || counts.most_after <= most);

  InkLimitCounts only_counted = expected;
  only_counted.changed = 0;
  only_counted.sum_after = only_counted.sum_before;
  only_counted.most_after = only_counted.most_before;
  EXPECT_EQ(before.count(static_cast<uint32_t>(most)), only_counted);
}

TEST(InkLimit, KeepsToItsRule) {
  std::mt19937 random(1);
  for (const int64_t most :
       {0, 1, 5'000, 32'639, 32'640, 50'000, 73'440, 97'920, 130'560, 150'000}) {
    for (const uint32_t count : {1U, 511U, 512U, 513U, 3000U}) {
      for (const uint32_t spots : {0U, 1U, 3U}) {
        check(random_pixels(count, {true, true, true, true}, spots, random), most);
      }
      check(random_pixels(count, {true, true, true, false}, 0, random), most);
      check(random_pixels(count, {false, true, false, true}, 1, random), most);
      check(random_pixels(count, {false, false, false, true}, 0, random), most);
    }
  }
}

TEST(InkLimit, ScalesColoursAndKeepsBlack) {
  const uint16_t dark = 80 * kPercent;
  Pixels pixels{{{dark}, {dark / 2}, {dark}, {dark}}, {}};
  const uint32_t most = 200 * kPercent;
  const InkLimitCounts counts = pixels.limit(most);
  EXPECT_EQ(pixels.cmyk[3][0], dark);
  EXPECT_EQ(pixels.cmyk[0][0], 48 * kPercent);  // 120 % is left for 200 %
  EXPECT_EQ(pixels.cmyk[1][0], 24 * kPercent);
  EXPECT_EQ(pixels.cmyk[2][0], 48 * kPercent);
  EXPECT_EQ(counts.sum_after, most);
  EXPECT_EQ(counts.changed, 1U);
}

TEST(InkLimit, CutsBlackOnlyWhereItAloneExceedsTheLimit) {
  Pixels pixels{{{100}, {100}, {100}, {kInk15}}, {}};
  EXPECT_EQ(pixels.limit(kInk15).most_after, kInk15);
  EXPECT_EQ(pixels.cmyk[3][0], kInk15);
  EXPECT_EQ(pixels.limit(90 * kPercent).most_after, 90 * kPercent);
  EXPECT_EQ(pixels.cmyk[3][0], 90 * kPercent);
}

/// A tone curve in ink15, which may fall: light inks do so in shadows.
Row curve_of(uint32_t middle, uint32_t end) {
  Row curve;
  for (uint32_t x = 0; x <= kInk15; ++x) {
    const uint32_t half = kInk15 / 2;
    curve.push_back(static_cast<uint16_t>(
        x <= half ? uint64_t{middle} * x / half
                  : (uint64_t{middle} * (kInk15 - x) + uint64_t{end} * (x - half)) / half));
  }
  return curve;
}

/// Cyan with a second plate and one that counts nothing, magenta, black with a second plate, a spot.
struct PrintedPixels {
  std::vector<Row> rows;
  std::vector<Row> curves = {curve_of(4'000, kInk15),
                             curve_of(30'000, 8'000),
                             {},
                             curve_of(20'000, kInk15),
                             curve_of(5'000, kInk15),
                             curve_of(28'000, 28'000),
                             curve_of(16'320, kInk15)};

  PrintedPixels(uint32_t count, std::mt19937& random) {
    for (const size_t source : {0, 0, 0, 3, 4, 4, 6}) {
      const bool is_second = source < rows.size();
      rows.push_back(is_second ? rows[source] : random_ink15(count, random));
    }
  }

  InkLimitCounts limit(uint32_t most) {
    std::vector<prepress::PrintedPlane> planes;
    for (size_t i = 0; i < rows.size(); ++i) {
      planes.push_back({rows[i].data(), curves[i].empty() ? nullptr : curves[i].data()});
    }
    const std::span<const prepress::PrintedPlane> all = planes;
    return prepress::limit_printed_ink(
        most, {all.subspan(0, 4), all.subspan(4, 2), all.subspan(6)}, size());
  }

  uint32_t printed(size_t plane, size_t pixel) const {
    return curves[plane].empty() ? 0 : curves[plane][rows[plane][pixel]];
  }
  uint32_t sum(size_t pixel) const {
    uint32_t total = 0;
    for (size_t plane = 0; plane < rows.size(); ++plane) total += printed(plane, pixel);
    return total;
  }
  uint32_t size() const { return static_cast<uint32_t>(rows.front().size()); }
};

TEST(InkLimit, KeepsWhatIsPrintedToTheLimit) {
  std::mt19937 random(3);
  for (const uint32_t most : {0U, 20'000U, 32'640U, 60'000U, 90'000U, 250'000U}) {
    PrintedPixels pixels(1500, random);
    const PrintedPixels before = pixels;
    const InkLimitCounts counts = pixels.limit(most);
    uint32_t most_after = 0, above = 0;
    for (size_t i = 0; i < pixels.size(); ++i) {
      const uint32_t spot = before.printed(6, i), was = before.sum(i), is = pixels.sum(i);
      most_after = std::max(most_after, is);
      above += was > most ? 1 : 0;
      ASSERT_EQ(pixels.rows[6][i], before.rows[6][i]);
      for (const size_t second : {1, 2}) ASSERT_EQ(pixels.rows[second][i], pixels.rows[0][i]);
      ASSERT_EQ(pixels.rows[5][i], pixels.rows[4][i]);
      if (was <= most) {
        ASSERT_EQ(is, was);
        continue;
      }
      const uint32_t black = pixels.printed(4, i) + pixels.printed(5, i);
      ASSERT_LE(black, std::max(most, before.printed(4, i) + before.printed(5, i)));
      ASSERT_LE(is, std::max(most, spot + black));
      // No more is taken off than a step of the factor, where the colours alone become lighter.
      const bool is_of_colours = black + spot < most && pixels.rows[4][i] == before.rows[4][i];
      if (is_of_colours) {
        ASSERT_GT(is + 200, most);
      }
    }
    EXPECT_EQ(counts.above, above);
    EXPECT_EQ(counts.most_after, most_after);
  }
}

}  // namespace
}  // namespace mezzo::test::ink_limit_test
