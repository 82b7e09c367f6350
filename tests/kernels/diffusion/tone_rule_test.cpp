// Tone-dependent error diffusion: the table against its bounds, the bits against the definition
// written again, and what the method is for.

#include "kernels/diffusion/rules/tone_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::tone_rule_test {
namespace {

using diffusion::ToneEntry;
using diffusion::ToneRule;

TEST(ToneTable, IsInRangeAndSymmetric) {
  const ToneEntry* entries = diffusion::tone_dependent_entries();
  for (int level = 0; level < 256; ++level) {
    const ToneEntry &e = entries[level], &mirrored = entries[255 - level];
    EXPECT_LE(e.right + e.down_left + e.down, 4096) << level;
    EXPECT_LE(e.lower, e.upper) << level;
    EXPECT_LE(e.upper, 4096) << level;
    // Paper stays paper and solid stays solid.
    EXPECT_GE(e.lower, level == 0 ? 2048 : 1) << level;
    EXPECT_EQ(mirrored.right, e.right) << level;
    EXPECT_EQ(mirrored.down_left, e.down_left) << level;
    EXPECT_EQ(mirrored.down, e.down) << level;
    EXPECT_EQ(mirrored.lower, 4096 - e.upper) << level;
    EXPECT_EQ(mirrored.upper, 4096 - e.lower) << level;
  }
}

TEST(ToneTable, IsSmooth) {
  // A jump from a level to the next would draw a contour across a gradient.
  const ToneEntry* entries = diffusion::tone_dependent_entries();
  double sum = 0;
  for (int level = 8; level < 127; ++level) {
    sum += std::abs(entries[level + 1].right - entries[level].right) / 4096.0;
  }
  EXPECT_LT(sum / 119, 0.05);
}

TEST(ToneRule, HandsOnTheWholeError) {
  const ToneRule rule{diffusion::tone_dependent_entries(), 5};
  for (int tone = 0; tone <= 4096; ++tone) {
    for (const int error : {-diffusion::kMostError, -1, 0, 1, 1000, diffusion::kMostError}) {
      const diffusion::Shares s = rule.shares(error, tone);
      ASSERT_EQ(s.right + s.down_left + s.down + s.down_right, 4096 * error);
      for (const int share : {s.right, s.down_left, s.down, s.down_right}) {
        ASSERT_LE(std::abs(share), 4096 * std::abs(error));
        ASSERT_GE(share * (error < 0 ? -1 : 1), 0);
      }
    }
  }
}

TEST(ToneRule, ThresholdsLieBetweenTheTwo) {
  ToneEntry entries[256];
  std::ranges::fill(entries, ToneEntry{1792, 768, 1280, 1000, 3000});
  const ToneRule rule{entries, 1};
  int least = 4096, most = 0;
  for (uint32_t y = 0; y < 100; ++y) {
    for (uint32_t x = 0; x < 100; ++x) {
      const int threshold = rule.threshold(77, {x, y, 2});
      least = std::min(least, threshold);
      most = std::max(most, threshold);
    }
  }
  EXPECT_NEAR(least, 1000, 5);
  EXPECT_NEAR(most, 2999, 5);
}

/// MurmurHash3's finalizer in 64-bit arithmetic.
uint64_t naive_mix(uint64_t v) {
  v = (v ^ v / 65536) * 2246822507 % 4294967296;
  v = (v ^ v / 8192) * 3266489909 % 4294967296;
  return v ^ v / 65536;
}

/// The definition of tone_rule.h and rule.h, from samples where 255 is ink: each pixel fetches what
/// its neighbours' errors come to.
std::vector<bool> naive_bits(const SamplePlane& in, uint64_t seed) {
  const ToneEntry* entries = diffusion::tone_dependent_entries();
  const int64_t width = in.band.width_px, rows = in.band.rows;
  std::vector<int64_t> errors(static_cast<size_t>(width * rows));
  std::vector<bool> ink(errors.size());
  const auto index = [&](int64_t x, int64_t y) { return static_cast<size_t>(y * width + x); };
  const auto entry = [&](int64_t x, int64_t y) {
    return entries[in.get(static_cast<uint32_t>(x), static_cast<uint32_t>(y))];
  };
  enum Share { kRight, kDownLeft, kDown, kDownRight };
  const auto handed = [&](int64_t x, int64_t y, Share share) -> int64_t {
    if (x < 0 || x >= width || y < 0) return 0;
    const ToneEntry e = entry(x, y);
    const int64_t weights[] = {e.right, e.down_left, e.down, 4096 - e.right - e.down_left - e.down};
    return weights[share] * errors[index(x, y)];
  };
  constexpr uint64_t kGolden = 2654435769, k32 = 4294967296;
  for (int64_t y = 0; y < rows; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const int64_t v = in.get(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      const int64_t tone = (v * 4096 * 2 + 255) / 510;
      uint64_t noise = naive_mix((seed + kGolden) % k32) ^ in.band.plane;
      noise = naive_mix((noise + kGolden) % k32) ^ static_cast<uint64_t>(y);
      noise = naive_mix(naive_mix((noise + kGolden) % k32) ^ static_cast<uint64_t>(x));
      const ToneEntry e = entry(x, y);
      const int64_t threshold =
          e.lower + static_cast<int64_t>(noise % 32768) * (e.upper - e.lower) / 32768;
      const int64_t collected = handed(x - 1, y, kRight) + handed(x + 1, y - 1, kDownLeft) +
                                handed(x, y - 1, kDown) + handed(x - 1, y - 1, kDownRight);
      const auto s =
          tone + static_cast<int64_t>(std::floor(static_cast<double>(collected + 2048) / 4096));
      ink[index(x, y)] = s >= threshold;
      const int64_t error = s >= threshold ? s - 4096 : s;
      errors[index(x, y)] = std::min<int64_t>(4095, std::max<int64_t>(-4095, error));
    }
  }
  return ink;
}

std::unique_ptr<Halftoner> tone_dependent(double seed = 0) {
  return make_reference(complete({.method = "tone-dependent", .parameters = {{"seed", seed}}}));
}

TEST(ToneDependent, IsItsDefinition) {
  for (const double seed : {0.0, 4294967295.0}) {
    for (const Fill kind : {Fill::kNoise, Fill::kRamp, Fill::kExtremes, Fill::kMidtone}) {
      SamplePlane in(123, 61, 1);
      fill(in, kind, 255, 5);
      in.band.plane = 3;
      BitPlane out(123, 61);
      run_whole(*tone_dependent(seed), in.band, ToneCurve(255, Polarity::kMaxIsInk), out.band);
      const std::vector<bool> expected = naive_bits(in, static_cast<uint64_t>(seed));
      for (uint32_t y = 0; y < 61; ++y) {
        for (uint32_t x = 0; x < 123; ++x) {
          ASSERT_EQ(out.band.ink(x, y), expected[y * 123 + x]) << seed << " " << x << " " << y;
        }
      }
    }
  }
}

/// The part of inked pixels in rows first .. end of a flat tint of ink 0 .. 255.
double ink_part(const Halftoner& halftoner, uint32_t level, uint32_t first, uint32_t end) {
  constexpr uint32_t kWidth = 512;
  SamplePlane in(kWidth, end, 1);
  std::ranges::fill(in.bytes, static_cast<std::byte>(level));
  BitPlane out(kWidth, end);
  run_whole(halftoner, in.band, ToneCurve(255, Polarity::kMaxIsInk), out.band);
  uint32_t count = 0;
  for (uint32_t y = first; y < end; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) count += out.band.ink(x, y) ? 1U : 0U;
  }
  return count / (double{kWidth} * (end - first));
}

