#include "kernels/prepress/scale_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "kernels/band/ink15.h"
#include "tests/kernels/prepress/edge_pages.h"
#include "tests/kernels/prepress/naive_edges.h"
#include "tests/kernels/prepress/scale_planes.h"
#include "tests/support/shared_oracle.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::scale_edges_test {
namespace {

using prepress::EdgeScaler;
using prepress::EdgeTile;
using prepress::Ratio;
using prepress::ScaleFilter;
using prepress::Scaling;

using namespace edge_pages;

constexpr uint32_t kWhole = 1'000'000;  ///< rows of a band that is the page

Scaling edges(Ratio x, Ratio y) {
  return {x, y, ScaleFilter::kCubic};
}

Plane with_edges(Plane& page, Ratio x, Ratio y, uint32_t band_rows = kWhole, uint32_t threads = 1) {
  const EdgeScaler scaler(page.width_px, page.height_px, edges(x, y));
  return scaled_in_bands(page, scaler, band_rows, threads);
}

Plane with_cubic(Plane& page, Ratio x, Ratio y) {
  return scaled_in_bands(page, {x, y, ScaleFilter::kCubic}, kWhole, 1);
}

// ---- Measures ----

/// The share of plate pixels whose tone differs by more than a tenth of a solid.
double changed_share(const Plane& a, const Plane& b) {
  size_t changed = 0;
  for (size_t i = 0; i < a.samples.size(); ++i) {
    changed += std::abs(int{a.samples[i]} - int{b.samples[i]}) > kSolid / 10;
  }
  return static_cast<double>(changed) / static_cast<double>(a.samples.size());
}

double ink_of(const Plane& plate) {
  double sum = 0;
  for (const uint16_t sample : plate.samples) sum += sample;
  return sum / kSolid;
}

class ScaleEdges : public OnTarget {
 protected:
  SharedOracle<Plane> definition_;
  SharedOracle<std::vector<Plane>> definition_of_planes_;
};
MZ_ON_EVERY_TARGET(Targets, ScaleEdges);

TEST_P(ScaleEdges, is_the_definition) {
  constexpr Ratio kRatios[] = {{8, 1}, {127, 15}, {3, 2}, {5, 2}, {4, 1}, {32, 1}, {9, 8}};
  constexpr uint32_t kSizes[][2] = {{1, 1}, {2, 3}, {13, 7}, {40, 37}, {97, 21}};
  size_t turn = 0;
  for (const auto& [width, height] : kSizes) {
    for (Plane& page : pages(width, height)) {
      std::optional<NaiveEdges> naive;
      for (const size_t other : {0, 1, 3}) {
        const Ratio x = kRatios[turn % std::size(kRatios)];
        const Ratio y = other == 1 ? Ratio{} : kRatios[(turn + other) % std::size(kRatios)];
        ++turn;
        const Plane& expected = definition_.next([&] {
          if (!naive) naive.emplace(page);
          return naive->plate(with_cubic(page, x, y), edges(x, y));
        });
        ASSERT_EQ(with_edges(page, x, y).samples, expected.samples)
            << width << " x " << height << " px, " << x.p << '/' << x.q << " and " << y.p << '/'
            << y.q << ", page " << turn;
      }
    }
  }
}

TEST_P(ScaleEdges, joins_tiles_of_the_page) {
  constexpr uint32_t kWidth = EdgeTile::kColumns + 40, kHeight = 2 * EdgeTile::kRows + 9;
  Plane page =
      halves(type_page(kWidth, kHeight, 1), grained(type_page(kWidth, kHeight, 2), 500, 1));
  const Plane& expected = definition_.next([&] {
    return NaiveEdges(page).plate(with_cubic(page, {3, 2}, {2, 1}), {{3, 2}, {2, 1}});
  });
  EXPECT_EQ(with_edges(page, {3, 2}, {2, 1}).samples, expected.samples);
}

TEST_P(ScaleEdges, does_not_depend_on_bands_and_threads) {
  for (const Ratio ratio : {Ratio{8, 1}, Ratio{127, 15}, Ratio{3, 2}}) {
    Plane page = type_page(70, 50, ratio.p);
    const Plane whole = with_edges(page, ratio, ratio);
    for (uint32_t threads = 1; threads <= 8; ++threads) {
      const uint32_t band_rows = threads == 1 ? 1 : threads * threads - 2;
      ASSERT_EQ(with_edges(page, ratio, ratio, band_rows, threads).samples, whole.samples);
    }
  }
}

std::vector<Plane> plates_of(const std::vector<Plane>& page,
                             const Scaling& scaling,
                             uint32_t band_rows = kWhole,
                             uint32_t threads = 1) {
  const EdgeScaler scaler(page.front().width_px, page.front().height_px, scaling);
  return scaled_in_bands(page, scaler, band_rows, threads);
}

/// Checks that all planes are the same.
void expect_same(const std::vector<Plane>& plates, const std::vector<Plane>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(plates[i].samples, expected[i].samples) << "plane " << i;
  }
}

