// The pieces of the judge, each on a case with a known answer.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/quality/fft.h"
#include "kernels/quality/gaussian.h"
#include "kernels/quality/hvs.h"
#include "kernels/quality/seams.h"
#include "kernels/quality/spectrum.h"
#include "kernels/quality/window.h"
#include "kernels/quality/wsnr.h"
#include "tests/kernels/quality/drawn_pair.h"

namespace mezzo::test::pieces_test {
namespace {

using namespace quality;

TEST(Mirror, GoesBackAndForth) {
  std::vector<uint32_t> walk;
  for (int64_t i = -4; i < 7; ++i) walk.push_back(mirrored(i, 3));
  EXPECT_EQ(walk, (std::vector<uint32_t>{0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2}));
  EXPECT_EQ(mirrored(-12, 1), 0U);
}

TEST(GaussianWeights, SumToOneAndFallAsTheyShould) {
  const Gaussian gaussian(1.5, 6);
  double sum = gaussian[0];
  for (uint32_t k = 1; k <= 6; ++k) sum += 2 * gaussian[k];
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_NEAR(gaussian[3] / gaussian[0], std::exp(-2.0), 1e-15);
  EXPECT_NEAR(gaussian.weight_inside(0, 100), (1 + gaussian[0]) / 2, 1e-15);
  EXPECT_NEAR(gaussian.weight_inside(50, 100), 1, 1e-15);
}

TEST(Blur, OfADotIsTheKernel) {
  Patch in;
  in.resize(13, 11);
  for (uint32_t y = 0; y < 11; ++y) std::fill_n(in.row(y), 13, 0.0);
  in.row(4)[7] = 1;
  Patch scratch;
  Patch out;
  const Gaussian gaussian(1, 3);
  blur(in.inner(0), gaussian, scratch, out);
  ASSERT_EQ(out.width_px(), 7U);
  ASSERT_EQ(out.rows(), 5U);
  EXPECT_DOUBLE_EQ(out.row(1)[4], gaussian[0] * gaussian[0]);  // (4, 7) without margins of 3
  EXPECT_DOUBLE_EQ(out.row(3)[5], gaussian[2] * gaussian[1]);
}

TEST(Fft, OfOddSizesIsTheDefinition) {
  Fft2d fft(3, 7);
  for (uint32_t i = 0; i < 21; ++i) fft.values()[i] = {std::sin(1.0 + i * i), std::cos(3.0 * i)};
  const auto values = fft.values();
  fft.forward();
  for (uint32_t u = 0; u < 7; ++u) {
    for (uint32_t v = 0; v < 3; ++v) {
      std::complex<double> sum = 0;
      for (uint32_t y = 0; y < 3; ++y) {
        for (uint32_t x = 0; x < 7; ++x) {
          sum += values[y * 7 + x] * std::polar(1.0, -2 * M_PI * (u * x / 7.0 + v * y / 3.0));
        }
      }
      EXPECT_LT(std::abs(fft.spectrum()[u * 3 + v] - sum), 1e-12);
    }
  }
  fft.inverse();
  for (uint32_t i = 0; i < 21; ++i) EXPECT_LT(std::abs(fft.values()[i] - 21.0 * values[i]), 1e-12);
}

TEST(Fft, FastSizesHaveSmallFactors) {
  EXPECT_EQ(fast_fft_size(1), 1U);
  EXPECT_EQ(fast_fft_size(7), 8U);
  EXPECT_EQ(fast_fft_size(302), 320U);
  EXPECT_EQ(fast_fft_size(558), 576U);
}

TEST(Eye, RadiusGoesWithDistance) {
  EXPECT_EQ(eye_radius({300, 3500.0 / 300}), 23U);
  EXPECT_EQ(eye_radius({600, 3500.0 / 300}), 46U);
  EXPECT_EQ(eye_radius({72, 2}), 1U);
}

TEST(Eye, SpreadIsRoundAndSumsToOne) {
  const auto spread = eye_spread({300, 3500.0 / 300});
  ASSERT_EQ(spread.size(), 47U * 47U);
  EXPECT_NEAR(std::accumulate(spread.begin(), spread.end(), 0.0), 1, 1e-14);
  EXPECT_EQ(spread[0], 0);  // the corner is further than R + 1
  // Half as high at 0.766 k / (2 pi) = 1.44 px, k = (3500 pi / 180) / (0.525 ln 11 + 3.91).
  const double k = 3500 * M_PI / 180 / (0.525 * std::log(11) + 3.91);
  const size_t centre = 23 * 47 + 23;
  EXPECT_NEAR(
      spread[centre + 1] / spread[centre], std::pow(1 + std::pow(2 * M_PI / k, 2), -1.5), 1e-12);
}

TEST(Sensitivity, IsLowestOnDiagonals) {
  EXPECT_DOUBLE_EQ(contrast_sensitivity(0, 0), 0.9809);
  EXPECT_DOUBLE_EQ(contrast_sensitivity(0.2, 0), contrast_sensitivity(0, -0.2));
  EXPECT_LT(contrast_sensitivity(0.2 / std::sqrt(2), 0.2 / std::sqrt(2)),
            contrast_sensitivity(0.2, 0));
  // 24 cycles a degree: 2.6 (0.0192 + 2.736) exp(-2.736^1.1).
  EXPECT_NEAR(contrast_sensitivity(0.2, 0), 2.6 * 2.7552 * std::exp(-std::pow(2.736, 1.1)), 1e-12);
}

TEST(Spectrum, OfACheckerboardIsItsCorner) {
  std::vector<uint8_t> board;
  for (uint32_t i = 0; i < 65536; ++i) board.push_back((i / 256 + i % 256) % 2 == 0 ? 1 : 0);
  const auto rings = mean_spectrum({&board});
  ASSERT_EQ(rings.size(), 181U);
  for (uint32_t r = 0; r < 180; ++r) EXPECT_EQ(rings[r].power, 0) << r + 1;
  // All of the power, 256^2 x g (1 - g), at one frequency, which is alone in its ring.
  EXPECT_NEAR(rings[180].power, 65536, 1e-6);
  EXPECT_TRUE(std::isnan(rings[180].anisotropy_db));
}

TEST(Spectrum, OfWhiteNoiseIsOne) {
  std::vector<std::vector<uint8_t>> tiles(16);
  std::vector<const std::vector<uint8_t>*> pointers;
  for (uint32_t t = 0; t < 16; ++t) {
    for (uint32_t i = 0; i < 65536; ++i) tiles[t].push_back(noise(i, t) % 4 == 0 ? 1 : 0);
    pointers.push_back(&tiles[t]);
  }
  double sum = 0;
  double anisotropy = 0;
  const auto rings = mean_spectrum(pointers);
  for (uint32_t r = 20; r < 128; ++r) {
    sum += rings[r].power / 108;
    anisotropy += rings[r].anisotropy_db / 108;
  }
  EXPECT_NEAR(sum, 1, 0.01);
  EXPECT_NEAR(anisotropy, -10 * std::log10(16), 0.3);
}

/// Row powers of noise, 1 on average.
std::vector<double> noisy_rows(uint32_t count) {
  std::vector<double> rows;
  for (uint32_t y = 0; y < count; ++y) rows.push_back(0.8 + 0.4 * noise(y, 7) / 4294967296.0);
  return rows;
}

TEST(Seams, AreFoundWhereverTheyBegin) {
  SoloTeam solo;
  for (const uint32_t first : {0U, 13U, 63U}) {
    auto rows = noisy_rows(1500);
    for (uint32_t y = first; y < 1500; y += 64) rows[y] *= 2;
    const Seam seam = find_seam(rows, solo);
    EXPECT_EQ(seam.period_px, 64U) << "from " << first;
    EXPECT_NEAR(seam.ratio, 1.8, 0.25);
  }
}

TEST(Seams, OfNoiseBlankAndShortPagesThereAreNone) {
  SoloTeam solo;
  EXPECT_EQ(find_seam(noisy_rows(3000), solo).period_px, 0U);
  EXPECT_EQ(find_seam(std::vector<double>(700, 0.0), solo).period_px, 0U);
  EXPECT_EQ(find_seam({5}, solo).period_px, 0U);
}

TEST(Seams, EdgesThatDoNotReturnAreNone) {
  SoloTeam solo;
  auto rows = noisy_rows(2000);
  for (uint32_t i = 0; i < 300; ++i) rows[noise(i, 99) % 2000] *= 20;
  EXPECT_EQ(find_seam(rows, solo).period_px, 0U);
}

}  // namespace
}  // namespace mezzo::test::pieces_test
