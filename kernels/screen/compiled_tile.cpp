#include "kernels/screen/compiled_tile.h"

#include <algorithm>

#include "kernels/band/tone.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/screen/compiled_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/band/tones-inl.h"

#ifndef MEZZOTINT_SCREEN_COMPILED_TILE_ONCE
#define MEZZOTINT_SCREEN_COMPILED_TILE_ONCE
namespace mezzo::screen {

/// Thresholds that one load may take.
constexpr uint32_t kMostLanes = 64;

/// A row of a compiled tile, and the place in it where a row of the page begins.
template <typename Sample>
struct ThresholdRow {
  const Sample* data;
  uint32_t period;
  uint32_t start;  // below period
};

}  // namespace mezzo::screen
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::screen::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Each eight lanes in reverse, as the first pixel is the highest bit of a byte.
template <class D, class V>
HWY_INLINE V reverse_eights(D d, V v) {
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    return hn::Reverse8(d, v);
  } else {
    alignas(16) static constexpr uint8_t kOrder[16] = {
        7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
    return hn::TableLookupBytes(v, hn::LoadDup128(d, kOrder));
  }
}

/// A bit a sample, the first in the highest: whether it is at least its threshold; kFalls counts
/// samples down from `from`.
template <bool kFalls, typename Sample>
void compare_row(const Sample* samples,
                 uint32_t count,
                 uint32_t from,
                 const ThresholdRow<Sample>& thresholds,
                 uint8_t* bits) {
  const hn::CappedTag<Sample, kMostLanes> d;
  constexpr uint32_t kLanes = hn::MaxLanes(decltype(d)());
  uint32_t at = thresholds.start, x = 0;
  if constexpr (kLanes * sizeof(Sample) >= 16) {
    const auto zero = hn::Zero(d), most = hn::Set(d, static_cast<Sample>(from));
    for (; x + kLanes <= count; x += kLanes) {
      auto v = hn::LoadU(d, samples + x);
      if constexpr (kFalls) v = hn::Sub(most, v);
      const auto missing = hn::SaturatedSub(hn::LoadU(d, thresholds.data + at), v);
      uint8_t marks[8];
      const size_t bytes = hn::StoreMaskBits(d, hn::Eq(reverse_eights(d, missing), zero), marks);
      __builtin_memcpy(bits + x / 8, marks, bytes);
      at += kLanes;
      if (at >= thresholds.period) at -= thresholds.period;
    }
  }
  for (; x < count; ++x) {
    if (x % 8 == 0) bits[x / 8] = 0;
    const uint32_t sample = kFalls ? from - samples[x] : samples[x];
    if (sample >= thresholds.data[at]) {
      bits[x / 8] = static_cast<uint8_t>(bits[x / 8] | 0x80U >> x % 8);
    }
    if (++at == thresholds.period) at = 0;
  }
}

template <typename Sample>
void compare(const Sample* samples,
             uint32_t count,
             bool falls,
             uint32_t from,
             const ThresholdRow<Sample>& thresholds,
             uint8_t* bits) {
  if (falls) {
    compare_row<true>(samples, count, from, thresholds, bits);
  } else {
    compare_row<false>(samples, count, from, thresholds, bits);
  }
}

void compare8(const uint8_t* samples,
              uint32_t count,
              bool falls,
              uint32_t from,
              const ThresholdRow<uint8_t>& thresholds,
              uint8_t* bits) {
  compare(samples, count, falls, from, thresholds, bits);
}

void compare16(const uint16_t* samples,
               uint32_t count,
               bool falls,
               uint32_t from,
               const ThresholdRow<uint16_t>& thresholds,
               uint8_t* bits) {
  compare(samples, count, falls, from, thresholds, bits);
}

/// Tones, each compared with its threshold.
void compare_tones(const ToneCurve& curve,
                   const SampleBand& in,
                   uint32_t row,
                   ThresholdRow<uint16_t> thresholds,
                   uint8_t* bits) {
  constexpr uint32_t kPixels = 2048;  // at a time
  const hn::CappedTag<uint16_t, kMostLanes> d;
  uint16_t tones[kPixels];
  for (uint32_t x = 0; x < in.width_px; x += kPixels) {
    const uint32_t count = std::min(kPixels, in.width_px - x);
    mezzo::HWY_NAMESPACE::curve_tones(d, curve, in, row, x, count, tones);
    compare_row<false>(tones, count, 0, thresholds, bits + x / 8);
    thresholds.start = (thresholds.start + kPixels) % thresholds.period;
  }
}

}  // namespace mezzo::screen::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::screen {

