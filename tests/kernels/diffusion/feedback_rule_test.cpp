// Green noise: its bounds, and what it is for. Its bits are compared with the definition by
// green_noise_oracle.py.

#include "kernels/diffusion/rules/feedback_rule.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "kernels/base/noise.h"
#include "kernels/diffusion/cpu/sequential.h"
#include "kernels/diffusion/green_noise_method.h"
#include "tests/kernels/diffusion/naive_diffusion.h"

namespace mezzo::test::feedback_rule_test {
namespace {

using diffusion::FeedbackRule;
using diffusion::GreenNoise;

int residue(int error, bool ink) {
  return 2 * error + (ink ? 1 : 0);
}

/// The decision on a pixel whose left, upper-left, upper and upper-right neighbours left these
/// residues behind.
diffusion::Decision decide(const FeedbackRule& rule,
                           int tone,
                           const std::array<int, 4>& residues,
                           const diffusion::Place& place) {
  const auto& [left, up_left, up, up_right] = residues;
  const int collected = rule.shares(left, 0).right + rule.shares(up_left, 0).down_right +
                        rule.shares(up, 0).down + rule.shares(up_right, 0).down_left;
  return rule.decide(tone, collected, place);
}

/// Whether the left neighbour counts.
bool left_counts(const diffusion::Place& place) {
  return pixel_noise(0, 0, place.y, place.x) % 2 == 1;
}

/// A place inside the page where the left neighbour counts, or the upper one.
diffusion::Place place_where(bool left) {
  diffusion::Place place{.x = 1, .y = 1};
  while (left_counts(place) != left) ++place.x;
  return place;
}

TEST(FeedbackRule, ByHand) {
  // (7 * 100 + 2 + 5 * -300 + 3 * 40 + 8) >> 4 = -670 >> 4 = -42.
  const auto expect = [&](bool left, int tone, bool left_ink, bool up_ink, bool ink, int error) {
    const std::array residues = {
        residue(100, left_ink), residue(2, true), residue(-300, up_ink), residue(40, true)};
    const diffusion::Decision d = decide({2000}, tone, residues, place_where(left));
    EXPECT_EQ(d.ink, ink) << tone;
    EXPECT_EQ(d.residue, residue(error, ink)) << tone;
  };
  for (const bool other : {false, true}) {
    expect(true, 4089, false, other, false, 4047);
    expect(true, 4090, false, other, true, 4048 - 4096);
    expect(true, 89, true, other, false, 47);
    expect(true, 90, true, other, true, 48 - 4096);
    expect(false, 4089, other, false, false, 4047);
    expect(false, 4090, other, false, true, 4048 - 4096);
    expect(false, 89, other, true, false, 47);
    expect(false, 90, other, true, true, 48 - 4096);
  }
}

TEST(FeedbackRule, OtherInksLowerTheThresholdByAsMuchMoreAsItsErrorsAreLarger) {
  // Beside ink, H = 2048: s + 2048 >= 2048 - (z + z / 2).
  for (const auto& [z, least] : {std::array{0, 0}, {100, -150}, {-100, 150}, {1023, -1534}}) {
    diffusion::Place place = place_where(true);
    place.lowered = z;
    const std::array residues = {residue(0, true), 0, 0, 0};
    EXPECT_TRUE(decide({2048}, least, residues, place).ink) << z;
    EXPECT_FALSE(decide({2048}, least - 1, residues, place).ink) << z;
  }
}

TEST(FeedbackRule, GivesAPixelNoFeedbackFromBesideThePage) {
  for (uint32_t at = 0; at < 50; ++at) {
    for (const bool at_left : {true, false}) {
      const diffusion::Place place{.x = at_left ? 0 : at, .y = at_left ? at : 0};
      const bool is_beside = (left_counts(place) ? place.x : place.y) == 0;
      const int least = is_beside ? 2048 : 3048;
      EXPECT_FALSE(FeedbackRule{1000}.decide(least - 1, 0, place).ink);
      EXPECT_TRUE(FeedbackRule{1000}.decide(least, 0, place).ink);
    }
  }
}

TEST(FeedbackRule, HandsOnThatAPixelIsInkThoughItHasNoError) {
  const diffusion::Shares paper = FeedbackRule{1000}.shares(residue(0, false), 4096);
  EXPECT_TRUE(paper.right == 0 && paper.down_left == 0 && paper.down == 0 && paper.down_right == 0);
  const diffusion::Shares ink = FeedbackRule{1000}.shares(residue(0, true), 4096);
  EXPECT_TRUE(ink.right == 1 && ink.down_left == 0 && ink.down == 2 && ink.down_right == 0);
}

TEST(FeedbackRule, KeepsErrorsInTheirBounds) {
  std::mt19937 random(1);
  for (const int feedback : {0, 1, 640, 3840, FeedbackRule::kMostFeedback}) {
    const int least = -2048 - feedback, most = 2047 + feedback;
    const auto any_error = [&] {
      const int number = static_cast<int>(random() % 20'000);
      return number < 5000 ? least : number < 10'000 ? most : least + number % (most - least + 1);
    };
    for (int round = 0; round < 200'000; ++round) {
      const int tone = random() % 4 == 0 ? static_cast<int>(random() % 2 * 4096)
                                         : static_cast<int>(random() % 4097);
      std::array<int, 4> errors, residues;
      for (size_t i = 0; i < 4; ++i) {
        errors[i] = round % 100 == 0 ? least : round % 100 == 1 ? most : any_error();
        residues[i] = residue(errors[i], random() % 2 == 0);
      }
      const diffusion::Decision d =
          decide({feedback}, tone, residues, {.x = 5, .y = static_cast<uint32_t>(round)});
      const int error = d.residue >> 1;
      ASSERT_EQ(d.residue & 1, d.ink ? 1 : 0);
      ASSERT_GE(error, least);
      ASSERT_LE(error, most);
      // Nothing was lost: tone and errors are in the ink and the error.
      const double sum = 7 * errors[0] + errors[1] + 5 * errors[2] + 3 * errors[3];
      ASSERT_EQ(error + (d.ink ? 4096 : 0), tone + std::floor(sum / 16 + 0.5));
    }
  }
}

TEST(FeedbackRule, ReachesItsBoundsOnAPage) {
  SamplePlane in(512, 512, 1);
  fill(in, Fill::kMidtone, 20, 3);  // 10 or 11 of 20
  const FeedbackRule rule{FeedbackRule::kMostFeedback};
  const NaiveDiffusion page(rule, in.band, ToneCurve(20, Polarity::kMaxIsInk));
  int least = 0, most = 0;
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) {
      least = std::min(least, page.residues.at(x, y) >> 1);
      most = std::max(most, page.residues.at(x, y) >> 1);
    }
  }
  EXPECT_TRUE(-6143 <= least && least < -6100) << least;
  EXPECT_TRUE(6100 < most && most <= 6142) << most;
}

TEST(FeedbackRule, IsFloydSteinbergWithoutFeedback) {
  for (const Fill kind : {Fill::kNoise, Fill::kRamp, Fill::kExtremes, Fill::kMidtone}) {
    SamplePlane in(123, 61, 1);
    fill(in, kind, 255, 5);
    in.band.texture = kind == Fill::kRamp ? 99 : 0;
    const ToneCurve curve(255, Polarity::kMaxIsPaper);
    BitPlane expected(123, 61), found(123, 61);
    run_whole(*make_reference(complete({})), in.band, curve, expected.band);
    run_whole(diffusion::SequentialDiffusion<FeedbackRule>({0}), in.band, curve, found.band);
    ASSERT_TRUE(same_bits(expected.band, found.band));
  }
}

/// A flat tint.
class Tint {
 public:
  Tint(const FeedbackRule& rule, double coverage) : plane_(kWidth, kRows) {
    SamplePlane in(kWidth, kRows, 2);
    for (uint32_t y = 0; y < kRows; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) in.set(x, y, static_cast<uint32_t>(1000 * coverage));
    }
    run_whole(diffusion::SequentialDiffusion<FeedbackRule>(rule),
              in.band,
              ToneCurve(1000, Polarity::kMaxIsInk),
              plane_.band);
  }

