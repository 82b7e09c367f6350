// Pages whose metrics can be worked out by hand, and the promises of judge().

#include "kernels/quality/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/quality/hvs.h"
#include "tests/kernels/quality/drawn_pair.h"
#include "tests/support/thread_team.h"

namespace mezzo::test::judge_test {
namespace {

using quality::Report;
using quality::Viewing;

Report judged(DrawnPair drawn, const Viewing& viewing = {300, 3500.0 / 300}) {
  SoloTeam solo;
  return quality::judge(drawn.pair(), viewing, solo);
}

TEST(Judge, PerfectPageHasNoError) {
  const auto half = [](uint32_t x, uint32_t) { return x < 60 ? 1U : 0U; };
  const Report report = judged({130, 90, 1, half, half});
  EXPECT_NEAR(report.hvs_rms, 0, 1e-12);
  EXPECT_NEAR(report.gaussian_rms_1_5, 0, 1e-12);
  EXPECT_NEAR(report.gaussian_rms_3, 0, 1e-12);
  EXPECT_EQ(report.tone_error_max, 0);
  EXPECT_TRUE(std::isinf(report.hpsnr_db) && report.hpsnr_db > 0);
  EXPECT_TRUE(std::isinf(report.wsnr_db) && report.wsnr_db > 0);
  EXPECT_DOUBLE_EQ(report.ssim, 1);
  EXPECT_EQ(report.seam_row_period, 0U);
  EXPECT_EQ(report.seam_row_ratio, 1);
}

TEST(Judge, SolidHalftoneOfAConstantIsAConstantError) {
  // e = 1 - 0.6 everywhere: every filter that sums to 1 leaves it as it is.
  const Report report = judged({200, 120, 10, constant(6), constant(1)});
  EXPECT_NEAR(report.gaussian_rms_1_5, 255 * 0.4, 1e-9);
  EXPECT_NEAR(report.gaussian_rms_3, 255 * 0.4, 1e-9);
  EXPECT_NEAR(report.hvs_rms, 255 * 0.4, 1e-9);
  EXPECT_NEAR(report.average_error, 255 * 0.4, 1e-9);
  EXPECT_NEAR(report.hpsnr_db, -20 * std::log10(0.4), 1e-9);
  // C(0) = 0.9809; the signal is (1 - 0.6)^2.
  EXPECT_NEAR(report.wsnr_db, -20 * std::log10(0.9809), 1e-9);
  EXPECT_NEAR(report.startup_tone_error, 255 * 0.4, 1e-9);
  // Light 0.4 against 0, no structure: (2 mu_a mu_b + C1) / (mu_a^2 + mu_b^2 + C1).
  EXPECT_NEAR(report.ssim, 1e-4 / (0.16 + 1e-4), 1e-9);
  ASSERT_EQ(report.tones.size(), 1U);
  EXPECT_EQ(report.tones[0].level, 153U);
  EXPECT_EQ(report.tones[0].pixels, 24'000U);
  EXPECT_DOUBLE_EQ(report.tones[0].asked, 0.6);
  EXPECT_DOUBLE_EQ(report.tones[0].got, 1);
  EXPECT_NEAR(report.tone_error_mean, 255 * 0.4, 1e-9);
}

TEST(Judge, OneDotIsThePointSpread) {
  const auto dot = [](uint32_t x, uint32_t y) { return x == 60 && y == 70 ? 1U : 0U; };
  const Viewing viewing{300, 3500.0 / 300};
  const Report report = judged({121, 131, 255, constant(0), dot}, viewing);
  double eye = 0;
  for (const double p : quality::eye_spread(viewing)) eye += p * p;
  const double inside = (121 - 46) * (131 - 46);
  EXPECT_NEAR(report.hvs_rms * report.hvs_rms / (255 * 255) * inside, eye, 1e-12);
  // Blurred by sigma s, a dot has the energy of 1 / (4 pi s^2), all but cutting and sampling.
  const double energy = report.gaussian_rms_3 * report.gaussian_rms_3 / (255 * 255) * 121 * 131;
  EXPECT_NEAR(energy, 1 / (4 * M_PI * 9), 1e-3 * energy);
  EXPECT_NEAR(report.average_error, 255.0 / (121 * 131), 1e-12);
  EXPECT_EQ(report.dots, 1U);
  EXPECT_EQ(report.isolated_dots, 1U);
  EXPECT_EQ(report.isolated_holes, 0U);
}

TEST(Judge, NeighboursOutsideThePageDoNotCount) {
  // A dot in the corner, a pair on the border between two tiles, and one hole in solid.
  const auto bits = [](uint32_t x, uint32_t y) {
    if (x == 0 && y == 0) return 1U;
    if (y == 30 && (x == 511 || x == 512)) return 1U;
    return x >= 600 && !(x == 699 && y == 20) ? 1U : 0U;
  };
  const Report report = judged({700, 60, 255, constant(0), bits});
  EXPECT_EQ(report.isolated_dots, 1U);
  EXPECT_EQ(report.isolated_holes, 1U);
}

TEST(Judge, TooSmallAPageIsNotANumber) {
  const Report report = judged({40, 10, 255, constant(100), constant(0)});
  EXPECT_TRUE(std::isnan(report.hvs_rms));
  EXPECT_TRUE(std::isnan(report.interior_rms));
  EXPECT_TRUE(std::isnan(report.tone_error_mean));
  EXPECT_TRUE(report.spectrum.empty());
  EXPECT_NEAR(report.gaussian_rms_3, 100, 1e-9);
}

TEST(Judge, StartUpIsItsFirstRows) {
  const auto bits = [](uint32_t, uint32_t y) { return y < 16 ? 1U : 0U; };
  const Report report = judged({300, 200, 255, constant(0), bits});
  EXPECT_DOUBLE_EQ(report.startup_tone_error, 255);
  EXPECT_GT(report.startup_rms, 5 * report.interior_rms);
}

TEST(Judge, DeepSamplesGoToTheNearestLevel) {
  const auto ink = [](uint32_t x, uint32_t) { return x % 2 == 0 ? 128U : 129U; };
  const Report report = judged({64, 64, 65535, ink, constant(0)});
  ASSERT_EQ(report.tones.size(), 2U);  // 257 a level, and its half lies between the two
  EXPECT_EQ(report.tones[0].level, 0U);
  EXPECT_EQ(report.tones[1].level, 1U);
}

TEST(Judge, FindsThePeriodOfATintAndTheBeatOfAPage) {
  const auto bits = [](uint32_t x, uint32_t y) {
    const double wave = std::cos(2 * M_PI * x / 12.5) + std::cos(2 * M_PI * x / 96);
    return noise(x, y) / 4294967296.0 < 0.5 + 0.1 * wave ? 1U : 0U;
  };
  const Report report = judged({1100, 600, 2, constant(1), bits});
  EXPECT_EQ(report.periods.tiles, 8U);
  ASSERT_EQ(report.periods.lines.size(), 2U);
  const auto [longer, shorter] = std::pair(report.periods.lines[0], report.periods.lines[1]);
  EXPECT_NEAR(std::min(longer.period_px(), shorter.period_px()), 12.5, 0.1);
  ASSERT_EQ(report.moire.lines.size(), 1U);
  EXPECT_NEAR(report.moire.lines[0].period_px(), 96, 2);
  EXPECT_NEAR(report.moire.lines[0].amplitude, 0.1, 0.02);
  // What the page asks for is no beat.
  const auto ink = [](uint32_t x, uint32_t) {
    return static_cast<uint32_t>(std::lround(50 + 20 * std::cos(2 * M_PI * x / 96)));
  };
  const auto dots = [&](uint32_t x, uint32_t y) { return noise(x, y) % 100 < ink(x, y) ? 1U : 0U; };
  EXPECT_TRUE(judged({1100, 600, 100, ink, dots}).moire.lines.empty());
}

/// Every bit of the report's numbers.
std::vector<uint64_t> all_bits(const Report& r) {
  std::vector<uint64_t> all;
  for (const double value : {r.contone_coverage,
                             r.ink_coverage,
                             r.hvs_rms,
                             r.gaussian_rms_1_5,
                             r.gaussian_rms_3,
                             r.average_error,
                             r.hpsnr_db,
                             r.wsnr_db,
                             r.ssim,
                             r.tone_error_mean,
                             r.tone_error_max,
                             r.startup_rms,
                             r.interior_rms,
                             r.startup_tone_error,
                             r.seam_row_ratio,
                             r.seam_column_ratio}) {
    all.push_back(std::bit_cast<uint64_t>(value));
  }
  for (const uint64_t value : {r.dots, r.isolated_dots, r.isolated_holes}) all.push_back(value);
  for (const Report::Ring& ring : r.spectrum) all.push_back(std::bit_cast<uint64_t>(ring.power));
  return all;
}

TEST(Judge, ThreadsDoNotChangeABit) {
  const auto ink = [](uint32_t x, uint32_t y) { return 90 + (x / 300 + y / 400) * 20; };
  const auto bits = [&](uint32_t x, uint32_t y) { return noise(x, y) % 255 < ink(x, y) ? 1U : 0U; };
  DrawnPair drawn(1700, 1100, 255, ink, bits);
  SoloTeam solo;
  const auto expected = all_bits(quality::judge(drawn.pair(), {}, solo));
  for (const uint32_t size : {2U, 3U, 7U}) {
    ThreadTeam team(size);
    EXPECT_EQ(all_bits(quality::judge(drawn.pair(), {}, team)), expected) << size << " threads";
  }
}

/// A slow ramp of ink, and its error diffusion (Floyd and Steinberg) that forgets all errors every
/// `band_rows` rows, as bands do that hand nothing on.
class ForgetfulDiffusion {
 public:
  static constexpr uint32_t kSide = 900;

  explicit ForgetfulDiffusion(uint32_t band_rows) : bits_(kSide * kSide) {
    std::vector<double> here(kSide + 2);
    std::vector<double> below(kSide + 2);
    for (uint32_t y = 0; y < kSide; ++y) {
      if (y % band_rows == 0) std::fill(here.begin(), here.end(), 0.0);
      std::fill(below.begin(), below.end(), 0.0);
      for (uint32_t x = 0; x < kSide; ++x) {
        const double wanted = ink(x, y) / 255.0 + here[x + 1];
        bits_[y * kSide + x] = wanted > 0.5 ? 1 : 0;
        const double error = wanted - bits_[y * kSide + x];
        here[x + 2] += error * 7 / 16;
        below[x] += error * 3 / 16;
        below[x + 1] += error * 5 / 16;
        below[x + 2] += error * 1 / 16;
      }
      std::swap(here, below);
    }
  }

  /// `turned` swaps rows and columns.
  Report judge(bool turned) const {
    const auto got = [this](uint32_t x, uint32_t y) { return uint32_t{bits_[y * kSide + x]}; };
    const auto flip = [](auto pixel) {
      return [=](uint32_t x, uint32_t y) { return pixel(y, x); };
    };
    return turned ? judged({kSide, kSide, 255, flip(ink), flip(got)})
                  : judged({kSide, kSide, 255, ink, got});
  }

 private:
  static uint32_t ink(uint32_t x, uint32_t y) { return 40 + (x + y) / 16; }

  std::vector<uint8_t> bits_;
};

TEST(Judge, FindsTheSeamsOfBands) {
  const ForgetfulDiffusion bands(64);
  const Report rows = bands.judge(false);
  EXPECT_EQ(rows.seam_row_period, 64U);
  EXPECT_GT(rows.seam_row_ratio, 1.25);
  EXPECT_EQ(rows.seam_column_period, 0U);
  const Report columns = bands.judge(true);
  EXPECT_EQ(columns.seam_column_period, 64U);
  EXPECT_EQ(columns.seam_row_period, 0U);
}

TEST(Judge, FindsNoSeamInPlainErrorDiffusion) {
  const Report report = ForgetfulDiffusion(ForgetfulDiffusion::kSide).judge(false);
  EXPECT_EQ(report.seam_row_period, 0U);
  EXPECT_EQ(report.seam_column_period, 0U);
}

}  // namespace
}  // namespace mezzo::test::judge_test