TEST_P(ScaleEdges, is_the_definition_for_planes) {
  constexpr Ratio kRatios[] = {{8, 1}, {127, 15}, {3, 2}, {5, 2}};
  for (uint32_t turn = 0; turn < 2 * std::size(kRatios); ++turn) {
    const uint32_t seed = turn / 2;
    const Scaling scaling = edges(kRatios[seed], kRatios[(seed + 1) % std::size(kRatios)]);
    std::vector<Plane> page =
        turn % 2 == 0 ? planes_of(70 + seed, 30, seed) : curved_planes_of(70 + seed, 50, seed);
    expect_same(plates_of(page, scaling), definition_of_planes_.next([&] {
      std::vector<Plane> cubic;
      for (Plane& plane : page) cubic.push_back(with_cubic(plane, scaling.x, scaling.y));
      return NaiveEdgePlanes(page).plates(cubic, scaling);
    }));
  }
}

TEST_P(ScaleEdges, planes_do_not_depend_on_bands_and_threads) {
  constexpr uint32_t kWidth = EdgeTile::kColumns + 20, kHeight = EdgeTile::kRows + 8;
  const Scaling scaling = edges({127, 15}, {5, 2});
  for (const auto& page : {planes_of(kWidth, kHeight, 1), curved_planes_of(kWidth, kHeight, 2)}) {
    const std::vector<Plane>& whole =
        definition_of_planes_.next([&] { return plates_of(page, scaling); });
    for (const uint32_t threads : {1U, 3U, 8U}) {
      for (const uint32_t band_rows : {1U, 7U, 19 * threads, kWhole}) {
        expect_same(plates_of(page, scaling, band_rows, threads), whole);
      }
    }
  }
}

TEST(ScaleEdgesPages, PlanesThatBelongTogetherHaveOneBorder) {
  const Plane type = type_in_black(120, 90);
  // Percent of ink on paper, and in type.
  constexpr int kInks[][2] = {{0, 60}, {0, 100}, {0, 40}, {30, 0}, {20, 90}, {0, 10}};
  std::vector<Plane> page;
  for (const auto& [paper, solid] : kInks) page.push_back(in_proportion(type, paper, solid));
  const std::vector<Plane> plates = plates_of(page, edges({8, 1}, {8, 1}));
  const Plane& black = plates[1];
  for (size_t i = 0; i < plates.size(); ++i) {
    const int levels = kSolid * (kInks[i][0] + kInks[i][1]) / 100;
    const bool is_negative = kInks[i][0] > kInks[i][1];
    size_t differ = 0;
    for (size_t at = 0; at < black.samples.size(); ++at) {
      const bool has_type = (2 * plates[i].samples[at] > levels) != is_negative;
      differ += has_type != (black.samples[at] > kSolid / 2);
    }
    EXPECT_LE(static_cast<double>(differ) / static_cast<double>(black.samples.size()), 0.0002)
        << "plane " << i;
  }
}

/// The percent of plate pixels where plane `of` has no type and `other` has, or the reverse; both have more than half
/// of their ink `solid` in type.
double percent_beside(const Plane& of, const Plane& other, int solid_of, int solid_other) {
  size_t beside = 0;
  for (size_t at = 0; at < of.samples.size(); ++at) {
    beside += (2 * of.samples[at] > solid_of) != (2 * other.samples[at] > solid_other);
  }
  return 100.0 * static_cast<double>(beside) / static_cast<double>(of.samples.size());
}

TEST(ScaleEdgesPages, TypeSeparatedByAProfileHasOneBorder) {
  const Plane type = type_in_black(240, 180);
  for (const std::span<const InkCurve> inks : {std::span(kIccBlack), std::span(kIccBlue)}) {
    const std::vector<Plane> plates = plates_of(separated(type, inks), edges({8, 1}, {8, 1}));
    const auto solid = [&](size_t i) { return static_cast<int>(inks[i].back() * kSolid / 100); };
    for (size_t i = 1; i < 3; ++i) {
      EXPECT_LE(percent_beside(plates[0], plates[i], solid(0), solid(i)), 0.02) << "plane " << i;
    }
    // Thin strokes show little of their black; those in blue have none, as it begins near full coverage.
    const double of_black = percent_beside(plates[0], plates[3], solid(0), solid(3));
    EXPECT_LE(of_black, solid(3) > kSolid / 2 ? 0.15 : 0.6);
  }
}

