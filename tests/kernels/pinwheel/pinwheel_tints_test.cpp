// Flat tints of pinwheel diffusion as they must be: no period, no bias, and no dot on paper.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/pinwheel/pinwheel.h"
#include "kernels/pinwheel/tables/tables.h"
#include "kernels/quality/periods.h"
#include "tests/kernels/planes.h"
#include "tests/support/effort.h"

namespace mezzo::test::pinwheel_tints_test {
namespace {

constexpr uint32_t kSide = 1024;
constexpr int kTints = 40;

pinwheel::Settings trained(uint32_t block) {
  return {.size = block,
          .tables = std::make_shared<const pinwheel::Tables>(pinwheel::tone_table(block))};
}

/// A plane of one sample.
void fill_flat(SamplePlane& plane, uint32_t sample) {
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (uint32_t x = 0; x < plane.band.width_px; ++x) plane.set(x, y, sample);
  }
}

double mean_ink(const BitBand& bits, uint32_t margin) {
  uint64_t dots = 0;
  for (uint32_t y = margin; y < bits.rows - margin; ++y) {
    for (uint32_t x = margin; x < bits.width_px - margin; ++x) dots += bits.ink(x, y);
  }
  const double side = bits.rows - 2.0 * margin;
  return static_cast<double>(dots) / (side * side);
}

/// Small blocks have a weak period in some light and dark tints.
struct Case {
  uint32_t block;
  int step;           ///< from tint to tint, to save time
  double most_ratio;  ///< of a line; 1: there may be none
  double most_bias;   ///< of 255
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.block;
}

class PinwheelTints : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Blocks,
                         PinwheelTints,
                         ::testing::Values(Case{8, 3, 2.5, 0.04},
                                           Case{16, 1, 1, 0.03},
                                           Case{32, 3, 1, 0.03}),
                         [](const auto& test) { return std::to_string(test.param.block); });

/// A line is a peak that noise has in one of 1000 fields, at most.
TEST_P(PinwheelTints, HaveNoPeriodAndNoBias) {
  const auto halftoner = pinwheel::make_simd(trained(GetParam().block));
  const ToneCurve curve(4095, Polarity::kMaxIsInk);
  SamplePlane in(kSide, kSide, 2);
  BitPlane out(kSide, kSide);
  for (int i = 1; i <= kTints; i += GetParam().step * effort::choose(4, 1)) {
    const auto sample = static_cast<uint32_t>(std::lround(4095.0 * i / (kTints + 1)));
    SCOPED_TRACE("sample " + std::to_string(sample));
    fill_flat(in, sample);
    run_whole(*halftoner, in.band, curve, out.band);
    for (const auto& line : quality::find_periods(out.band, {.shortest_px = 4}).lines) {
      EXPECT_LT(line.ratio, GetParam().most_ratio)
          << line.period_px() << " px at " << line.angle_degrees() << " degrees";
    }
    const double bias = 255 * (mean_ink(out.band, 64) - curve[sample] / 4096.0);
    EXPECT_LT(std::abs(bias), GetParam().most_bias);
  }
}

/// Tints with islands of paper and of solid; the lowest tone that prints lies beside paper as well.
void fill_islands(SamplePlane& plane, std::mt19937& random) {
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (uint32_t x = 0; x < plane.band.width_px; ++x) {
      const uint32_t island = (x / 29 + y / 17) % 4;
      plane.set(x, y, island == 0 ? 0 : island == 1 ? 255 : static_cast<uint32_t>(random() % 256));
    }
  }
}

TEST(PinwheelPaper, HasNoDotsAndSolidHasNoHoles) {
  std::mt19937 random(8);
  const ToneCurve curve(255, Polarity::kMaxIsInk);
  SamplePlane in(331, 203, 1);
  fill_islands(in, random);
  for (uint32_t block = 2; block <= 64; ++block) {
    for (const pinwheel::Path path : {pinwheel::Path::kSpiral, pinwheel::Path::kSerpentine}) {
      pinwheel::Settings settings = trained(block);
      settings.path = path;
      if (block % 3 == 0) settings.noise = {2048, 2048, 16384, 7};
      if (block % 4 == 0) {
        settings.tables =
            std::make_shared<const pinwheel::Tables>(pinwheel::floyd_steinberg_parameters());
      }
      BitPlane out(331, 203);
      for (const auto& halftoner :
           {pinwheel::make_scalar(settings), pinwheel::make_simd(settings)}) {
        run_whole(*halftoner, in.band, curve, out.band);
        int wrong = 0;
        for (uint32_t y = 0; y < 203; ++y) {
          for (uint32_t x = 0; x < 331; ++x) {
            const uint32_t sample = in.get(x, y);
            wrong += (sample == 0 && out.band.ink(x, y)) || (sample == 255 && !out.band.ink(x, y));
          }
        }
        ASSERT_EQ(wrong, 0) << "block " << block;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::pinwheel_tints_test
