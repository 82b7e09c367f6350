// The embedded tables of pinwheel error diffusion: their bounds, and that they are better than no
// training.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/pinwheel/tables/tables.h"
#include "tools/lab/train/pinwheel_model.h"
#include "tools/lab/train/pinwheel_trainer.h"

namespace mezzo::train::pinwheel_tables_test {
namespace {

using pinwheel::Level;
using pinwheel::ToneTable;

const ToneTable* const kTables[] = {
    &pinwheel::small_tone_table(), &pinwheel::medium_tone_table(), &pinwheel::large_tone_table()};

ToneTable untrained_table() {
  ToneTable table{};
  table.fill(untrained_row());
  return table;
}

TEST(PinwheelTables, WeightsSumToOne) {
  for (const ToneTable* table : kTables) {
    for (const Level& row : *table) {
      for (const auto& weights : row.weights) {
        int sum = 0;
        for (const int weight : weights) sum += weight;
        EXPECT_EQ(sum, 32768);
      }
      EXPECT_EQ(row.weights[pinwheel::kThree][3], 0);
      EXPECT_EQ(row.weights[pinwheel::kTwo][1], 0);
      EXPECT_EQ(row.weights[pinwheel::kTwo][3], 0);
      for (size_t k = 1; k < 4; ++k) EXPECT_LE(row.weights[pinwheel::kFour][k], 24576);
    }
  }
}

TEST(PinwheelTables, ThresholdsAreInRange) {
  for (const ToneTable* table : kTables) {
    for (const Level& row : *table) {
      EXPECT_GE(row.spread, 0);
      EXPECT_LE(row.spread, pinwheel::kMostSpread);
      for (const int threshold : row.thresholds) {
        EXPECT_GE(threshold, -pinwheel::kMostThreshold);
        EXPECT_LE(threshold, 4096 + pinwheel::kMostThreshold);
      }
    }
  }
}

TEST(PinwheelTables, AreSymmetric) {
  for (const ToneTable* table : kTables) {
    for (size_t level = 0; level < pinwheel::kLevels; ++level) {
      const Level &row = (*table)[level], &mirrored = (*table)[255 - level];
      EXPECT_EQ(row.weights, mirrored.weights);
      EXPECT_EQ(row.spread, mirrored.spread);
      for (size_t c = 0; c < pinwheel::kThresholdClasses; ++c) {
        EXPECT_EQ(row.thresholds[c] + mirrored.thresholds[c], 4096);
      }
    }
  }
}

TEST(PinwheelTables, ErrorsThatMeetFitSixteenBits) {
  // 5632 each at most; noise and borders bring it to 5 at most, which tests of kernels hold.
  for (uint32_t block = 2; block <= 64; ++block) {
    const PinwheelModel model(block, 1);
    EXPECT_NEAR(model.most_incoming(untrained_table()) / 32768.0, 2.52, 0.02) << block;
    EXPECT_LT(model.most_incoming(pinwheel::tone_table(block)) / 32768.0, 3.4) << block;
  }
}

TEST(PinwheelTables, AreChosenByTheSizeOfTheBlocks) {
  EXPECT_EQ(&pinwheel::tone_table(2), kTables[0]);
  EXPECT_EQ(&pinwheel::tone_table(11), kTables[0]);
  EXPECT_EQ(&pinwheel::tone_table(12), kTables[1]);
  EXPECT_EQ(&pinwheel::tone_table(23), kTables[1]);
  EXPECT_EQ(&pinwheel::tone_table(24), kTables[2]);
  EXPECT_EQ(&pinwheel::tone_table(64), kTables[2]);
}

/// Means over 28 greys.
struct Quality {
  double fine = 0, coarse = 0, bias = 0;
};

Quality quality(const PinwheelModel& model, const ToneTable& table) {
  constexpr int kGreys = 28;
  Quality sum;
  for (int grey = 0; grey < kGreys; ++grey) {
    const auto level = static_cast<size_t>(std::lround(1 + 253.0 * grey / (kGreys - 1)));
    const int tone = static_cast<int>((level * 4096 + 127) / 255);
    const PinwheelLook seen = look(model.render(constant_tone(tone), table[level]));
    sum.fine += seen.fine / kGreys;
    sum.coarse += seen.coarse / kGreys;
    sum.bias += std::abs(seen.mean_bias) / kGreys;
  }
  return sum;
}

/// What the trained table may at most have of another one's texture.
struct Margin {
  uint32_t block;
  double fine, coarse;
  double bias;  ///< at most, in 255ths
};

TEST(PinwheelTables, AreBetterThanNoTraining) {
  constexpr Margin kMargins[] = {{8, 0.68, 0.56, 0.02},
                                 {14, 0.60, 0.29, 0.01},
                                 {16, 0.62, 0.28, 0.022},
                                 {32, 0.65, 0.29, 0.006}};
  for (const Margin& margin : kMargins) {
    const PinwheelModel model(margin.block, 4711);
    const Quality before = quality(model, untrained_table());
    const Quality after = quality(model, pinwheel::tone_table(margin.block));
    EXPECT_LT(after.fine, margin.fine * before.fine) << margin.block;
    EXPECT_LT(after.coarse, margin.coarse * before.coarse) << margin.block;
    EXPECT_LT(after.bias, margin.bias) << margin.block;
  }
}

// Plain Floyd-Steinberg in raster order has 2.59 and 0.61 by the same measure.
TEST(PinwheelTables, ComeNearFloydSteinberg) {
  constexpr Margin kMargins[] = {{16, 1.32, 1.41, 0.022}, {32, 1.11, 1.115, 0.006}};
  for (const Margin& margin : kMargins) {
    const PinwheelModel model(margin.block, 4711);
    const Quality after = quality(model, pinwheel::tone_table(margin.block));
    EXPECT_LT(after.fine, margin.fine * 2.59);
    EXPECT_LT(after.coarse, margin.coarse * 0.61);
    EXPECT_LT(after.bias, margin.bias);
  }
}

TEST(PinwheelModel, BalancedLosesNothingInTheMean) {
  for (const uint32_t block : {8U, 16U}) {
    const PinwheelModel model(block, 3);
    for (int tone = 366; tone < 3800; tone += 305) {
      const Rendered seen = model.render_balanced(constant_tone(tone), untrained_row());
      EXPECT_LT(std::abs(look(seen).mean_bias), 0.05) << block << ", tone " << tone;
      EXPECT_LE(seen.largest_error, 6000);
    }
  }
}

}  // namespace
}  // namespace mezzo::train::pinwheel_tables_test
