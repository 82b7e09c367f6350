#include "kernels/proof/nominal_tone.h"

#include <gtest/gtest.h>

namespace mezzo::proof::nominal_tone_test {
namespace {

TEST(NominalTone, UndoesCurves) {
  for (const ToneSettings& settings : {ToneSettings{},
                                       ToneSettings{.gamma = 1.8},
                                       ToneSettings{.gamma = 0.6},
                                       ToneSettings{.points = {{0, 0}, {50, 36}, {100, 100}}}}) {
    const ToneCurve curve(65535, Polarity::kMaxIsInk, settings);
    const NominalTone nominal(settings);
    EXPECT_EQ(nominal(0), 0);
    EXPECT_EQ(nominal(1), 65535);
    for (uint32_t sample = 6000; sample <= 65535; sample += 97) {
      EXPECT_NEAR(nominal(curve[sample] / 4096.0), sample, 65535 * 0.002) << settings.gamma;
    }
  }
}

TEST(NominalTone, LeavesTheInversionOfThePage) {
  const NominalTone nominal({.invert = true, .gamma = 1});
  EXPECT_NEAR(nominal(0.25), 16384, 10);
}

TEST(NominalTone, GoesStraightOverCoveragesThatNoToneHas) {
  const NominalTone nominal({.points = {{0, 20}, {100, 80}}});
  EXPECT_EQ(nominal(0), 0);
  EXPECT_NEAR(nominal(0.5), 32768, 10);
  EXPECT_EQ(nominal(1), 65535);
}

}  // namespace
}  // namespace mezzo::proof::nominal_tone_test
