#include "tools/train/pinwheel_model.h"

#include <algorithm>
#include <bit>
#include <random>

namespace mezzo::train {
namespace {

constexpr int kSolid = 4096, kMostError = 5632;

struct Offset {
  int y, x;
  Offset operator+(const Offset& o) const { return {y + o.y, x + o.x}; }
  Offset operator-(const Offset& o) const { return {y - o.y, x - o.x}; }
};

/// The inward spiral: clockwise from the top left corner.
std::vector<Offset> spiral(int size) {
  std::vector<Offset> path;
  for (int ring = 0; 2 * ring < size; ++ring) {
    const int low = ring, high = size - 1 - ring;
    for (int x = low; x <= high; ++x) path.push_back({low, x});
    for (int y = low + 1; y <= high; ++y) path.push_back({y, high});
    for (int x = high - 1; x >= low; --x) path.push_back({high, x});
    for (int y = high - 1; y > low; --y) path.push_back({y, low});
  }
  return path;
}

std::array<Offset, 4> targets_of(const std::vector<Offset>& path, size_t i, bool corner) {
  const Offset here = path[i];
  if (corner) {
    const int cy = here.y == 0 ? -1 : 1, cx = here.x == 0 ? -1 : 1;
    return {{{cy, 0}, {0, cx}, {cy, -cx}, {-cy, cx}}};
  }
  const Offset ahead = i + 1 < path.size() ? path[i + 1] - here : here - path[i - 1];
  const Offset side = {ahead.x, -ahead.y};
  return {{ahead, side, side + ahead, side - ahead}};
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
  const bool outward = (by + bx) % 2 == 0;
  const int size = static_cast<int>(block_);
  std::vector<Offset> path = spiral(size);
  if (outward) std::ranges::reverse(path);
  const auto index = [&](const Offset& p) {
    return static_cast<size_t>(p.y) * block_ + static_cast<size_t>(p.x);
  };
  std::vector<size_t> order(path.size());
  for (size_t i = 0; i < path.size(); ++i) {
    order[index(path[i])] = i;
  }
  const auto inside = [&](int v) { return v >= 0 && v < size; };
  const auto place = [&](const Offset& p) {
    const size_t y = by * block_ + side_ + static_cast<size_t>(p.y);
    const size_t x = bx * block_ + side_ + static_cast<size_t>(p.x);
    return y % side_ * side_ + x % side_;
  };
  for (size_t i = 0; i < path.size(); ++i) {
    const auto at_edge = [&](int v) { return v == 0 || v == size - 1; };
    const bool corner = outward && at_edge(path[i].y) && at_edge(path[i].x);
    Step step{};
    step.place = place(path[i]);
    unsigned legal = 0;
    const std::array<Offset, 4> targets = targets_of(path, i, corner);
    for (size_t k = 0; k < 4; ++k) {
      const Offset p = path[i] + targets[k];
      const bool own = inside(p.y) && inside(p.x);
      const bool later = own && order[index(p)] > i;
      const bool next_block = !own && outward && (inside(p.y) || inside(p.x));
      if (later || next_block) legal |= 1U << k;
      step.targets[k] = place(p);
    }
    const size_t kind = corner       ? pinwheel::kCorner
                        : legal == 7 ? pinwheel::kThree
                        : legal == 5 ? pinwheel::kTwo
                                     : pinwheel::kFour;
    step.variant = variant_of({kind, legal});
    step.threshold_class = kind == pinwheel::kCorner ? pinwheel::kAtCorner
                           : kind == pinwheel::kTwo  ? pinwheel::kAtTurn
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