/// Grain tells photographs from type.
TEST(ScaleEdgesPages, PlanesOfAPhotographOnCurvesAreMadeAlone) {
  const Plane picture = grained(in_proportion(type_in_black(120, 90), 10, 90), 6 * 128, 1);
  const std::vector<Plane> page = separated(picture, kIccBlack);
  const std::vector<Plane> plates = plates_of(page, edges({8, 1}, {8, 1}));
  for (size_t i = 0; i < page.size(); ++i) {
    const std::vector<Plane> alone = {page[i]};
    EXPECT_LE(changed_share(plates[i], plates_of(alone, edges({8, 1}, {8, 1})).front()), 0.003)
        << "plane " << i;
  }
}

TEST(ScaleEdgesPages, PlanesWithBordersOfTheirOwnAreMadeAlone) {
  std::vector<Plane> page;
  for (const uint32_t seed : {1U, 2U, 3U}) page.push_back(noise(60, 50, seed));
  page.push_back(filled(60, 50, kSolid / 3));
  const std::vector<Plane> plates = plates_of(page, edges({5, 2}, {5, 2}));
  for (size_t i = 0; i < page.size(); ++i) {
    EXPECT_EQ(plates[i].samples, with_edges(page[i], {5, 2}, {5, 2}).samples) << "plane " << i;
  }
}

TEST(ScaleEdgesPages, ARatioOfOneChangesNothing) {
  for (Plane& page : pages(60, 40))
    EXPECT_EQ(with_edges(page, {1, 1}, {1, 1}).samples, page.samples);
}

