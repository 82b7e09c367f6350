#include "tools/lab/train/pinwheel_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace mezzo::train {
namespace {

using pinwheel::Step;
using pinwheel::Vector;

constexpr int kSolid = 4096, kMostError = 5632;
constexpr uint32_t kSquareSide = 128;  ///< about, of the square, pixels

/// A target, from the block's top left corner.
Vector position(uint16_t target, const std::vector<Step>& walk, int size) {
  if (target < pinwheel::kBorder) return {walk[target].y, walk[target].x};
  const int place = target - pinwheel::kBorder, along = place % pinwheel::kMostSize;
  switch (place / pinwheel::kMostSize) {
    case pinwheel::kAbove:
      return {-1, along};
    case pinwheel::kBelow:
      return {size, along};
    case pinwheel::kLeft:
      return {along, -1};
    default:
      return {along, size};
  }
}

}  // namespace

/// What a rendering knows.
struct PinwheelModel::Work {
  const Integers& tones;
  const pinwheel::Level& row;
  bool balanced;
  Rendered result;
  IntegerField sums;
  IntegerField changes;         ///< of the thresholds of a step, by block
  std::vector<int16_t> sorted;  ///< room for the sums of a step, less the changes
  Integers largest;
};

PinwheelModel::PinwheelModel(uint32_t block, uint32_t seed) : block_(block) {
  const uint32_t blocks = std::max(2U, ((kSquareSide + block / 2) / block + 1) & ~1U);
  side_ = size_t{blocks} * block;
  std::mt19937 random(seed);
  for (size_t p = 0; p < 2; ++p) {
    const int size = static_cast<int>(block);
    phases_[p].walk = pinwheel::lay_out({.rows = size, .columns = size, .outward = p == 0},
                                        pinwheel::Path::kSpiral);
    for (size_t by = 0; by < blocks; ++by) {
      for (size_t bx = by % 2 == p ? 0 : 1; bx < blocks; bx += 2) {
        phases_[p].blocks.push_back({by * block, bx * block});
        Integers& noise = phases_[p].noise.emplace_back();
        for (int16_t& lane : noise.lane) lane = static_cast<int16_t>(random() >> 16);
      }
    }
  }
}

size_t PinwheelModel::place(const Phase& phase, size_t block, Vector pixel) const {
  const auto& [top, left] = phase.blocks[block];
  const size_t y = (top + side_ + static_cast<size_t>(pixel.dy)) % side_;
  const size_t x = (left + side_ + static_cast<size_t>(pixel.dx)) % side_;
  return y * side_ + x;
}

PinwheelModel::Handing PinwheelModel::handing(const Step& step, const pinwheel::Level& row) {
  Handing result;
  int sum = 0;
  for (size_t k = 4; k-- > 0;) {
    if (!(step.legal >> k & 1)) continue;
    sum += row.weights[step.kind][k];
    result.primary = static_cast<int>(k);
  }
  for (size_t k = 0; k < 4; ++k) {
    if (!(step.legal >> k & 1) || static_cast<int>(k) == result.primary) continue;
    const int whole = sum == 0 ? std::popcount(step.legal) : sum;
    const int part = sum == 0 ? 1 : row.weights[step.kind][k];
    result.weights[k] = std::min(32767, (32768 * part + whole / 2) / whole);
  }
  return result;
}

int PinwheelModel::most_incoming(const pinwheel::ToneTable& table) const {
  std::vector<int> sums(side_ * side_);
  for (const Phase& phase : phases_) {
    for (const Step& step : phase.walk.steps) {
      std::array<int, 4> most{};
      for (const pinwheel::Level& row : table) {
        const Handing handing = PinwheelModel::handing(step, row);
        int rest = 32768;
        for (size_t k = 0; k < 4; ++k) {
          most[k] = std::max(most[k], handing.weights[k]);
          rest -= handing.weights[k];
        }
        if (handing.primary < 0) continue;
        int& primary = most[static_cast<size_t>(handing.primary)];
        primary = std::max(primary, rest);
      }
      for (size_t block = 0; block < phase.blocks.size(); ++block) {
        for (size_t k = 0; k < 4; ++k) {
          if (!(step.legal >> k & 1)) continue;
          const Vector to = position(step.targets[k], phase.walk.steps, static_cast<int>(block_));
          sums[place(phase, block, to)] += most[k];
        }
      }
    }
  }
  return *std::ranges::max_element(sums);
}