TEST(ToneDependent, KeepsTheMeanOfAFlatTint) {
  for (const uint32_t level : {1U, 5U, 43U, 64U, 85U, 127U, 128U, 170U, 212U, 250U}) {
    EXPECT_NEAR(ink_part(*tone_dependent(), level, 64, 512), level / 255.0, 0.001) << level;
  }
}

TEST(ToneDependent, StartsEvenlyAtTheTopOfAPage) {
  // Floyd-Steinberg hardly has a dot of a highlight in its first rows.
  const auto plain = make_reference(complete({.method = "floyd-steinberg"}));
  double shortage = 0, plain_shortage = 0;
  for (const uint32_t level : {3U, 4U, 6U, 9U, 12U, 16U, 20U, 25U}) {
    shortage += std::abs(1 - ink_part(*tone_dependent(), level, 0, 16) * 255 / level);
    plain_shortage += std::abs(1 - ink_part(*plain, level, 0, 16) * 255 / level);
  }
  EXPECT_LT(shortage, plain_shortage / 2);
}

/// The correlation of two planes of a flat tint, the margin above it left out.
double likeness(const Halftoner& halftoner, uint32_t level) {
  constexpr uint32_t kSide = 192, kMargin = 32;
  std::vector<bool> ink[2];
  for (const uint32_t plane : {0U, 1U}) {
    SamplePlane in(kSide, kMargin + kSide, 1);
    std::fill(in.bytes.begin() + kMargin * kSide, in.bytes.end(), static_cast<std::byte>(level));
    in.band.plane = plane;
    BitPlane out(kSide, kMargin + kSide);
    run_whole(halftoner, in.band, ToneCurve(255, Polarity::kMaxIsInk), out.band);
    for (uint32_t y = kMargin; y < kMargin + kSide; ++y) {
      for (uint32_t x = 0; x < kSide; ++x) ink[plane].push_back(out.band.ink(x, y));
    }
  }
  double first = 0, second = 0, both = 0;
  const auto pixels = static_cast<double>(ink[0].size());
  for (size_t i = 0; i < ink[0].size(); ++i) {
    first += ink[0][i] ? 1 / pixels : 0;
    second += ink[1][i] ? 1 / pixels : 0;
    both += ink[0][i] && ink[1][i] ? 1 / pixels : 0;
  }
  return (both - first * second) / std::sqrt(first * (1 - first) * second * (1 - second));
}

TEST(ToneDependent, LaysTheDotsOfTwoInksApart) {
  const auto halftoner = tone_dependent();
  for (uint32_t level = 4; level <= 251; ++level) {
    EXPECT_LT(std::abs(likeness(*halftoner, level)), 0.2) << level;
  }
}

TEST(ToneDependent, DiffersBySeed) {
  SamplePlane in(64, 64, 1);
  std::ranges::fill(in.bytes, static_cast<std::byte>(10));
  BitPlane a(64, 64), b(64, 64);
  run_whole(*tone_dependent(0), in.band, ToneCurve(255, Polarity::kMaxIsInk), a.band);
  run_whole(*tone_dependent(1), in.band, ToneCurve(255, Polarity::kMaxIsInk), b.band);
  EXPECT_FALSE(same_bits(a.band, b.band));
}

}  // namespace
}  // namespace mezzo::test::tone_rule_test
