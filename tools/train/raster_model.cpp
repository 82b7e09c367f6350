#include "tools/train/raster_model.h"

#include <algorithm>
#include <random>

#include "kernels/band/tone.h"

namespace mezzo::train {
namespace {

constexpr int kSolidTone = static_cast<int>(kSolid);

/// The sums handed to a pixel of every page.
struct alignas(64) Collected {
  std::array<int, kLanes> lane{};
};

int held(int error) {
  constexpr int kMost = diffusion::kMostError;
  return error > kMost ? kMost : error < -kMost ? -kMost : error;
}

}  // namespace

RasterModel::RasterModel(size_t size, uint32_t seed) : size_(size), noise_(size * size) {
  std::mt19937 random(seed);
  for (Integers& noise : noise_) {
    for (int16_t& n : noise.lane) n = static_cast<int16_t>(random() & 0x7FFF);
  }
}

ErrorField RasterModel::render(const Integers& tones, const diffusion::ToneEntry& entry) const {
  constexpr int kShift = diffusion::ToneRule::kShift;
  const int right = entry.right, down_left = entry.down_left, down = entry.down;
  const int down_right = (1 << kShift) - right - down_left - down;
  const int lower = entry.lower, range = entry.upper - entry.lower;
  ErrorField field{size_, size_, RealField(size_ * size_)};
  // One column more on both sides takes the shares that leave the page.
  std::vector<Collected> row(size_ + 2), below(size_ + 2);
  for (size_t y = 0; y < size_; ++y) {
    std::ranges::fill(below, Collected{});
    for (size_t x = 0; x < size_; ++x) {
      const Collected& own = row[x + 1];
      const Integers& noise = noise_[y * size_ + x];
      Reals& shown = field.errors[y * size_ + x];
      Collected error;
      for (size_t l = 0; l < kLanes; ++l) {
        const int s = tones.lane[l] + ((own.lane[l] + (1 << (kShift - 1))) >> kShift);
        const int threshold = lower + ((noise.lane[l] * range) >> 15);
        const int ink = s >= threshold ? kSolidTone : 0;
        error.lane[l] = held(s - ink);
        shown.lane[l] = static_cast<float>(ink - tones.lane[l]) * (1.0F / kSolidTone);
      }
      for (size_t l = 0; l < kLanes; ++l) {
        const int e = error.lane[l];
        row[x + 2].lane[l] += right * e;
        below[x].lane[l] += down_left * e;
        below[x + 1].lane[l] += down * e;
        below[x + 2].lane[l] += down_right * e;
      }
    }
    std::swap(row, below);
  }
  return field;
}

}  // namespace mezzo::train