Rendered PinwheelModel::render(const Integers& tones,
                               const pinwheel::Level& row,
                               bool balanced) const {
  Work work{tones, row, balanced, {}, IntegerField(side_ * side_, tones), {}, {}, {}};
  work.result.field = {side_, side_, RealField(side_ * side_)};
  for (const Phase& phase : phases_) {
    for (size_t i = 0; i < phase.walk.steps.size(); ++i) decide(phase, i, work);
  }
  work.result.largest_error = *std::ranges::max_element(work.largest.lane);
  return std::move(work.result);
}

void PinwheelModel::decide(const Phase& phase, size_t index, Work& work) const {
  const Step& step = phase.walk.steps[index];
  const size_t count = phase.blocks.size();
  const Vector at{step.y, step.x};
  const int spread = pinwheel::class_spread(step.threshold_class) + work.row.spread;
  work.changes.resize(count);
  for (size_t b = 0; b < count; ++b) {
    for (size_t l = 0; l < kLanes; ++l) {
      const auto noise = static_cast<int16_t>(phase.noise[b].lane[l] * step.noise_factor);
      work.changes[b].lane[l] = static_cast<int16_t>((spread * noise) >> 16);
    }
  }
  int middle = work.row.thresholds[step.threshold_class];
  if (work.balanced) {
    work.sorted.clear();
    int64_t sum = 0;
    for (size_t b = 0; b < count; ++b) {
      const Integers& u = work.sums[place(phase, b, at)];
      for (size_t l = 0; l < kLanes; ++l) {
        sum += u.lane[l];
        work.sorted.push_back(static_cast<int16_t>(u.lane[l] - work.changes[b].lane[l]));
      }
    }
    // As many dots as there is tone.
    const auto size = static_cast<int64_t>(work.sorted.size());
    const int64_t dots = std::clamp<int64_t>((sum + kSolid / 2) >> 12, 1, size);
    const auto least = work.sorted.begin() + (size - dots);
    std::nth_element(work.sorted.begin(), least, work.sorted.end());
    middle = *least;
  }
  ClassSums& sums = work.result.classes[step.threshold_class];
  const Handing handing = PinwheelModel::handing(step, work.row);
  std::array<Vector, 4> targets{};
  for (size_t k = 0; k < 4; ++k) {
    if (!(step.legal >> k & 1)) continue;
    targets[k] = position(step.targets[k], phase.walk.steps, static_cast<int>(block_));
  }
  int errors = 0, near = 0;
  for (size_t b = 0; b < count; ++b) {
    const size_t here = place(phase, b, at);
    const Integers sum = work.sums[here];
    Reals& shown = work.result.field.errors[here];
    Integers error, rest;
    std::array<int, kLanes> close{};
    for (size_t l = 0; l < kLanes; ++l) {
      const auto threshold = static_cast<int16_t>(middle + work.changes[b].lane[l]);
      const auto put = static_cast<int16_t>(sum.lane[l] >= threshold ? kSolid : 0);
      const auto left = static_cast<int16_t>(sum.lane[l] - put);
      const auto at_most = static_cast<int16_t>(left > kMostError ? kMostError : left);
      error.lane[l] = static_cast<int16_t>(at_most < -kMostError ? -kMostError : at_most);
      const auto size = static_cast<int16_t>(error.lane[l] < 0 ? -error.lane[l] : error.lane[l]);
      work.largest.lane[l] = work.largest.lane[l] > size ? work.largest.lane[l] : size;
      shown.lane[l] = static_cast<float>(put - work.tones.lane[l]) * (1.0F / kSolid);
      const int distance = sum.lane[l] - threshold;
      close[l] = distance < kNear && distance > -kNear ? 1 : 0;
    }
    for (size_t l = 0; l < kLanes; ++l) {
      errors += error.lane[l];
      near += close[l];
    }
    if (handing.primary < 0) continue;
    rest = error;
    for (size_t k = 0; k < 4; ++k) {
      const int weight = handing.weights[k];
      if (weight == 0) continue;
      Integers& target = work.sums[place(phase, b, targets[k])];
      for (size_t l = 0; l < kLanes; ++l) {
        const int16_t part = mul15(weight, error.lane[l]);
        rest.lane[l] = static_cast<int16_t>(rest.lane[l] - part);
        target.lane[l] = static_cast<int16_t>(target.lane[l] + part);
      }
    }
    Integers& target = work.sums[place(phase, b, targets[static_cast<size_t>(handing.primary)])];
    for (size_t l = 0; l < kLanes; ++l) {
      target.lane[l] = static_cast<int16_t>(target.lane[l] + rest.lane[l]);
    }
  }
  const auto pixels = static_cast<double>(count * kLanes);
  sums.pixels += pixels;
  sums.error += errors / static_cast<double>(kSolid);
  sums.near += near;
  sums.thresholds += pixels * middle;
}

}  // namespace mezzo::train
