// Lines that are known, noise that has none, and the ratio computed a second time by direct sums.

#include "kernels/quality/periods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/kernels/quality/drawn_pair.h"

namespace mezzo::test::periods_test {
namespace {

using quality::find_periods;
using quality::Periods;
using quality::SpectrumLine;

struct Field {
  Field(uint32_t side_px, const std::function<double(uint32_t x, uint32_t y)>& value)
      : side(side_px) {
    for (uint32_t y = 0; y < side; ++y) {
      for (uint32_t x = 0; x < side; ++x) values.push_back(value(x, y));
    }
  }
  BandView<const double> view() const { return {values.data(), side, side, side, 0}; }
  double at(uint32_t x, uint32_t y) const { return values[size_t{y} * side + x]; }

  uint32_t side;
  std::vector<double> values;
};

/// White, of variance 1/12.
double white(uint32_t x, uint32_t y, uint32_t seed = 0) {
  return noise(x + 10'000 * seed, y) / 4294967296.0;
}

/// What white noise lacks of the mean of its neighbours, in two tones.
double blue(uint32_t x, uint32_t y) {
  double around = 0;
  for (const auto& [dx, dy] : {std::pair(0U, 1U), {2U, 1U}, {1U, 0U}, {1U, 2U}}) {
    around += white(x + dx, y + dy) / 4;
  }
  return white(x + 1, y + 1) - around > 0.1 ? 1 : 0;
}

double wave(uint32_t x, uint32_t y, double period, double degrees) {
  const double angle = degrees * M_PI / 180;
  return std::cos(2 * M_PI * (x * std::cos(angle) - y * std::sin(angle)) / period + 0.7);
}

TEST(Periods, UpperGammaIsThatOfTables) {
  EXPECT_NEAR(quality::upper_gamma(1, 2.5), std::exp(-2.5), 1e-15);
  EXPECT_NEAR(quality::upper_gamma(0.5, 0.3), std::erfc(std::sqrt(0.3)), 1e-14);
  EXPECT_NEAR(quality::upper_gamma(3, 5), std::exp(-5.0) * (1 + 5 + 12.5), 1e-15);
  EXPECT_NEAR(quality::upper_gamma(3, 1), std::exp(-1.0) * (1 + 1 + 0.5), 1e-15);
  // (1 + x + x^2 / 2 + ... + x^63 / 63!) e^-x at x = 120.
  double term = 1, sum = 1;
  for (int n = 1; n < 64; ++n) sum += term *= 120.0 / n;
  EXPECT_NEAR(quality::upper_gamma(64, 120) / (sum * std::exp(-120.0)), 1, 1e-12);
}

TEST(Periods, AWaveIsFoundWithItsPeriodAngleAndSwing) {
  for (const auto& [period, degrees] :
       {std::pair(13.7, 45.0), {13.7, 135.0}, {64.0, 90.0}, {41.0, 18.4}}) {
    const Field field(600, [&, p = period, d = degrees](uint32_t x, uint32_t y) {
      return white(x, y) + 0.1 * wave(x, y, p, d);
    });
    const Periods found = find_periods(field.view());
    EXPECT_EQ(found.tiles, 9U);
    ASSERT_EQ(found.lines.size(), 1U) << period;
    const SpectrumLine& line = found.lines[0];
    EXPECT_NEAR(line.frequency(), 1 / period, 0.02 / 256);
    EXPECT_NEAR(line.angle_degrees(), degrees, 1.2 * period / 256);
    EXPECT_NEAR(line.amplitude, 0.1, 0.004);
    EXPECT_NEAR(line.lines_an_inch(2400), 2400 / period, 0.2);
    EXPECT_LT(line.chance, 1e-12);
    EXPECT_DOUBLE_EQ(found.highest_ratio, line.ratio);
  }
}

TEST(Periods, NoiseHasNone) {
  for (uint32_t seed = 0; seed < 2; ++seed) {
    const Field field(400, [=](uint32_t x, uint32_t y) { return white(x, y, seed); });
    const Periods found = find_periods(field.view());
    EXPECT_TRUE(found.lines.empty()) << seed;
    EXPECT_LT(found.highest_ratio, 1.2 * found.noise_ratio);
  }
  const Field field(640, blue);
  EXPECT_TRUE(find_periods(field.view()).lines.empty());
}

TEST(Periods, WavesOfFineDotsCanBeLeftOut) {
  const Field field(400, [](uint32_t x, uint32_t y) {
    return white(x, y) + wave(x, y, 2.9, 30) + 0.2 * wave(x, y, 50, 120);
  });
  EXPECT_EQ(find_periods(field.view()).lines.size(), 2U);
  const Periods found = find_periods(field.view(), {.shortest_px = 8});
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_NEAR(found.lines[0].period_px(), 50, 0.3);
}

TEST(Periods, AMaskThatRepeatsIsAllLines) {
  const auto repeated = [](uint32_t period) {
    return Field(600, [=](uint32_t x, uint32_t y) {
      return white(x, y) + 2 * white(x % period, y % period, 1);
    });
  };
  const Periods found = find_periods(repeated(64).view());
  ASSERT_EQ(found.lines.size(), 16U);
  for (const SpectrumLine& line : found.lines) {
    EXPECT_NEAR(64 * line.across, std::round(64 * line.across), 0.03);
    EXPECT_NEAR(64 * line.down, std::round(64 * line.down), 0.03);
  }
  EXPECT_GT(find_periods(repeated(128).view(), {.tile_px = 512}).lines.size(), 8U);
}

TEST(Periods, TooSmallAFieldHasNoTile) {
  const Field field(200, [](uint32_t x, uint32_t y) { return white(x, y); });
  const Periods found = find_periods(field.view());
  EXPECT_EQ(found.tiles, 0U);
  EXPECT_TRUE(std::isnan(found.highest_ratio));
  const Field blank(300, [](uint32_t, uint32_t) { return 0.25; });
  EXPECT_TRUE(find_periods(blank.view()).lines.empty());
}

/// The highest power over its neighbours', from the definition, for tiles of 32.
class SecondFinder {
 public:
  explicit SecondFinder(const Field& field) {
    uint32_t across = 0;
    for (uint32_t y = 0; y + kSide <= field.side; y += kSide / 2) {
      ++across;
      for (uint32_t x = 0; x + kSide <= field.side; x += kSide / 2) add(field, x, y);
    }
    const double one_way = across * across / (across + (across - 1) / 18.0);
    independent_ = one_way * one_way;
    for (double& power : power_) power /= across * across;
  }

  double ratio(int u, int v) const {
    std::vector<double> around, along;
    const double distance = std::hypot(u, v);
    for (int m = u - 9; m <= u + 9; ++m) {
      for (int n = v - 9; n <= v + 9; ++n) {
        const double other = std::hypot(m, n);
        if (std::max(std::abs(m - u), std::abs(n - v)) <= 2 || other < 2) continue;
        if (std::abs(other - distance) <= 1.5 + distance / 16) around.push_back(at(m, n));
        // How far (m, n) lies along and beside the direction of (u, v).
        const std::complex<double> turned =
            std::complex<double>(m - u, n - v) * std::conj(std::complex<double>(u, v)) / distance;
        const double out = std::abs(turned.real());
        if (std::abs(turned.imag()) < 2 + 1e-9 && out > 2 + 1e-9 && out < 7 + 1e-9) {
          along.push_back(at(m, n));
        }
      }
    }
    const double mean = std::accumulate(power_.begin(), power_.end(), 0.0) / (kSide * kSide);
    const double level =
        std::max(median(around), median(along)) / std::pow(1 - 1 / (9 * independent_), 3);
    return at(u, v) / std::max(level, mean / 10'000);
  }

 private:
  static constexpr int kSide = 32;

  static double weight(int x) { return std::pow(std::sin(M_PI * (x + 0.5) / kSide), 2); }
  static double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  }
  double at(int u, int v) const {
    return power_[static_cast<size_t>(((u % kSide) + kSide) % kSide * kSide +
                                      ((v % kSide) + kSide) % kSide)];
  }

  void add(const Field& field, uint32_t left, uint32_t top) {
    const auto value = [&](int x, int y) {
      return field.at(left + static_cast<uint32_t>(x), top + static_cast<uint32_t>(y));
    };
    double sum = 0, weights = 0;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        sum += weight(x) * weight(y) * value(x, y);
        weights += weight(x) * weight(y);
      }
    }
    std::vector<double> values;
    std::vector<std::complex<double>> turns;
    for (int y = 0; y < kSide; ++y) {
      turns.push_back(std::polar(1.0, -2 * M_PI * y / kSide));
      for (int x = 0; x < kSide; ++x) {
        values.push_back(weight(x) * weight(y) * (value(x, y) - sum / weights));
      }
    }
    for (int u = 0; u < kSide; ++u) {
      std::vector<std::complex<double>> rows(kSide);  // what each adds at u
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
          rows[static_cast<size_t>(y)] += values[static_cast<size_t>(y * kSide + x)] *
                                          turns[static_cast<size_t>(u * x % kSide)];
        }
      }
      for (int v = 0; v < kSide; ++v) {
        std::complex<double> spectrum;
        for (int y = 0; y < kSide; ++y) {
          spectrum += rows[static_cast<size_t>(y)] * turns[static_cast<size_t>(v * y % kSide)];
        }
        power_[static_cast<size_t>(u * kSide + v)] += std::norm(spectrum);
      }
    }
  }

  std::vector<double> power_ = std::vector<double>(size_t{kSide} * kSide, 0.0);
  double independent_ = 1;
};

TEST(Periods, TheRatioIsTheDefinition) {
  const Field field(64, [](uint32_t x, uint32_t y) { return white(x, y) + wave(x, y, 6.4, 0); });
  const Periods found = find_periods(field.view(), {.tile_px = 32});
  EXPECT_EQ(found.tiles, 9U);
  ASSERT_FALSE(found.lines.empty());
  EXPECT_NEAR(found.lines[0].ratio, SecondFinder(field).ratio(5, 0), 1e-9 * found.lines[0].ratio);
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const Field plain(64, [=](uint32_t x, uint32_t y) { return white(x, y, seed); });
    const SecondFinder second(plain);
    double highest = 1;
    for (int u = 0; u <= 16; ++u) {
      for (int v = -15; v <= 16; ++v) {
        if (std::hypot(u, v) >= 2) highest = std::max(highest, second.ratio(u, v));
      }
    }
    const Periods of_noise = find_periods(plain.view(), {.tile_px = 32});
    EXPECT_NEAR(of_noise.highest_ratio, highest, 1e-9 * highest) << seed;
  }
}

}  // namespace
}  // namespace mezzo::test::periods_test
