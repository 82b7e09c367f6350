#include "tools/train/pinwheel_model.h"

#include <algorithm>
#include <bit>
#include <random>

#include "kernels/pinwheel/block_path.h"

namespace mezzo::train {
namespace {

constexpr int kSolid = 4096, kMostError = 5632;

/// Of a target, from the block's top left corner.
pinwheel::Vector position(uint16_t target, const std::vector<pinwheel::Step>& walk, int size) {
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

Mask mask_of(const std::vector<uint32_t>& ranks) {
  Mask mask{};
  for (size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<uint16_t>(8 * ranks[i] + 4);
  return mask;
}

PinwheelModel::PinwheelModel(uint32_t block, const Mask& mask, uint32_t seed)
    : block_(block), blocks_(std::max(2U, ((64 + block / 2) / block + 1) & ~1U)) {
  side_ = blocks_ * block;
  for (size_t phase = 0; phase < 2; ++phase) {
    for (size_t by = 0; by < blocks_; ++by) {
      for (size_t bx = 0; bx < blocks_; ++bx) {
        if ((by + bx) % 2 == phase) add_block(by, bx);
      }
    }
  }
  std::mt19937 random(seed);
  mask_.resize(side_ * side_);
  for (size_t l = 0; l < kLanes; ++l) {
    const size_t top = random() % 64, left = random() % 64;
    for (size_t i = 0; i < mask_.size(); ++i) {
      const size_t y = (i / side_ + top) % 64, x = (i % side_ + left) % 64;
      mask_[i].lane[l] = static_cast<int16_t>(mask[y * 64 + x]);
    }
  }
}

void PinwheelModel::add_block(size_t by, size_t bx) {
  const int size = static_cast<int>(block_);
  std::vector<pinwheel::Step> walk(size_t{block_} * block_);
  pinwheel::Step* steps = walk.data();
  pinwheel::lay_out_block({.rows = size, .columns = size, .outward = (by + bx) % 2 == 0},
                          pinwheel::Path::kSpiral,
                          steps);
  const auto place = [&](const pinwheel::Vector& p) {
    const size_t y = by * block_ + side_ + static_cast<size_t>(p.dy);
    const size_t x = bx * block_ + side_ + static_cast<size_t>(p.dx);
    return y % side_ * side_ + x % side_;
  };
  for (const pinwheel::Step& from : walk) {
    Step step{};
    step.place = place({from.y, from.x});
    for (size_t k = 0; k < 4; ++k) {
      if (from.legal >> k & 1) step.targets[k] = place(position(from.targets[k], walk, size));
    }
    step.variant = variant_of({from.kind, from.legal});
    step.threshold_class = from.kind == pinwheel::kCorner ? pinwheel::kAtCorner
                           : from.kind == pinwheel::kTwo  ? pinwheel::kAtTurn
                                                          : pinwheel::kOther;
    steps_.push_back(step);
  }
}

size_t PinwheelModel::variant_of(const Variant& variant) {
  const auto same = [&](const Variant& v) {
    return v.kind == variant.kind && v.legal == variant.legal;
  };
  const auto found = std::ranges::find_if(variants_, same);
  const auto index = static_cast<size_t>(found - variants_.begin());
  if (found == variants_.end()) variants_.push_back(variant);
  return index;
}

PinwheelModel::Handing PinwheelModel::handing(const Variant& variant, const pinwheel::Level& row) {
  Handing result;
  int sum = 0;
  for (size_t k = 4; k-- > 0;) {
    if (!(variant.legal >> k & 1)) continue;
    sum += row.weights[variant.kind][k];
    result.primary = static_cast<int>(k);
  }
  for (size_t k = 0; k < 4; ++k) {
    if (!(variant.legal >> k & 1) || static_cast<int>(k) == result.primary) continue;
    const int whole = sum == 0 ? std::popcount(variant.legal) : sum;
    const int part = sum == 0 ? 1 : row.weights[variant.kind][k];
    result.weights[k] = std::min(32767, (32768 * part + whole / 2) / whole);
  }
  return result;
}

int PinwheelModel::most_incoming(const pinwheel::ToneTable& table) const {
  std::vector<std::array<int, 4>> most(variants_.size());
  for (size_t v = 0; v < variants_.size(); ++v) {
    for (const pinwheel::Level& row : table) {
      const Handing handing = PinwheelModel::handing(variants_[v], row);
      int rest = 32768;
      for (size_t k = 0; k < 4; ++k) {
        most[v][k] = std::max(most[v][k], handing.weights[k]);
        rest -= handing.weights[k];
      }
      if (handing.primary < 0) continue;
      int& primary = most[v][static_cast<size_t>(handing.primary)];
      primary = std::max(primary, rest);
    }
  }
  std::vector<int> sums(side_ * side_);
  for (const Step& step : steps_) {
    for (size_t k = 0; k < 4; ++k) {
      if (variants_[step.variant].legal >> k & 1) sums[step.targets[k]] += most[step.variant][k];
    }
  }
  return *std::ranges::max_element(sums);
}

Rendered PinwheelModel::render(const Integers& tones, const pinwheel::Level& row) const {
  std::vector<Handing> handings;
  for (const Variant& variant : variants_) handings.push_back(handing(variant, row));
  Rendered result{{side_, side_, RealField(side_ * side_)}};
  IntegerField sums(side_ * side_, tones);
  Integers largest;
  for (const Step& step : steps_) {
    const int lower = row.lower[step.threshold_class];
    const int range = row.upper[step.threshold_class] - lower;
    const Integers& mask = mask_[step.place];
    const Integers& sum = sums[step.place];
    Reals& shown = result.field.errors[step.place];
    Integers error, rest;
    for (size_t l = 0; l < kLanes; ++l) {
      const auto threshold = static_cast<int16_t>(lower + mul15(range, mask.lane[l]));
      const auto put = static_cast<int16_t>(sum.lane[l] >= threshold ? kSolid : 0);
      const auto left = static_cast<int16_t>(sum.lane[l] - put);
      const auto at_most = static_cast<int16_t>(left > kMostError ? kMostError : left);
      error.lane[l] = static_cast<int16_t>(at_most < -kMostError ? -kMostError : at_most);
      const auto size = static_cast<int16_t>(error.lane[l] < 0 ? -error.lane[l] : error.lane[l]);
      largest.lane[l] = largest.lane[l] > size ? largest.lane[l] : size;
      shown.lane[l] = static_cast<float>(put - tones.lane[l]) * (1.0F / kSolid);
    }
    const Handing& handing = handings[step.variant];
    if (handing.primary < 0) continue;
    rest = error;
    for (size_t k = 0; k < 4; ++k) {
      const int weight = handing.weights[k];
      if (weight == 0) continue;
      Integers& target = sums[step.targets[k]];
      for (size_t l = 0; l < kLanes; ++l) {
        const int16_t part = mul15(weight, error.lane[l]);
        rest.lane[l] = static_cast<int16_t>(rest.lane[l] - part);
        target.lane[l] = static_cast<int16_t>(target.lane[l] + part);
      }
    }
    Integers& target = sums[step.targets[static_cast<size_t>(handing.primary)]];
    for (size_t l = 0; l < kLanes; ++l) {
      target.lane[l] = static_cast<int16_t>(target.lane[l] + rest.lane[l]);
    }
  }
  result.largest_error = *std::ranges::max_element(largest.lane);
  return result;
}

}  // namespace mezzo::train
