// Screens that beat with each other and with their page, at the periods that their pitches say.

#include "kernels/quality/moire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/kernels/quality/drawn_pair.h"

namespace mezzo::test::moire_test {
namespace {

using quality::FarField;
using quality::Periods;

/// A wave of `period` px that runs at an angle, -1 .. 1.
struct Wave {
  double period, degrees;
  double at(uint32_t x, uint32_t y) const {
    const double angle = degrees * M_PI / 180;
    return std::cos(2 * M_PI * (x * std::cos(angle) - y * std::sin(angle)) / period);
  }
};

/// A screen of lines and of lines across them: its dots, of the tone `ink`.
struct Screen {
  Wave one, other;
  Screen(double period, double degrees) : one{period, degrees}, other{period, degrees + 90} {}
  double error(uint32_t x, uint32_t y, double ink) const {
    // The values of the sum of two waves lie evenly enough.
    const double value = 0.5 + (one.at(x, y) + other.at(x, y)) / 4;
    return (value < ink ? 1 : 0) - ink;
  }
};

template <typename Value>
Periods moire_of(uint32_t width_px, uint32_t height_px, const Value& value) {
  FarField field(width_px, height_px);
  std::vector<double> row(width_px);
  for (uint32_t y = 0; y < height_px; ++y) {
    for (uint32_t x = 0; x < width_px; ++x) row[x] = value(x, y);
    field.add_row(row);
  }
  return field.find_moire();
}

TEST(Moire, ALongWaveKeepsItsSwing) {
  const Wave wave{75, 30};
  const Periods found = moire_of(900, 1100, [&](uint32_t x, uint32_t y) {
    return 0.2 * wave.at(x, y) + noise(x, y) / 4294967296.0;
  });
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_NEAR(found.lines[0].period_px(), 75, 1);
  EXPECT_NEAR(found.lines[0].angle_degrees(), 30, 1);
  EXPECT_NEAR(found.lines[0].amplitude, 0.2, 0.01);
}

TEST(Moire, ShortWavesDoNotShow) {
  for (const double period : {4.1, 7.3, 9.6, 14.0, 3.97}) {
    const Wave wave{period, 17};
    const Periods found = moire_of(1100, 1100, [&](uint32_t x, uint32_t y) {
      return wave.at(x, y) + noise(x, y) / 4294967296.0 / 4;
    });
    EXPECT_TRUE(found.lines.empty()) << period;
  }
}

TEST(Moire, TwoScreensOfNearlyOnePitchBeat) {
  const Screen black(9, 45), cyan(9.6, 45), apart(9, 15);
  const auto both = [&](const Screen& other) {
    return moire_of(1200, 1200, [&](uint32_t x, uint32_t y) {
      return black.error(x, y, 0.3) * other.error(x, y, 0.4);
    });
  };
  const Periods found = both(cyan);
  ASSERT_GE(found.lines.size(), 1U);
  EXPECT_NEAR(found.lines[0].frequency(), 1 / 9.0 - 1 / 9.6, 2e-4);
  EXPECT_NEAR(std::remainder(found.lines[0].angle_degrees() - 45, 90), 0, 2);
  EXPECT_GT(found.lines[0].amplitude, 0.02);
  // 30 degrees apart the difference is half of the pitch: the rosette, of 17 px.
  for (const auto& line : both(apart).lines) EXPECT_LT(line.amplitude, 0.005);
}

TEST(Moire, AScreenBeatsWithTheWeaveOfItsPage) {
  const Screen screen(8, 0);
  const Wave weave{8.8, 0};
  const auto against = [&](const Wave& page) {
    return moire_of(1200, 1200, [&](uint32_t x, uint32_t y) {
      return screen.error(x, y, 0.25 + 0.2 * page.at(x, y));
    });
  };
  const Periods found = against(weave);
  ASSERT_GE(found.lines.size(), 1U);
  EXPECT_NEAR(found.lines[0].frequency(), 1 / 8.0 - 1 / 8.8, 2e-4);
  EXPECT_NEAR(std::remainder(found.lines[0].angle_degrees(), 180), 0, 1);
  // Without a screen there is nothing to beat with.
  const Periods noisy = moire_of(1200, 1200, [&](uint32_t x, uint32_t y) {
    const double ink = 0.25 + 0.2 * weave.at(x, y);
    return (noise(x, y) / 4294967296.0 < ink ? 1 : 0) - ink;
  });
  EXPECT_TRUE(noisy.lines.empty());
}

TEST(Moire, SmallPagesHaveNoTile) {
  EXPECT_EQ(moire_of(20, 300, [](uint32_t, uint32_t) { return 1.0; }).tiles, 0U);
  EXPECT_EQ(moire_of(276, 300, [](uint32_t x, uint32_t y) { return noise(x, y) * 1e-9; }).tiles,
            1U);
}

}  // namespace
}  // namespace mezzo::test::moire_test
