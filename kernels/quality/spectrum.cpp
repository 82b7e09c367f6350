#include "kernels/quality/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/quality/fft.h"

namespace mezzo::quality {
namespace {

constexpr uint32_t kPixels = kFlatTile * kFlatTile;
constexpr uint32_t kRings = 181;  // the corner is at 128 sqrt(2) = 181.02
constexpr double kNoPower = 1e-20;

/// The ring of a frequency, by its numbers in the transform.
uint32_t ring_of(uint32_t u, uint32_t v) {
  const auto distance = [](uint32_t n) {
    return static_cast<double>(n <= kFlatTile / 2 ? n : kFlatTile - n);
  };
  return static_cast<uint32_t>(std::lround(std::hypot(distance(u), distance(v))));
}

/// Adds P of the tile to `power`, in the order of Fft2d.
void add_power(const std::vector<uint8_t>& bits, Fft2d& fft, std::vector<double>& power) {
  const double g = std::accumulate(bits.begin(), bits.end(), 0.0) / kPixels;
  for (uint32_t i = 0; i < kPixels; ++i) fft.values()[i] = bits[i];
  fft.forward();
  for (uint32_t i = 1; i < kPixels; ++i) {
    power[i] += std::norm(fft.spectrum()[i]) / kPixels / (g * (1 - g));
  }
}

Report::Ring judge_ring(uint32_t ring, const std::vector<double>& power) {
  const auto count = static_cast<double>(power.size());
  const double mean = std::accumulate(power.begin(), power.end(), 0.0) / count;
  double deviation = 0;
  for (const double one : power) deviation += (one - mean) * (one - mean);
  Report::Ring judged{1.0 * ring / kFlatTile, mean < kNoPower ? 0 : mean, 0};
  const bool has_none = mean < kNoPower || count < 2 || deviation == 0;
  judged.anisotropy_db = has_none ? std::numeric_limits<double>::quiet_NaN()
                                  : 10 * std::log10(deviation / (count - 1) / (mean * mean));
  return judged;
}

}  // namespace

void FlatTiles::offer(const Window& window, uint32_t x, uint32_t y) {
  uint64_t ink_sum = 0;
  uint64_t squares = 0;
  uint64_t dots = 0;
  for (uint32_t j = 0; j < kFlatTile; ++j) {
    const uint16_t* ink = window.ink(y + j) + x;
    const uint8_t* bits = window.bits(y + j) + x;
    for (uint32_t i = 0; i < kFlatTile; ++i) {
      ink_sum += ink[i];
      squares += uint64_t{ink[i]} * ink[i];
      dots += bits[i];
    }
  }
  // Exact: at most 2^16 pixels x 2^16 x 2^32.
  const uint64_t deviation = kPixels * squares - ink_sum * ink_sum;  // (pixels x max_ink x sd)^2
  const double unit = double{kPixels} * window.max_ink();
  const double mean = static_cast<double>(ink_sum) / unit;
  const double limit = 2.0 / 255 * unit;
  if (static_cast<double>(deviation) > limit * limit || mean < 0.02 || mean > 0.98) return;
  if (dots == 0 || dots == kPixels) return;
  const Key key{deviation, y, x};
  if (tiles_.size() == kFlatTiles) {
    if (key > tiles_.rbegin()->first) return;
    tiles_.erase(std::prev(tiles_.end()));
  }
  std::vector<uint8_t>& kept = tiles_[key];
  for (uint32_t j = 0; j < kFlatTile; ++j) {
    const uint8_t* bits = window.bits(y + j) + x;
    kept.insert(kept.end(), bits, bits + kFlatTile);
  }
}

std::vector<Report::Ring> FlatTiles::spectrum() const {
  std::vector<const std::vector<uint8_t>*> tiles;
  for (const auto& [key, bits] : tiles_) tiles.push_back(&bits);
  return mean_spectrum(tiles);
}

Periods FlatTiles::periods() const {
  PeriodFinder finder({.shortest_px = 8, .tile_px = kFlatTile});
  std::vector<double> values(kPixels);
  for (const auto& [key, bits] : tiles_) {
    std::copy(bits.begin(), bits.end(), values.begin());
    finder.add({values.data(), kFlatTile, kFlatTile, kFlatTile, 0});
  }
  return finder.find(std::max(count(), 1U));
}

std::vector<Report::Ring> mean_spectrum(const std::vector<const std::vector<uint8_t>*>& tiles) {
  if (tiles.empty()) return {};
  Fft2d fft(kFlatTile, kFlatTile);
  std::vector<double> power(kPixels, 0.0);
  for (const std::vector<uint8_t>* tile : tiles) add_power(*tile, fft, power);
  std::vector<std::vector<double>> rings(kRings + 1);
  for (uint32_t u = 0; u < kFlatTile; ++u) {
    for (uint32_t v = 0; v < kFlatTile; ++v) {
      rings[ring_of(u, v)].push_back(power[u * kFlatTile + v] / static_cast<double>(tiles.size()));
    }
  }
  std::vector<Report::Ring> judged;
  for (uint32_t ring = 1; ring <= kRings; ++ring) judged.push_back(judge_ring(ring, rings[ring]));
  return judged;
}

}  // namespace mezzo::quality
