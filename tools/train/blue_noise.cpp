#include "tools/train/blue_noise.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace mezzo::train {
namespace {

/// A pattern of ones on a torus and how crowded it is around every pixel. Sums of integers, so that
/// taking a one away undoes putting it there.
class Pattern {
 public:
  Pattern(uint32_t size, double sigma) : size_(size), ones_(area()), crowd_(area()) {
    for (uint32_t y = 0; y < size; ++y) {
      for (uint32_t x = 0; x < size; ++x) {
        const double dy = std::min(y, size - y), dx = std::min(x, size - x);
        const double weight = std::exp(-(dy * dy + dx * dx) / (2 * sigma * sigma));
        kernel_.push_back(std::llround(std::ldexp(weight, 40)));
      }
    }
  }

  size_t area() const { return size_t{size_} * size_; }
  bool has(size_t pixel) const { return ones_[pixel]; }

  void put(size_t pixel) { change(pixel, true); }
  void take(size_t pixel) { change(pixel, false); }

  /// The one with the most ones around it.
  size_t tightest_cluster() const {
    return first([&](size_t a, size_t b) { return crowd_[a] > crowd_[b]; }, true);
  }
  /// The zero with the fewest ones around it.
  size_t largest_void() const {
    return first([&](size_t a, size_t b) { return crowd_[a] < crowd_[b]; }, false);
  }

 private:
  template <typename Better>
  size_t first(Better better, bool among) const {
    size_t best = area();
    for (size_t p = 0; p < area(); ++p) {
      if (ones_[p] == among && (best == area() || better(p, best))) best = p;
    }
    return best;
  }

  void change(size_t pixel, bool one) {
    ones_[pixel] = one;
    const size_t y0 = pixel / size_, x0 = pixel % size_;
    for (size_t y = 0; y < size_; ++y) {
      const int64_t* row = &kernel_[(y + size_ - y0) % size_ * size_];
      for (size_t x = 0; x < size_; ++x) {
        const int64_t weight = row[(x + size_ - x0) % size_];
        crowd_[y * size_ + x] += one ? weight : -weight;
      }
    }
  }

  uint32_t size_;
  std::vector<bool> ones_;
  std::vector<int64_t> crowd_, kernel_;
};

}  // namespace

std::vector<uint32_t> void_and_cluster(uint32_t size, double sigma, uint32_t seed) {
  Pattern pattern(size, sigma);
  std::mt19937 random(seed);
  const size_t area = pattern.area(), initial = std::max<size_t>(1, area / 10);
  for (size_t count = 0; count < initial;) {
    const size_t pixel = random() % area;
    if (pattern.has(pixel)) continue;
    pattern.put(pixel);
    ++count;
  }
  // Spread them: the most crowded one moves to the emptiest place, until it would move back.
  for (;;) {
    const size_t from = pattern.tightest_cluster();
    pattern.take(from);
    const size_t to = pattern.largest_void();
    pattern.put(to);
    if (to == from) break;
  }
  std::vector<uint32_t> ranks(area);
  Pattern upwards = pattern;
  for (size_t rank = initial; rank-- > 0;) {
    const size_t pixel = pattern.tightest_cluster();
    pattern.take(pixel);
    ranks[pixel] = static_cast<uint32_t>(rank);
  }
  for (size_t rank = initial; rank < area; ++rank) {
    const size_t pixel = upwards.largest_void();
    upwards.put(pixel);
    ranks[pixel] = static_cast<uint32_t>(rank);
  }
  return ranks;
}

}  // namespace mezzo::train
