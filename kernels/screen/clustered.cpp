#include "kernels/screen/clustered.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "kernels/base/error.h"
#include "kernels/screen/blue_noise.h"

namespace mezzo::screen {
namespace {

constexpr int32_t kUnits = 16;  // of a pixel
constexpr int kRounds = 4;

/// A place on the torus, 1/16 px.
struct Centre {
  int32_t x, y;
};

/// Of each pixel: the number of the nearest centre, and their squared distance, in 1/256 px^2.
struct Nearest {
  std::vector<uint32_t> centre;
  std::vector<uint32_t> squared;
};

int64_t divided_down(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// The dots or holes of a torus.
class Cells {
 public:
  Cells(uint32_t side, std::span<const uint32_t> pixels) : side_(static_cast<int32_t>(side)) {
    for (const uint32_t pixel : pixels) centres_.push_back(place(pixel));
    find_nearest();
  }

  const Nearest& nearest() const { return nearest_; }

  /// Moves each centre to the mean of the pixels nearest to it, by their weights.
  void spread(std::span<const uint32_t> weights) {
    struct Sum {
      int64_t x = 0, y = 0, weight = 0;
    };
    std::vector<Sum> sums(centres_.size());
    for (uint32_t pixel = 0; pixel < weights.size(); ++pixel) {
      const Centre& centre = centres_[nearest_.centre[pixel]];
      Sum& sum = sums[nearest_.centre[pixel]];
      sum.x += int64_t{weights[pixel]} * way(centre.x, place(pixel).x);
      sum.y += int64_t{weights[pixel]} * way(centre.y, place(pixel).y);
      sum.weight += weights[pixel];
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].weight == 0) continue;
      centres_[i].x = moved(centres_[i].x, sums[i].x, sums[i].weight);
      centres_[i].y = moved(centres_[i].y, sums[i].y, sums[i].weight);
    }
    find_nearest();
  }

  /// The pixels in the order in which they are covered: the nth pixel of a cell of m, which is number
  /// p of q, comes at (n + (p + 1/2) / q) / m.
  std::vector<uint32_t> order() const {
    std::vector<uint32_t> pixels(nearest_.centre.size());
    std::iota(pixels.begin(), pixels.end(), 0U);
    std::ranges::stable_sort(pixels, {}, [&](uint32_t i) { return nearest_.squared[i]; });
    std::vector<uint64_t> sizes(centres_.size()), share(pixels.size());
    for (const uint32_t pixel : pixels) share[pixel] = sizes[nearest_.centre[pixel]]++;
    for (const uint32_t pixel : pixels) {
      share[pixel] = 2 * (share[pixel] * sizes.size() + nearest_.centre[pixel]) + 1;
    }
    const auto size = [&](uint32_t pixel) { return sizes[nearest_.centre[pixel]]; };
    std::iota(pixels.begin(), pixels.end(), 0U);
    std::ranges::stable_sort(
        pixels, [&](uint32_t a, uint32_t b) { return share[a] * size(b) < share[b] * size(a); });
    return pixels;
  }

 private:
  Centre place(uint32_t pixel) const {
    const auto number = static_cast<int32_t>(pixel);
    return {number % side_ * kUnits, number / side_ * kUnits};
  }

  /// The shorter way around the torus along an axis; of two equal ones, backwards.
  int32_t way(int32_t from, int32_t to) const {
    const int32_t units = side_ * kUnits, half = units / 2;
    return (to - from + units + half) % units - half;
  }

  int32_t moved(int32_t from, int64_t sum, int64_t weight) const {
    const int64_t units = int64_t{side_} * kUnits;
    const int64_t rounded = divided_down(2 * sum + weight, 2 * weight);
    return static_cast<int32_t>((from + rounded + units) % units);
  }

  /// Looks around each centre, as far as it takes for every pixel to have its nearest one.
  void find_nearest() {
    const size_t pixels = static_cast<size_t>(side_) * static_cast<size_t>(side_);
    for (int32_t reach = 8;; reach *= 2) {
      nearest_ = {std::vector<uint32_t>(pixels), std::vector<uint32_t>(pixels, UINT32_MAX)};
      for (uint32_t number = 0; number < centres_.size(); ++number) look_around(number, reach);
      const auto seen = static_cast<uint32_t>((reach - 1) * kUnits);
      if (std::ranges::max(nearest_.squared) <= seen * seen) return;
    }
  }

  void look_around(uint32_t number, int32_t reach) {
    const Centre& centre = centres_[number];
    const int32_t x0 = centre.x / kUnits, y0 = centre.y / kUnits;
    for (int32_t y = y0 - reach; y <= y0 + reach; ++y) {
      const int32_t row = (y + 2 * side_) % side_ * side_, dy = y * kUnits - centre.y;
      for (int32_t x = x0 - reach; x <= x0 + reach; ++x) {
        const int32_t place = row + (x + 2 * side_) % side_;
        const auto pixel = static_cast<size_t>(place);
        const int32_t dx = x * kUnits - centre.x;
        const auto squared = static_cast<uint32_t>(dx * dx + dy * dy);
        if (squared >= nearest_.squared[pixel]) continue;
        nearest_.centre[pixel] = number;
        nearest_.squared[pixel] = squared;
      }
    }
  }

  int32_t side_;
  std::vector<Centre> centres_;
  Nearest nearest_;
};

}  // namespace

std::vector<uint32_t> clustered_ranks(uint32_t side, uint32_t area, uint32_t seed) {
  MZ_ASSERT(side >= 64 && area >= kLeastCluster && area <= kMostCluster);
  const std::vector<uint32_t> mask = blue_noise_ranks(side, seed);
  std::vector<uint32_t> first(mask.size()), ranks(mask.size());
  for (uint32_t pixel = 0; pixel < mask.size(); ++pixel) first[mask[pixel]] = pixel;
  const size_t count = (mask.size() + area / 2) / area;
  Cells dots(side, std::span(first).first(count));
  Cells holes(side, std::span(first).subspan(count, count));
  const std::vector<uint32_t> alike(mask.size(), 1);
  for (int round = 0; round < kRounds; ++round) dots.spread(alike);
  for (int round = 0; round < kRounds; ++round) holes.spread(dots.nearest().squared);
  uint32_t rank = 0;
  const std::vector<uint32_t> from_dots = dots.order();
  const auto half = static_cast<uint32_t>(mask.size() / 2);
  std::vector<bool> is_light(mask.size());
  for (const uint32_t pixel : std::span(from_dots).first(half)) {
    is_light[pixel] = true;
    ranks[pixel] = rank++;
  }
  rank = static_cast<uint32_t>(mask.size());
  for (const uint32_t pixel : holes.order()) {
    if (!is_light[pixel]) ranks[pixel] = --rank;
  }
  return ranks;
}

}  // namespace mezzo::screen
