// What accounts are for, and the bounds that 16 bits rest on.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/together/inks_wavefront.h"
#include "tests/kernels/diffusion/together/ink_planes.h"

namespace mezzo::test::account_properties_test {
namespace {

using namespace diffusion::together;
using diffusion::FloydSteinbergRule;

/// Two planes whose tones are chosen pixel by pixel to drive errors and accounts to their ends.
class Adversary {
 public:
  struct Pixel {
    int error0, error1, owed;
  };
  struct Range {
    int least = 0, most = 0;
    void take(int value) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  };

  explicit Adversary(int sign) : sign_(sign), random_(static_cast<uint32_t>(sign + 5)) {
    for (int y = 1; y <= kSide; ++y) {
      for (int x = 1; x <= kSide; ++x) take_worst(x, y);
    }
  }

  Range error, owed;

 private:
  static constexpr int kSide = 48, kTrials = 300;
  using Field = std::array<std::array<int, kSide + 2>, kSide + 1>;

  /// Errors where x + y is a multiple of 4, accounts elsewhere, which make those errors possible.
  void take_worst(int x, int y) {
    Pixel worst{};
    int most = INT32_MIN;
    for (int i = 0; i < kTrials; ++i) {
      const Pixel tried = try_tones(x, y, i);
      const int value = sign_ * ((x + y) % 4 == 0 ? tried.error1 : -tried.owed);
      if (value <= most) continue;
      most = value;
      worst = tried;
    }
    set(errors0_, x, y, worst.error0);
    set(errors1_, x, y, worst.error1);
    set(owed_, x, y, worst.owed);
    error.take(worst.error1);
    owed.take(worst.owed);
  }

  Pixel try_tones(int x, int y, int trial) {
    const auto any = [&] { return static_cast<int>(1 + random_() % 4095); };
    const int collected0 = collect(errors0_, x, y), collected1 = collect(errors1_, x, y);
    const auto meets = [](int s, int collected) {
      return std::clamp(s - ((collected + 8) >> 4), 1, 4095);
    };
    const int tone0 = trial % 3 == 0 ? meets(2047 + trial % 2, collected0) : any();
    const int edge = trial % 8 < 4 ? 2048 - kMostLowered : 2047 + kMostLowered;
    const int tone1 = trial % 4 < 3 ? any() : meets(edge, collected1);
    const FloydSteinbergRule rule;
    const auto first = rule.decide(tone0, collected0, {});
    const int own0 = beyond_tone(tone0, first.ink);
    const int a = owed_here(at(owed_, x - 1, y), at(owed_, x + 1, y - 1));
    const int z = lowered_by(term(a, own0, tone1));
    const auto second = rule.decide(tone1, collected1, {.lowered = lowered_at(tone1, z)});
    return {first.residue, second.residue, owed_after(a, beyond_tone(tone1, second.ink), own0)};
  }

  static int at(const Field& field, int x, int y) {
    return field[static_cast<size_t>(y)][static_cast<size_t>(x)];
  }
  static void set(Field& field, int x, int y, int value) {
    field[static_cast<size_t>(y)][static_cast<size_t>(x)] = value;
  }
  static int collect(const Field& e, int x, int y) {
    return 7 * at(e, x - 1, y) + at(e, x - 1, y - 1) + 5 * at(e, x, y - 1) +
           3 * at(e, x + 1, y - 1);
  }

  int sign_;
  std::mt19937 random_;
  Field errors0_ = {}, errors1_ = {}, owed_ = {};
};

TEST(AccountBounds, AreReachedAndHold) {
  const Adversary up(1), down(-1);
  EXPECT_EQ(down.error.least, -3071);
  EXPECT_EQ(up.error.most, 3070);
  EXPECT_EQ(std::min(up.owed.least, down.owed.least), -4095);
  EXPECT_EQ(std::max(up.owed.most, down.owed.most), 4095);
  EXPECT_GE(up.error.least, -3071);
  EXPECT_LE(down.error.most, 3071);
}

/// Four planes with one tone each, below a margin of paper.
struct Tints {
  static constexpr uint32_t kSide = 256, kMargin = 16;

  explicit Tints(const std::array<uint32_t, 4>& samples) : inks(4, kSide, kSide + kMargin, 1) {
    for (size_t k = 0; k < 4; ++k) {
      fill(*inks.samples[k], Fill::kPaper, 255, 0);
      std::fill_n(inks.samples[k]->bytes.begin() + kSide * kMargin,
                  kSide * kSide,
                  static_cast<std::byte>(samples[k]));
    }
    SoloTeam solo;
    run_in_bands(InksWavefront(LightTones::kAsIs), inks, {96}, solo);
  }

  /// Pixels below the margin with ink of both planes.
  double both(size_t j, size_t k) const {
    int count = 0;
    for (uint32_t y = kMargin; y < kSide + kMargin; ++y) {
      for (uint32_t byte = 0; byte < kSide / 8; ++byte) {
        const unsigned met = inks.bits[j]->band.row(y)[byte] & inks.bits[k]->band.row(y)[byte];
        count += std::popcount(met);
      }
    }
    return static_cast<double>(count) / (kSide * kSide);
  }
  double ink(size_t k) const { return both(k, k); }
  double correlation(size_t j, size_t k) const {
    const double p = ink(j), q = ink(k);
    return (both(j, k) - p * q) / std::sqrt(p * (1 - p) * q * (1 - q));
  }

  InkPlanes inks;
};

TEST(AccountPlanes, EqualTonesDoNotCorrelateBelowAMargin) {
  double worst = 0;
  for (uint32_t sample = 2; sample <= 253; ++sample) {
    const Tints tints({sample, sample, sample, sample});
    for (size_t k = 1; k < 4; ++k) {
      for (size_t j = 0; j < k; ++j) {
        const double found = tints.correlation(j, k);
        worst = std::max(worst, std::abs(found));
        EXPECT_LE(std::abs(found), 0.1) << "sample " << sample << ", planes " << j << ", " << k;
      }
    }
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST(AccountPlanes, KeepTheirTone) {
  for (uint32_t sample = 2; sample <= 253; sample += 3) {
    const Tints tints({sample, 255 - sample, sample / 2 + 60, 128});
    for (size_t k = 0; k < 4; ++k) {
      const double asked = tints.inks.tone(k, 0, Tints::kMargin) / 4096.0;
      EXPECT_NEAR(tints.ink(k) * 255, asked * 255, 0.6) << "sample " << sample << ", plane " << k;
    }
  }
}

TEST(AccountPlanes, OverlapAsDemichelSays) {
  for (const uint32_t sample : {60U, 100U, 140U, 180U, 200U}) {
    const Tints tints({sample, sample + 11, sample - 17, 150});
    for (size_t k = 1; k < 4; ++k) {
      for (size_t j = 0; j < k; ++j) {
        EXPECT_NEAR(tints.both(j, k) / (tints.ink(j) * tints.ink(k)), 1, 0.02)
            << "sample " << sample << ", planes " << j << ", " << k;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::account_properties_test
