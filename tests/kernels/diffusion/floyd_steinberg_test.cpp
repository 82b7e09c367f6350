// Floyd-Steinberg against an oracle, naive and in other arithmetic, since tests of parity cannot
// see a mistake that all schedules share.

#include "kernels/diffusion/rules/floyd_steinberg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/kernels/planes.h"

namespace mezzo::test::floyd_steinberg_test {
namespace {

/// The tone with the ink's texture, by the definition in ink_texture.h.
double textured(double tone, uint32_t texture, int x, int y) {
  if (texture == 0) return tone;
  const double m = std::abs(tone - 2048);
  const double peak = std::max({0.0, 1024 - 8 * m, 1024 - 16 * std::abs(m - 1024)});
  const double amplitude = std::min({256 + peak, tone, 4096 - tone});
  const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
  const uint32_t offset = mix_bits(row_noise(texture, 0, uy / 64) ^ (ux / 64));
  const uint32_t tile_x = (offset % 16 * 4 + ux % 64) % 64, tile_y = (uy + offset / 16) % 64;
  const double value = kTextureTile[tile_y * kTextureStride + tile_x];
  return tone + std::floor((value * amplitude + 16384) / 32768);
}

/// Floyd-Steinberg as the definition reads: a table of all errors, floor division, no trick.
std::vector<bool> naive_floyd_steinberg(const SamplePlane& in) {
  const int width = static_cast<int>(in.band.width_px), rows = static_cast<int>(in.band.rows);
  std::vector<double> errors(static_cast<size_t>(width) * static_cast<size_t>(rows));
  std::vector<bool> ink(errors.size());
  const auto at = [&](int x, int y) {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  };
  const auto error = [&](int x, int y) {
    return x < 0 || x >= width || y < 0 ? 0.0 : errors[at(x, y)];
  };
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < width; ++x) {
      const uint32_t sample = in.get(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      const double tone = std::round((255.0 - sample) / 255.0 * 4096.0);
      const double collected =
          7 * error(x - 1, y) + error(x - 1, y - 1) + 5 * error(x, y - 1) + 3 * error(x + 1, y - 1);
      const double s = textured(tone, in.band.texture, x, y) + std::floor((collected + 8) / 16);
      ink[at(x, y)] = s >= 2048;
      errors[at(x, y)] = s - (s >= 2048 ? 4096 : 0);
    }
  }
  return ink;
}

TEST(FloydSteinberg, IsItsDefinition) {
  for (const Fill kind : {Fill::kNoise, Fill::kRamp, Fill::kExtremes, Fill::kMidtone}) {
    SamplePlane in(123, 61, 1);
    fill(in, kind, 255, 5);
    if (kind == Fill::kRamp) in.band.texture = texture_of_ink("cyan");
    BitPlane out(123, 61);
    run_whole(*make_reference(complete({.method = "floyd-steinberg"})),
              in.band,
              ToneCurve(255, Polarity::kMaxIsPaper),
              out.band);
    const std::vector<bool> expected = naive_floyd_steinberg(in);
    for (uint32_t y = 0; y < 61; ++y) {
      for (uint32_t x = 0; x < 123; ++x) {
        ASSERT_EQ(out.band.ink(x, y), expected[y * 123 + x]) << x << " " << y;
      }
    }
  }
}

TEST(FloydSteinberg, ByHand) {
  // A 50 % grey of 4 x 2: tone 2056 (v 128). Row 0: s = 2056 ink, e -2040; then 2056 +
  // ((7 * -2040 + 8) >> 4) = 1164, no ink; 2056 + ((7 * 1164 + 8) >> 4) = 2565, ink, e -1531;
  // 2056 + ((7 * -1531 + 8) >> 4) = 1386, none.
  SamplePlane in(4, 1, 1);
  for (uint32_t x = 0; x < 4; ++x) in.set(x, 0, 127);
  BitPlane out(4, 1);
  run_whole(
      *make_reference(complete({})), in.band, ToneCurve(255, Polarity::kMaxIsPaper), out.band);
  EXPECT_EQ(out.band.row(0)[0], 0b1010'0000);
}

TEST(FloydSteinberg, ErrorsStayInBoundsAtTheExtremes) {
  for (const int error : {-2048, 2047}) {
    for (int tone = 0; tone <= 4096; ++tone) {
      const diffusion::fs::Decision d = diffusion::fs::decide(tone, error, error, error, error);
      ASSERT_GE(d.error, -2048) << tone;
      ASSERT_LE(d.error, 2047) << tone;
      // The low 12 bits of s, sign-extended, are the error.
      const int s = d.error + (d.ink ? 4096 : 0);
      ASSERT_EQ(((s & 0xFFF) ^ 0x800) - 0x800, d.error) << tone;
    }
  }
}

TEST(FloydSteinberg, KeepsTheMeanOfAFlatTint) {
  for (const uint32_t sample : {10U, 64U, 127U, 200U, 250U}) {
    SamplePlane in(512, 512, 1);
    for (uint32_t y = 0; y < 512; ++y) {
      for (uint32_t x = 0; x < 512; ++x) in.set(x, y, sample);
    }
    BitPlane out(512, 512);
    run_whole(
        *make_reference(complete({})), in.band, ToneCurve(255, Polarity::kMaxIsPaper), out.band);
    double ink = 0;
    for (uint32_t y = 0; y < 512; ++y) {
      for (uint32_t x = 0; x < 512; ++x) ink += out.band.ink(x, y);
    }
    EXPECT_NEAR(ink / (512 * 512), (255.0 - sample) / 255, 0.004) << sample;
  }
}

}  // namespace
}  // namespace mezzo::test::floyd_steinberg_test
