// Trained error diffusion in raster order beside Floyd-Steinberg.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tools/lab/train/raster_model.h"
#include "tools/lab/train/raster_pages.h"
#include "tools/lab/train/raster_trainer.h"

namespace mezzo::train::raster_test {
namespace {

constexpr size_t kPage = 128;

diffusion::ToneTable trained_table() {
  diffusion::ToneTable table{};
  std::copy_n(diffusion::tone_dependent_entries(), table.size(), table.begin());
  return table;
}

/// Means over levels, each of its constant tone.
RasterLook mean_look(const std::vector<size_t>& levels, const diffusion::ToneTable& table) {
  const RasterModel model(kPage, 4711);
  RasterLook sum;
  const auto count = static_cast<double>(levels.size());
  for (const size_t level : levels) {
    const int tone = static_cast<int>((level * 4096 + 127) / 255);
    const RasterLook seen = look(model, flat_pages(kPage, tone, tone), table);
    sum.finest += seen.finest / count;
    sum.fine += seen.fine / count;
    sum.coarse += seen.coarse / count;
    sum.weighted += seen.weighted / count;
    sum.anisotropy += seen.anisotropy / count;
    sum.bias += std::abs(seen.bias) / count;
    sum.start_bias += std::abs(seen.start_bias) / count;
    sum.start_rms += seen.start_rms / count;
  }
  return sum;
}

std::vector<size_t> every_fourth(size_t first, size_t last) {
  std::vector<size_t> levels;
  for (size_t level = first; level <= last; level += 4) levels.push_back(level);
  return levels;
}

// Measured over all levels, the trained table beside Floyd-Steinberg: RMS 6.99 / 7.26 (1 pixel),
// 2.45 / 2.70 (1.5 pixels), 0.56 / 0.63 (3 pixels), 4.42 / 4.52 (weighted), anisotropy 0.20 / 0.23,
// bias 0.02 / 0.09, bias of the first rows 0.24 / 1.11, their RMS 2.34 / 3.10.
TEST(ToneDependentTable, IsBetterThanFloydSteinberg) {
  const std::vector<size_t> levels = every_fourth(2, 254);
  const RasterLook plain = mean_look(levels, floyd_steinberg_table());
  const RasterLook trained = mean_look(levels, trained_table());
  EXPECT_LT(trained.finest, 0.98 * plain.finest);
  EXPECT_LT(trained.fine, 0.92 * plain.fine);
  EXPECT_LT(trained.coarse, 0.91 * plain.coarse);
  EXPECT_LT(trained.weighted, 0.99 * plain.weighted);
  EXPECT_LT(trained.anisotropy, 0.85 * plain.anisotropy);
  EXPECT_LT(trained.bias, 0.5 * plain.bias);
  EXPECT_LT(trained.start_bias, 0.4 * plain.start_bias);
  EXPECT_LT(trained.start_rms, 0.8 * plain.start_rms);
}

// Levels 3 .. 25: anisotropy 0.33 / 0.38, bias of the first rows 0.43 / 2.31.
TEST(ToneDependentTable, HasFewerWormsAndABetterStartInHighlights) {
  std::vector<size_t> levels;
  for (size_t level = 3; level <= 25; ++level) levels.push_back(level);
  const RasterLook plain = mean_look(levels, floyd_steinberg_table());
  const RasterLook trained = mean_look(levels, trained_table());
  EXPECT_LT(trained.fine, plain.fine);
  EXPECT_LT(trained.coarse, plain.coarse);
  EXPECT_LT(trained.anisotropy, 0.9 * plain.anisotropy);
  EXPECT_LT(trained.start_bias, 0.5 * plain.start_bias);
}

// Flat tints say little of pictures, in which tones change from pixel to pixel. These are others than
// those of the training.
TEST(ToneDependentTable, IsBetterThanFloydSteinbergOnPictures) {
  const RasterModel model(kPage, 4712);
  for (int first = 32; first < 2048; first += 252) {
    const IntegerField pages = picture_pages(kPage, first, first + 252, 4713);
    const RasterLook plain = look(model, pages, floyd_steinberg_table());
    const RasterLook trained = look(model, pages, trained_table());
    EXPECT_LT(trained.finest, 1.01 * plain.finest) << first;
    EXPECT_LT(trained.fine, 0.97 * plain.fine) << first;
    EXPECT_LT(trained.coarse, 0.92 * plain.coarse) << first;
    EXPECT_LT(trained.weighted, 1.04 * plain.weighted) << first;
    EXPECT_LT(trained.start_rms, plain.start_rms) << first;
  }
}

/// The bits of a page by the rule itself, pixel after pixel.
std::vector<bool> bits_of_rule(const IntegerField& tones,
                               size_t lane,
                               const diffusion::ToneRule& rule) {
  std::vector<int> sums(kPage + 2), below(kPage + 2);
  std::vector<bool> bits;
  for (uint32_t y = 0; y < kPage; ++y) {
    std::ranges::fill(below, 0);
    for (uint32_t x = 0; x < kPage; ++x) {
      const int tone = tones[y * kPage + x].lane[lane];
      const diffusion::Decision decision = rule.decide(tone, sums[x + 1], {x, y, 0, 0});
      const diffusion::Shares shares = rule.shares(decision.residue, tone);
      sums[x + 2] += shares.right;
      below[x] += shares.down_left;
      below[x + 1] += shares.down;
      below[x + 2] += shares.down_right;
      bits.push_back(decision.ink);
    }
    std::swap(sums, below);
  }
  return bits;
}

TEST(RasterModel, HasTheBitsOfTheRule) {
  diffusion::ToneTable table = trained_table();
  for (diffusion::ToneEntry& entry : table) entry.upper = entry.lower;  // its noise is another one
  const IntegerField tones = picture_pages(kPage, 400, 2000, 3);
  const ErrorField field = RasterModel(kPage, 1).render(tones, table);
  ASSERT_EQ(field.height, kPage + RasterModel::kPaperBelow);
  for (const size_t lane : {0U, 17U, 31U}) {
    const std::vector<bool> bits = bits_of_rule(tones, lane, {table.data()});
    for (size_t i = 0; i < bits.size(); ++i) {
      const auto tone = static_cast<float>(tones[i].lane[lane]) / 4096;
      ASSERT_EQ(field.errors[i].lane[lane], (bits[i] ? 1.0F : 0.0F) - tone) << i;
    }
  }
  for (size_t i = kPage * kPage; i < field.errors.size(); ++i) {
    ASSERT_EQ(field.errors[i].lane[5], 0) << i;
  }
}

TEST(RasterPages, SpreadTonesOverThePages) {
  const IntegerField flat = flat_pages(16, 1000, 1320),
                     pictures = picture_pages(kPage, 200, 2000, 1);
  EXPECT_EQ(flat.front().lane[0], 1005);
  EXPECT_EQ(flat.back().lane[31], 1315);
  for (size_t lane = 0; lane < kLanes; ++lane) {
    double mean = 0, square = 0;
    for (const Integers& tones : pictures) {
      ASSERT_GE(tones.lane[lane], 0);
      ASSERT_LE(tones.lane[lane], 4096);
      mean += tones.lane[lane] / static_cast<double>(pictures.size());
      square += tones.lane[lane] * tones.lane[lane] / static_cast<double>(pictures.size());
    }
    EXPECT_NEAR(mean, 228 + 1800.0 / kLanes * static_cast<double>(lane), 600);
    EXPECT_GT(square - mean * mean, 4) << "a picture is not flat";
  }
}

TEST(RasterTrainer, MakesTablesThatConserve) {
  for (const Point& point : {Point{1, 1, 1, 0, 0.5, 0.1},
                             Point{-0.3, 0.3, 0.3, 1e-9, 0.5, 0.6},
                             Point{0, 0, 0, 0, -1, 3},
                             Point{1000.667, 1000.667, 2094.666, 0, 0.5, 0},
                             Point{5, 3, 7, 1, 0.01, 0}}) {
    std::vector<Point> points = RasterTrainer::untrained();
    for (size_t knot = 0; knot < points.size(); knot += 2) points[knot] = point;
    const diffusion::ToneRows rows = RasterTrainer::rows(points);
    for (size_t level = 0; level < rows.size(); ++level) {
      EXPECT_LE(rows[level].right + rows[level].down_left + rows[level].down, 4096);
      EXPECT_LE(rows[level].lower, rows[level].upper);
      EXPECT_GE(rows[level].lower, level == 0 ? 2048 : 64);
      EXPECT_LE(rows[level].upper, 4096);
    }
  }
}

TEST(RasterTrainer, LeavesNoiseThatSetsInksApart) {
  const diffusion::ToneRows rows = RasterTrainer::rows(RasterTrainer::untrained());
  for (size_t level = 1; level < rows.size(); ++level) {
    EXPECT_GE(rows[level].upper - rows[level].lower, 0.029 * 4096) << level;
  }
  for (const size_t regular : {85U, 127U}) {
    EXPECT_GE(rows[regular].upper - rows[regular].lower, 0.1 * 4096) << regular;
  }
}

TEST(RasterTrainer, DrawsALineFromKnotToKnot) {
  const std::vector<Point> points = RasterTrainer::untrained();
  const diffusion::ToneRows rows = RasterTrainer::rows(points);
  for (size_t level = 1; level + 1 < rows.size(); ++level) {
    const int below = rows[level].lower + rows[level].upper;
    const int above = rows[level + 1].lower + rows[level + 1].upper;
    EXPECT_NEAR((above - below) / 2.0, 0.14 * 4096 / 127, 1.01) << level;
  }
}

}  // namespace
}  // namespace mezzo::train::raster_test