TEST(ScaleEdgesPages, FlatPagesStayFlat) {
  for (const int ink : {0, 1, 12'345, kSolid}) {
    for (const uint32_t side : {1U, 2U, 40U}) {
      Plane page = filled(side, side, ink);
      const Plane plate = with_edges(page, {127, 15}, {8, 1});
      EXPECT_EQ(std::ranges::count(plate.samples, ink), std::ssize(plate.samples));
    }
  }
}

TEST(ScaleEdgesPages, PhotographsAreThoseOfCubicScaling) {
  for (const uint32_t seed : {1U, 2U, 3U}) {
    Plane page = grained(blurred(type_page(90, 90, seed)), 2 * 128, seed);
    EXPECT_LE(changed_share(with_edges(page, {8, 1}, {8, 1}), with_cubic(page, {8, 1}, {8, 1})),
              0.001);
  }
}

TEST(ScaleEdgesPages, ANegativeIsTheSameButForTies) {
  Plane page = filled(80, 60, 0);
  for (uint32_t i = 0; i < 12; ++i) draw(bar(8 + 6 * i, 30, 15 * i, 1 + i / 4.0, 20), kSolid, page);
  Plane negative = page;
  for (uint16_t& sample : negative.samples) sample = static_cast<uint16_t>(kSolid - sample);
  const Plane plate = with_edges(page, {8, 1}, {8, 1});
  Plane inverted = with_edges(negative, {8, 1}, {8, 1});
  for (uint16_t& sample : inverted.samples) sample = static_cast<uint16_t>(kSolid - sample);
  EXPECT_LE(changed_share(plate, inverted), 0.001);
}

struct Errors {
  double squares = 0, points = 0;  ///< of distances of the plate's borders, px of the page
  double rms_um(double dpi) const { return std::sqrt(squares / points) * 25'400 / dpi; }
};

/// Adds the places where a row or column of the plate goes from paper to ink.
void add_errors(const Plane& plate, double ratio, const Shape& shape, Errors& errors) {
  const auto is_ink = [&](int64_t x, int64_t y) { return plate.at(x, y) > kSolid / 2; };
  const auto add = [&](double x, double y) {
    const double error = shape(x / ratio, y / ratio);
    errors.squares += error * error;
    errors.points += 1;
  };
  for (int64_t y = 0; y + 1 < plate.height_px; ++y) {
    for (int64_t x = 0; x + 1 < plate.width_px; ++x) {
      const double right = static_cast<double>(x) + 1, down = static_cast<double>(y) + 1;
      if (is_ink(x, y) != is_ink(x + 1, y)) add(right, down - 0.5);
      if (is_ink(x, y) != is_ink(x, y + 1)) add(right - 0.5, down);
    }
  }
}

/// Draws a shape at 300 dpi, scales it to 2400 dpi and adds the errors; returns ink over its ink.
double scale_shape(const Shape& shape, Errors& errors) {
  Plane page = filled(40, 40, 0);
  draw(shape, kSolid, page);
  const Plane plate = with_edges(page, {8, 1}, {8, 1});
  add_errors(plate, 8, shape, errors);
  return ink_of(plate) / 64 / ink_of(page);
}

TEST(ScaleEdgesPages, BarsHaveTrueContoursAndTheirInk) {
  for (int tenths = 9; tenths <= 30; tenths += 3) {
    Errors errors;
    double ink = 0;
    for (int degrees = 0; degrees <= 90; degrees += 9) {
      const double x0 = 20.3 + tenths * 0.037, y0 = 20.2 + degrees * 0.011;
      ink += scale_shape(bar(x0, y0, degrees, tenths / 10.0, 24), errors) / 11;
    }
    EXPECT_LE(errors.rms_um(300), tenths == 9 ? 8 : 6) << tenths << " tenths of a pixel";
    EXPECT_NEAR(ink, 1, tenths == 9 ? 0.02 : 0.01) << tenths << " tenths of a pixel";
  }
}

TEST(ScaleEdgesPages, DiscsHaveTrueContoursAndTheirInk) {
  for (int tenths = 12; tenths <= 30; tenths += 3) {
    Errors errors;
    double ink = 0;
    for (int place = 0; place < 16; ++place) {
      const double x0 = 20 + place % 4 / 4.0, y0 = 20.1 + place / 4 / 4.0;
      ink += scale_shape(disc(x0, y0, tenths / 10.0), errors) / 16;
    }
    EXPECT_LE(errors.rms_um(300), tenths == 12 ? 8 : 5.5) << tenths << " tenths of a pixel";
    EXPECT_NEAR(ink, 1, tenths < 20 ? 0.035 : 0.025) << tenths << " tenths of a pixel";
  }
}

/// The sum of what plate samples differ from those of a shape that has `ink` on paper.
double difference_from(const Plane& plate, const Shape& shape, int ink, double ratio) {
  double sum = 0;
  for (uint32_t y = 0; y < plate.height_px; ++y) {
    for (uint32_t x = 0; x < plate.width_px; ++x) {
      const bool is_inside = shape((x + 0.5) / ratio, (y + 0.5) / ratio) <= 0;
      sum += std::abs(plate.at(x, y) - (is_inside ? ink : 0));
    }
  }
  return sum;
}

/// They show their level in single pixels, and have no plateau.
TEST(ScaleEdgesPages, GreyStrokesOfTwoPixelsKeepTheirLevel) {
  constexpr int kGrey = kSolid * 6 / 10;
  double of_edges = 0, of_cubic = 0;
  for (int degrees = 0; degrees <= 90; degrees += 9) {
    const Shape shape = bar(20.3, 20.2 + degrees * 0.011, degrees, 2.2, 24);
    Plane page = filled(40, 40, 0);
    draw(shape, kGrey, page);
    of_edges += difference_from(with_edges(page, {8, 1}, {8, 1}), shape, kGrey, 8);
    of_cubic += difference_from(with_cubic(page, {8, 1}, {8, 1}), shape, kGrey, 8);
  }
  EXPECT_LE(of_edges, 0.3 * of_cubic);
}

TEST(ScaleEdgesPages, PaperAwayFromInkStaysPaper) {
  for (const uint32_t seed : {1U, 2U, 3U}) {
    Plane page = filled(60, 60, 0);
    std::mt19937 random(seed);
    for (uint32_t i = 0; i < 12; ++i) {
      const auto up_to = [&](uint32_t most) { return static_cast<double>(random() % most); };
      const double x = up_to(60), y = up_to(60), degrees = up_to(180), width = 0.3 + up_to(5);
      draw(bar(x, y, degrees, width, 12), static_cast<int>(random() % kInk15), page);
    }
    const Plane plate = with_edges(page, {8, 1}, {8, 1});
    for (int64_t y = 0; y < plate.height_px; ++y) {
      for (int64_t x = 0; x < plate.width_px; ++x) {
        int near = 0;
        for (int part = 0; part < 9; ++part) {
          near = std::max<int>(near, page.at(x / 8 + part % 3 - 1, y / 8 + part / 3 - 1));
        }
        if (near > 0) continue;
        ASSERT_EQ(plate.at(x, y), 0) << x << ", " << y << " px, page of seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::scale_edges_test
