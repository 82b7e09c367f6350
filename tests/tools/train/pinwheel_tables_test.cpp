// The embedded tables of pinwheel error diffusion: their bounds, and that they are better than no
// training.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/pinwheel/tables/tables.h"
#include "tools/train/pinwheel_model.h"
#include "tools/train/pinwheel_trainer.h"

namespace mezzo::train {
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
    for (size_t level = 0; level < pinwheel::kLevels; ++level) {
      const Level& row = (*table)[level];
      for (size_t c = 0; c < pinwheel::kThresholdClasses; ++c) {
        EXPECT_LE(row.lower[c], row.upper[c]) << level;
        // What leaves paper white under some noise, and solid ink solid.
        const int least = level == 0 ? 2048 : level < 128 ? 512 : 0;
        const int most = level == 255 ? 2048 : level < 128 ? 4096 : 3584;
        EXPECT_GE(row.lower[c], least) << level;
        EXPECT_LE(row.upper[c], most) << level;
      }
    }
  }
}

TEST(PinwheelTables, AreSymmetric) {
  for (const ToneTable* table : kTables) {
    for (size_t level = 0; level < pinwheel::kLevels; ++level) {
      const Level &row = (*table)[level], &mirrored = (*table)[255 - level];
      EXPECT_EQ(row.weights, mirrored.weights);
      for (size_t c = 0; c < pinwheel::kThresholdClasses; ++c) {
        EXPECT_EQ(row.lower[c] + mirrored.upper[c], 4096);
      }
    }
  }
}

TEST(PinwheelTables, ErrorsThatMeetFitSixteenBits) {
  // 5632 each at most; noise and borders bring it to 5 at most, which tests of kernels hold.
  const Mask mask = pinwheel::blue_noise_mask();
  for (uint32_t block = 2; block <= 64; ++block) {
    const PinwheelModel model(block, mask, 1);
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
    const PinwheelLook seen = look(model, constant_tone(tone), table[level]);
    sum.fine += seen.fine / kGreys;
    sum.coarse += seen.coarse / kGreys;
    sum.bias += std::abs(seen.mean_bias) / kGreys;
  }
  return sum;
}

/// What the trained table may at most have of the untrained one's texture.
struct Margin {
  uint32_t block;
  double fine, coarse;
  double bias;  ///< at most, in 255ths
};

// Measured on plates of the program, untrained and trained, fine, coarse and bias: 8: 7.31 2.41
// 0.49, 4.03 1.08 0.16; 14: 5.99 3.35 0.20, 3.60 0.90 0.06; 16: 5.67 3.22 0.12, 3.50 0.84 0.05;
// 32: 4.49 2.44 0.04, 2.89 0.68 0.03.
TEST(PinwheelTables, AreBetterThanNoTraining) {
  constexpr Margin kMargins[] = {{8, 0.62, 0.52, 0.16},
                                 {14, 0.65, 0.30, 0.07},
                                 {16, 0.66, 0.30, 0.06},
                                 {32, 0.74, 0.35, 0.03}};
  for (const Margin& margin : kMargins) {
    const PinwheelModel model(margin.block, pinwheel::blue_noise_mask(), 4711);
    const Quality before = quality(model, untrained_table());
    const Quality after = quality(model, pinwheel::tone_table(margin.block));
    EXPECT_LT(after.fine, margin.fine * before.fine) << margin.block;
    EXPECT_LT(after.coarse, margin.coarse * before.coarse) << margin.block;
    EXPECT_LT(after.bias, margin.bias) << margin.block;
  }
}

// Plain Floyd-Steinberg in raster order has 2.59 and 0.61 by the same measure.
TEST(PinwheelTables, ComeNearFloydSteinberg) {
  const PinwheelModel model(16, pinwheel::blue_noise_mask(), 4711);
  const Quality after = quality(model, pinwheel::tone_table(16));
  EXPECT_LT(after.fine, 1.4 * 2.59);
  EXPECT_LT(after.coarse, 1.45 * 0.61);
  EXPECT_LT(after.bias, 0.05);
}

TEST(PinwheelModel, LosesOnlyWhatInwardBlocksEndWith) {
  // Half a dot, at most, in every two blocks.
  for (const uint32_t block : {4U, 5U, 8U, 16U}) {
    const PinwheelModel model(block, pinwheel::blue_noise_mask(), 3);
    double worst = 0;
    for (int tone = 0; tone <= 4096; tone += 61) {
      const PinwheelLook seen = look(model, constant_tone(tone), untrained_row());
      worst = std::max(worst, std::abs(seen.mean_bias));
      EXPECT_LE(seen.largest_error, 4096);
    }
    EXPECT_LE(worst, 255 * 0.75 / (2.0 * block * block)) << block;
    EXPECT_GT(worst, 255 * 0.25 / (2.0 * block * block)) << block;
  }
}

}  // namespace
}  // namespace mezzo::train