  double mean() const { return static_cast<double>(dots()) / (double{kWidth} * (kRows - kFirst)); }

  /// Of the groups of pixels that are joined by their sides.
  double cluster_size() const {
    std::vector<bool> seen(size_t{kWidth} * kRows);
    size_t clusters = 0;
    for (uint32_t y = kFirst; y < kRows; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) clusters += visit(x, y, seen) ? 1 : 0;
    }
    return static_cast<double>(dots()) / static_cast<double>(clusters);
  }

 private:
  /// Without the rows at the top, where errors begin with 0.
  static constexpr uint32_t kWidth = 1024, kRows = 612, kFirst = 100;

  bool ink(uint32_t x, uint32_t y) const {
    return x < kWidth && y >= kFirst && y < kRows && plane_.band.ink(x, y);
  }

  size_t dots() const {
    size_t count = 0;
    for (uint32_t y = kFirst; y < kRows; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) count += ink(x, y) ? 1 : 0;
    }
    return count;
  }

  /// Marks the pixels of the cluster that has this one. False where there is none, or was already.
  bool visit(uint32_t x, uint32_t y, std::vector<bool>& seen) const {
    std::vector<std::pair<uint32_t, uint32_t>> open;
    const auto add = [&](uint32_t column, uint32_t row) {
      if (!ink(column, row) || seen[size_t{row} * kWidth + column]) return;
      seen[size_t{row} * kWidth + column] = true;
      open.emplace_back(column, row);
    };
    add(x, y);
    const bool is_new = !open.empty();
    while (!open.empty()) {
      const auto [column, row] = open.back();
      open.pop_back();
      add(column - 1, row);
      add(column + 1, row);
      add(column, row - 1);
      add(column, row + 1);
    }
    return is_new;
  }

  BitPlane plane_;
};

FeedbackRule rule_of(int dot_size) {
  return GreenNoise::rule({.parameters = {{"dot_size", dot_size}, {"seed", 0}}});
}

TEST(GreenNoise, HasClustersOfItsDotSizeInHighlights) {
  for (const int dot_size : {1, 2, 3, 4, 5}) {
    const FeedbackRule rule = rule_of(dot_size);
    EXPECT_NEAR(Tint(rule, 0.02).cluster_size(), dot_size, 0.05 * dot_size);
    EXPECT_NEAR(Tint(rule, 0.05).cluster_size(), dot_size, 0.02 * dot_size);
    EXPECT_NEAR(Tint(rule, 0.10).cluster_size(), dot_size, 0.12 * dot_size);
  }
}

TEST(GreenNoise, KeepsTheMeanOfAFlatTint) {
  for (const int dot_size : {1, 3, 5}) {
    for (const double coverage : {0.02, 0.1, 0.25, 0.5, 0.7, 0.95}) {
      EXPECT_NEAR(Tint(rule_of(dot_size), coverage).mean(), coverage, 0.001)
          << dot_size << ", " << coverage;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::feedback_rule_test
