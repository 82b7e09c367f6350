#include "kernels/prepress/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/band/ink15.h"
#include "tests/kernels/prepress/scale_planes.h"
#include "tests/support/shared_oracle.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::scale_test {
namespace {

using prepress::Ratio;
using prepress::ScaleFilter;
using prepress::Scaling;

Plane noise(uint32_t width, uint32_t height, uint32_t seed) {
  Plane plane(width, height);
  std::mt19937 random(seed);
  for (uint16_t& sample : plane.samples) {
    // The ends often, so that a cubic overshoots.
    const uint32_t kind = random() % 4;
    sample = static_cast<uint16_t>(kind == 0 ? 0 : kind == 1 ? kInk15 : random() % (kInk15 + 1));
  }
  return plane;
}

int64_t floor_div(int64_t n, int64_t d) {
  return n >= 0 ? n / d : -((-n + d - 1) / d);
}

/// Keys' kernel at n / d, times 2 d^3.
int64_t keys(int64_t n, int64_t d) {
  n = std::abs(n);
  if (n < d) return 3 * n * n * n - 5 * n * n * d + 2 * d * d * d;
  if (n < 2 * d) return -n * n * n + 5 * n * n * d - 8 * n * d * d + 4 * d * d * d;
  return 0;
}

using Taps = std::vector<std::pair<int64_t, int64_t>>;

/// The samples around the centre of sample x of the plate, and their weights, by the definition.
Taps taps(int64_t x, Ratio ratio, ScaleFilter filter) {
  const int64_t p = ratio.p, q = ratio.q;
  if (filter == ScaleFilter::kNearest) return {{floor_div((2 * x + 1) * q, 2 * p), 16384}};
  const int64_t centre = (2 * x + 1) * q - p, d = 2 * p;
  const int64_t place = floor_div(centre, d);
  Taps result;
  for (int64_t i = place - 1; i <= place + 2; ++i) {
    const int64_t away = i * d - centre;
    const bool cubic = filter == ScaleFilter::kCubic;
    const int64_t n = cubic ? keys(away, d) : std::max<int64_t>(d - std::abs(away), 0);
    const int64_t unit = cubic ? 2 * d * d * d : d;
    const double weight = 16384.0 * static_cast<double>(n) / static_cast<double>(unit);
    result.emplace_back(i, std::lround(weight));
  }
  int64_t sum = 0;
  auto largest = result.begin();
  for (auto tap = result.begin(); tap != result.end(); ++tap) {
    sum += tap->second;
    if (tap->second > largest->second) largest = tap;
  }
  largest->second += 16384 - sum;
  return result;
}

uint16_t level(int64_t sum) {
  return static_cast<uint16_t>(std::clamp<int64_t>((8192 + sum) >> 14, 0, kInk15));
}

/// What `n` of sample i of the page has in sample x of the plate, kArea.
uint64_t common(uint64_t x, uint64_t i, Ratio ratio) {
  const uint64_t begin = std::max(x * ratio.q, i * ratio.p);
  const uint64_t end = std::min((x + 1) * ratio.q, (i + 1) * ratio.p);
  return end > begin ? end - begin : 0;
}

uint16_t area_sample(const Plane& page, uint32_t x, uint32_t y, const Scaling& scaling) {
  const auto reach = [](uint64_t at, Ratio ratio) { return (at + 1) * ratio.q / ratio.p + 1; };
  uint64_t sum = 0;
  for (uint64_t row = uint64_t{y} * scaling.y.q / scaling.y.p; row < reach(y, scaling.y); ++row) {
    for (uint64_t at = uint64_t{x} * scaling.x.q / scaling.x.p; at < reach(x, scaling.x); ++at) {
      sum += common(x, at, scaling.x) * common(y, row, scaling.y) *
             page.at(static_cast<int64_t>(at), static_cast<int64_t>(row));
    }
  }
  const uint64_t whole = uint64_t{scaling.x.q} * scaling.y.q;
  return static_cast<uint16_t>((sum + whole / 2) / whole);
}

uint16_t point_sample(const Plane& page, const Taps& across, const Taps& down) {
  int64_t sum = 0;
  for (const auto& [row, row_weight] : down) {
    int64_t along = 0;
    for (const auto& [at, weight] : across) along += weight * page.at(at, row);
    sum += row_weight * level(along);
  }
  return level(sum);
}

/// Those of all samples of the plate in a direction.
std::vector<Taps> all_taps(uint32_t samples, Ratio ratio, ScaleFilter filter) {
  std::vector<Taps> all;
  for (uint32_t x = 0; x < samples; ++x) all.push_back(taps(x, ratio, filter));
  return all;
}

Plane scaled_by_definition(const Plane& page, const Scaling& scaling) {
  const auto size = [](uint32_t samples, Ratio ratio) {
    return std::max((samples * ratio.p + ratio.q / 2) / ratio.q, 1U);
  };
  Plane plate(size(page.width_px, scaling.x), size(page.height_px, scaling.y));
  const bool is_area = scaling.filter == ScaleFilter::kArea;
  std::vector<Taps> across, down;
  if (!is_area) {
    across = all_taps(plate.width_px, scaling.x, scaling.filter);
    down = all_taps(plate.height_px, scaling.y, scaling.filter);
  }
  for (uint32_t y = 0; y < plate.height_px; ++y) {
    for (uint32_t x = 0; x < plate.width_px; ++x) {
      plate.samples[size_t{y} * plate.width_px + x] =
          is_area ? area_sample(page, x, y, scaling) : point_sample(page, across[x], down[y]);
    }
  }
  return plate;
}

constexpr Ratio kRatios[] = {{8, 1}, {127, 15}, {3, 2}, {1, 3}, {1, 16}, {32, 1}, {1, 1}, {7, 11}};
constexpr ScaleFilter kFilters[] = {
    ScaleFilter::kNearest, ScaleFilter::kLinear, ScaleFilter::kCubic, ScaleFilter::kArea};

class Scale : public OnTarget {
 protected:
  SharedOracle<Plane> definition_;
};
MZ_ON_EVERY_TARGET(Targets, Scale);

TEST_P(Scale, is_the_definition) {
  constexpr std::array<std::array<uint32_t, 2>, 5> kSizes = {
      {{1, 1}, {2, 3}, {13, 7}, {40, 17}, {97, 5}}};
  for (const ScaleFilter filter : kFilters) {
    for (size_t i = 0; i < std::size(kRatios); ++i) {
      for (const size_t other : {i, i + 1, i + 3}) {
        const Ratio x = kRatios[i], y = kRatios[other % std::size(kRatios)];
        const auto& [width, height] = kSizes[(x.p + y.q + x.q) % kSizes.size()];
        const Scaling scaling{x, y, filter};
        Plane page = noise(width, height, x.p * 100 + y.p);
        const Plane& expected =
            definition_.next([&] { return scaled_by_definition(page, scaling); });
        const Plane found = scaled_in_bands(page, scaling, 1'000'000, 1);
        ASSERT_EQ(found.width_px, expected.width_px);
        ASSERT_EQ(found.height_px, expected.height_px);
        ASSERT_EQ(found.samples, expected.samples)
            << width << " x " << height << " px, " << x.p << '/' << x.q << " and " << y.p << '/'
            << y.q << ", filter " << static_cast<int>(filter);
      }
    }
  }
}

TEST_P(Scale, does_not_depend_on_bands_and_threads) {
  for (const ScaleFilter filter : kFilters) {
    for (const Ratio ratio : {Ratio{8, 1}, Ratio{127, 15}, Ratio{2, 3}}) {
      const Scaling scaling{ratio, ratio, filter};
      Plane page = noise(61, 25, ratio.p);
      const Plane whole = scaled_in_bands(page, scaling, 1'000'000, 1);
      for (uint32_t threads = 1; threads <= 8; ++threads) {
        const uint32_t band_rows = 1 + threads * threads;
        ASSERT_EQ(scaled_in_bands(page, scaling, band_rows, threads).samples, whole.samples);
      }
    }
  }
}

TEST_P(Scale, takes_rows_longer_than_a_tile) {
  Plane page = noise(1600, 3, 5);
  for (const Scaling& scaling : {Scaling{{8, 1}, {2, 1}, ScaleFilter::kCubic},
                                 Scaling{{127, 15}, {2, 1}, ScaleFilter::kLinear}}) {
    EXPECT_EQ(scaled_in_bands(page, scaling, 4, 2).samples,
              definition_.next([&] { return scaled_by_definition(page, scaling); }).samples);
  }
}

TEST_P(Scale, keeps_flat_areas) {
  for (const ScaleFilter filter : kFilters) {
    for (const Ratio x : kRatios) {
      for (const uint16_t tone : {uint16_t{0}, uint16_t{1}, uint16_t{12345}, uint16_t{kInk15}}) {
        Plane page(20, 9);
        std::ranges::fill(page.samples, tone);
        const Plane plate = scaled_in_bands(page, {x, {127, 15}, filter}, 16, 1);
        EXPECT_EQ(std::ranges::count(plate.samples, tone), std::ssize(plate.samples));
      }
    }
  }
}

TEST(ScaleAxis, WeightsOfEveryRatioSumToOne) {
  for (const Ratio ratio : {Ratio{4096, 4095}, Ratio{4095, 128}, Ratio{4001, 3999}, Ratio{1, 1}}) {
    for (const ScaleFilter filter : {ScaleFilter::kLinear, ScaleFilter::kCubic}) {
      const prepress::PointAxis axis(100, ratio, filter);
      for (uint32_t x = 0; x < ratio.p; ++x) {
        const int16_t* weights = axis.weights(x);
        ASSERT_EQ(std::accumulate(weights, weights + axis.taps(), 0), prepress::kWholeWeight);
      }
    }
  }
}

TEST(ScaleAxis, ASizeIsRoundedToWholeSamples) {
  EXPECT_EQ(prepress::scaled_size(2480, {8, 1}), 19'840U);
  EXPECT_EQ(prepress::scaled_size(2480, {127, 15}), 20'997U);  // 20,997.33
  EXPECT_EQ(prepress::scaled_size(5, {1, 2}), 3U);             // half a sample up
  EXPECT_EQ(prepress::scaled_size(1, {1, 16}), 1U);            // never none
}

TEST(ScaleAxis, RatiosHaveLimits) {
  EXPECT_TRUE((Ratio{32, 1}.is_possible()));
  EXPECT_TRUE((Ratio{1, 16}.is_possible()));
  EXPECT_FALSE((Ratio{33, 1}.is_possible()));
  EXPECT_FALSE((Ratio{1, 17}.is_possible()));
  EXPECT_FALSE((Ratio{4097, 4096}.is_possible()));
  EXPECT_FALSE((Ratio{2, 2}.is_possible()));
  EXPECT_FALSE((Ratio{0, 1}.is_possible()));
}

}  // namespace
}  // namespace mezzo::test::scale_test
