#include "tools/lab/train/raster_pages.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/band/tone.h"

namespace mezzo::train {
namespace {

/// The mean tone of the page in lane `l`.
double mean_tone(int first, int last, size_t l) {
  return first + (last - first) * (static_cast<double>(l) + 0.5) / kLanes;
}

/// A picture of one page: tones around 0.
class Picture {
 public:
  Picture(size_t size, uint32_t seed) : size_(size), tones_(size * size), random_(seed) {}

  double at(size_t i) const { return tones_[i]; }

  /// Clouds whose amplitude falls with their size, as in pictures of nature; the largest, of half a
  /// page, has the amplitude given.
  void add_clouds(double amplitude) {
    for (size_t cell = size_ / 2; cell >= 2; cell /= 2) {
      add_cloud(cell, amplitude * static_cast<double>(2 * cell) / static_cast<double>(size_));
    }
  }
  void add_slope(double height) {
    const double across = height * number(), down = height * number();
    for (size_t i = 0; i < tones_.size(); ++i)
      tones_[i] += across * part(i % size_) + down * part(i / size_);
  }
  /// A straight edge somewhere, one side of it darker.
  void add_edge(double height) {
    const double across = number(), down = number(), offset = 0.5 * number();
    for (size_t i = 0; i < tones_.size(); ++i) {
      if (across * part(i % size_) + down * part(i / size_) > offset) tones_[i] += height;
    }
  }
  void add_grain(double amplitude) {
    for (double& tone : tones_) tone += amplitude * (number() + number());
  }

 private:
  /// -1 .. 1
  double number() { return static_cast<double>(random_()) / 2147483647.5 - 1; }
  /// -1 .. 1 from one side of the page to the other.
  double part(size_t place) const {
    return 2 * static_cast<double>(place) / static_cast<double>(size_) - 1;
  }

  /// Random numbers every `cell` pixels, linear between.
  void add_cloud(size_t cell, double amplitude) {
    const size_t cells = size_ / cell + 2;
    std::vector<double> corners(cells * cells);
    for (double& corner : corners) corner = amplitude * number();
    for (size_t i = 0; i < tones_.size(); ++i) {
      const size_t x = i % size_, y = i / size_;
      const double* corner = &corners[y / cell * cells + x / cell];
      const double right = static_cast<double>(x % cell) / static_cast<double>(cell);
      const double down = static_cast<double>(y % cell) / static_cast<double>(cell);
      tones_[i] += (1 - down) * ((1 - right) * corner[0] + right * corner[1]) +
                   down * ((1 - right) * corner[cells] + right * corner[cells + 1]);
    }
  }

  size_t size_;
  std::vector<double> tones_;
  std::mt19937 random_;
};

/// The texture of a page, livelier from page to page, so that all of them count: plain skies and
/// grainy stone.
Picture texture(size_t size, size_t lane, uint32_t seed) {
  Picture picture(size, seed * 0x9E3779B9U + static_cast<uint32_t>(lane));
  // Neighbouring lanes have neighbouring mean tones, so that each kind meets all tones.
  const double lively = static_cast<double>(lane * 13 % kLanes) / (kLanes - 1);
  picture.add_slope(100 + 300 * lively);
  picture.add_clouds(100 + 900 * lively * lively);
  if (lane % 4 == 3) picture.add_edge(800 * lively);
  picture.add_grain(lane % 2 == 0 ? 16 : 100 * lively);
  return picture;
}

}  // namespace

IntegerField flat_pages(size_t size, int first, int last) {
  Integers tones;
  for (size_t l = 0; l < kLanes; ++l) {
    tones.lane[l] = static_cast<int16_t>(std::lround(mean_tone(first, last, l)));
  }
  return IntegerField(size * size, tones);
}

IntegerField picture_pages(size_t size, int first, int last, uint32_t seed) {
  IntegerField pages(size * size);
  for (size_t l = 0; l < kLanes; ++l) {
    const Picture picture = texture(size, l, seed);
    const double mean = mean_tone(first, last, l);
    // Light tones have little room below them: their texture is that much weaker.
    const double room = std::min(1.0, mean / 1000);
    for (size_t i = 0; i < pages.size(); ++i) {
      const double tone = std::clamp(mean + room * picture.at(i), 0.0, static_cast<double>(kSolid));
      // Samples of pages mostly have 8 bits.
      const double sample = std::round(tone * 255 / kSolid);
      pages[i].lane[l] = static_cast<int16_t>(std::lround(sample * kSolid / 255));
    }
  }
  return pages;
}

}  // namespace mezzo::train
