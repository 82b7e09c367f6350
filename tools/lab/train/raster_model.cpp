#include "tools/lab/train/raster_model.h"

#include <algorithm>
#include <random>

#include "kernels/band/tone.h"

namespace mezzo::train {
namespace {

using diffusion::ToneRule;

constexpr int kSolidTone = static_cast<int>(kSolid);

/// The sums handed to a pixel of every page.
struct alignas(64) Collected {
  std::array<int, kLanes> lane{};
};

int held(int error) {
  constexpr int kMost = diffusion::kMostError;
  return error > kMost ? kMost : error < -kMost ? -kMost : error;
}

/// The columns of a table, each of the type that vector code gathers.
struct Columns {
  using Column = std::array<int, diffusion::kTableLevels>;
  Column right{}, down_left{}, down{}, lower{}, range{};

  explicit Columns(const diffusion::ToneTable& table) {
    for (size_t i = 0; i < table.size(); ++i) {
      right[i] = table[i].right;
      down_left[i] = table[i].down_left;
      down[i] = table[i].down;
      lower[i] = table[i].lower;
      range[i] = table[i].upper - table[i].lower;
    }
  }
};

}  // namespace

RasterModel::RasterModel(size_t size, uint32_t seed) : size_(size), noise_(size * size) {
  std::mt19937 random(seed);
  for (Integers& noise : noise_) {
    for (int16_t& n : noise.lane) n = static_cast<int16_t>(random() & 0x7FFF);
  }
}

ErrorField RasterModel::render(const IntegerField& tones, const diffusion::ToneTable& table) const {
  constexpr int kShift = ToneRule::kShift;
  const Columns of(table);
  ErrorField field{size_, size_ + kPaperBelow, RealField(size_ * (size_ + kPaperBelow))};
  // One column more on both sides takes the shares that leave the page.
  std::vector<Collected> row(size_ + 2), below(size_ + 2);
  for (size_t y = 0; y < size_; ++y) {
    std::ranges::fill(below, Collected{});
    for (size_t x = 0; x < size_; ++x) {
      const Collected& own = row[x + 1];
      const Integers &noise = noise_[y * size_ + x], &tone = tones[y * size_ + x];
      Reals& shown = field.errors[y * size_ + x];
      Collected error, level;
      for (size_t l = 0; l < kLanes; ++l) {
        level.lane[l] = ToneRule::level(tone.lane[l]);
        const auto at = static_cast<size_t>(level.lane[l]);
        const int s = tone.lane[l] + ((own.lane[l] + (1 << (kShift - 1))) >> kShift);
        const int threshold = of.lower[at] + ((noise.lane[l] * of.range[at]) >> 15);
        const int ink = s >= threshold ? kSolidTone : 0;
        error.lane[l] = held(s - ink);
        shown.lane[l] = static_cast<float>(ink - tone.lane[l]) * (1.0F / kSolidTone);
      }
      for (size_t l = 0; l < kLanes; ++l) {
        const auto at = static_cast<size_t>(level.lane[l]);
        const int e = error.lane[l];
        const int right = of.right[at] * e, down_left = of.down_left[at] * e;
        const int down = of.down[at] * e;
        row[x + 2].lane[l] += right;
        below[x].lane[l] += down_left;
        below[x + 1].lane[l] += down;
        below[x + 2].lane[l] += (e << kShift) - right - down_left - down;
      }
    }
    std::swap(row, below);
  }
  return field;
}

}  // namespace mezzo::train