HWY_EXPORT(compare8);
HWY_EXPORT(compare16);
HWY_EXPORT(compare_tones);

namespace {

/// A period of a row: as many thresholds as a vector takes, and more for a wider tile.
uint32_t period_of(uint32_t width) {
  return width * ((kMostLanes + width - 1) / width);
}

}  // namespace

uint64_t CompiledTile::most_bytes(uint32_t width, uint32_t height) {
  return (uint64_t{period_of(width)} + kMostLanes) * height * sizeof(uint16_t);
}

CompiledTile::CompiledTile(const ThresholdTile& tile,
                           const ToneCurve& curve,
                           uint32_t bytes_per_sample)
    : curve_(curve),
      width_(tile.width),
      height_(tile.height),
      shift_(tile.shift),
      period_(period_of(tile.width)),
      stride_(size_t{period_} + kMostLanes),
      from_(curve.max_sample()),
      falls_(curve[0] > curve[curve.max_sample()]) {
  MZ_ASSERT(tile.thresholds.size() == size_t{tile.width} * tile.height);
  const uint32_t most = bytes_per_sample == 1 ? UINT8_MAX : UINT16_MAX;
  std::vector<uint32_t> least = least_samples(curve);
  const uint32_t highest = *std::ranges::max_element(tile.thresholds);
  if (least[highest] > most) {
    falls_ = false;
    for (uint32_t threshold = 0; threshold < kSolid; ++threshold) least[threshold] = threshold + 1;
  } else {
    form_ = bytes_per_sample == 1 ? Form::kSamples8 : Form::kSamples16;
  }
  if (form_ == Form::kSamples8) {
    fill(tile, least, samples8_);
  } else {
    fill(tile, least, samples16_);
  }
}

std::vector<uint32_t> CompiledTile::least_samples(const ToneCurve& curve) const {
  std::vector<uint32_t> least(kSolid);
  uint32_t counted = 0;
  for (uint32_t threshold = 0; threshold < kSolid; ++threshold) {
    while (counted <= from_ && curve[falls_ ? from_ - counted : counted] <= threshold) ++counted;
    least[threshold] = counted;
  }
  return least;
}

template <typename Threshold>
void CompiledTile::fill(const ThresholdTile& tile,
                        const std::vector<uint32_t>& least,
                        std::vector<Threshold>& to) const {
  to.resize(stride_ * height_);
  for (uint32_t y = 0; y < height_; ++y) {
    Threshold* row = &to[y * stride_];
    const uint16_t* thresholds = &tile.thresholds[size_t{y} * width_];
    for (uint32_t x = 0; x < width_; ++x) row[x] = static_cast<Threshold>(least[thresholds[x]]);
    for (size_t x = width_; x < stride_; ++x) row[x] = row[x - width_];
  }
}

void CompiledTile::halftone_row(
    const SampleBand& in, uint32_t i, uint32_t x, uint32_t y, uint8_t* bits) const {
  const uint64_t moved = uint64_t{y / height_} * shift_ % width_;
  const auto start = static_cast<uint32_t>((x % width_ + width_ - moved) % width_);
  const size_t row = size_t{y % height_} * stride_;
  if (form_ == Form::kSamples8) {
    const ThresholdRow<uint8_t> thresholds{&samples8_[row], period_, start};
    HWY_DYNAMIC_DISPATCH(compare8)(in.row8(i), in.width_px, falls_, from_, thresholds, bits);
    return;
  }
  const ThresholdRow<uint16_t> thresholds{&samples16_[row], period_, start};
  if (form_ == Form::kSamples16) {
    HWY_DYNAMIC_DISPATCH(compare16)(in.row16(i), in.width_px, falls_, from_, thresholds, bits);
  } else {
    HWY_DYNAMIC_DISPATCH(compare_tones)(curve_, in, i, thresholds, bits);
  }
}

}  // namespace mezzo::screen
#endif  // HWY_ONCE
