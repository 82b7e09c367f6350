// Pages for the tests of searches: tones and a start, as the search and as its naive definition
// take them.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/search/eye.h"
#include "kernels/search/search.h"
#include "tests/kernels/search/naive_search.h"

namespace mezzo::test {

enum class Tone { kNoise, kRamp, kPaper, kFlat, kSolid, kEdge };

/// A plane and its bits, which a search changes.
struct SearchPage {
  SearchPage(uint32_t width_px, uint32_t rows, Tone tone, uint32_t seed = 1)
      : width(width_px), height(rows), naive{width_px, rows, {}} {
    std::mt19937 random(seed);
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x)
        tones.push_back(value(tone, y, x, static_cast<uint32_t>(random())));
    }
    naive.values.assign(tones.begin(), tones.end());
    bits = naive_floyd_steinberg_start(naive);
  }

  /// A start that leaves much to do.
  void start_at_random(uint32_t seed) { bits = naive_random_start(naive, seed, 0); }

  /// Rows from `first` on, `settled` of them settled.
  search::Area area(uint32_t first = 0, uint32_t settled = 0) {
    const size_t begin = size_t{first} * width;
    return {width, height - first, first, settled, 0, tones.data() + begin, bits.data() + begin};
  }

  uint32_t width, height;
  std::vector<uint16_t> tones;
  NaiveBits bits;
  Tones naive;

 private:
  uint16_t value(Tone tone, uint32_t y, uint32_t x, uint32_t random) const {
    switch (tone) {
      case Tone::kNoise:
        return static_cast<uint16_t>(random % 4097);
      case Tone::kRamp:
        return static_cast<uint16_t>(4096 * (x + y) / (width + height));
      case Tone::kPaper:
        return 0;
      case Tone::kFlat:
        return 1300;
      case Tone::kSolid:
        return 4096;
      case Tone::kEdge:
        return x + y < (width + height) / 2 ? 300 : 3500;
    }
    return 0;
  }
};

/// The same filter for the naive search.
inline NaiveEye naive_eye(const search::Square& eye) {
  return {eye.radius(), eye.values()};
}

inline const auto kNoPause = [](double) {};

}  // namespace mezzo::test
