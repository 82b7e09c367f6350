#include "kernels/prepress/protect.h"

#include <bit>

#include "kernels/band/coverage.h"
#include "kernels/band/tone.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/protect.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A bit a sample, the first in the highest: whether it lies in first .. last.
template <typename Sample>
void mark_range(
    const Sample* samples, uint32_t count, uint32_t first, uint32_t last, uint8_t* marks) {
  const hn::CappedTag<Sample, 64> d;
  constexpr uint32_t kLanes = hn::MaxLanes(decltype(d)());
  const auto from = hn::Set(d, static_cast<Sample>(first));
  const auto to = hn::Set(d, static_cast<Sample>(last));
  uint32_t x = 0;
  if constexpr (kLanes >= 8) {
    for (; x + kLanes <= count; x += kLanes) {
      const auto v = hn::LoadU(d, samples + x);
      const auto inside = hn::Eq(hn::Min(hn::Max(v, from), to), v);
      uint8_t lowest_first[8];
      hn::StoreMaskBits(d, inside, lowest_first);
      for (uint32_t i = 0; i < kLanes / 8; ++i) {
        // Reverses the bits of a byte: Rich Schroeppel, HAKMEM 167 in 64 bits.
        const uint64_t spread = (lowest_first[i] * 0x80200802ULL) & 0x0884422110ULL;
        marks[x / 8 + i] = static_cast<uint8_t>(spread * 0x0101010101ULL >> 32);
      }
    }
  }
  for (; x < count; ++x) {
    if (x % 8 == 0) marks[x / 8] = 0;
    if (samples[x] >= first && samples[x] <= last) {
      marks[x / 8] = static_cast<uint8_t>(marks[x / 8] | 0x80U >> x % 8);
    }
  }
}

void mark_range8(
    const uint8_t* samples, uint32_t count, uint32_t first, uint32_t last, uint8_t* to) {
  mark_range(samples, count, first, last, to);
}
void mark_range16(
    const uint16_t* samples, uint32_t count, uint32_t first, uint32_t last, uint8_t* to) {
  mark_range(samples, count, first, last, to);
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(mark_range8);
HWY_EXPORT(mark_range16);

namespace {

uint64_t ones(uint8_t byte) {
  return static_cast<uint64_t>(std::popcount(byte));
}

}  // namespace

ProtectedSamples::ProtectedSamples(const ToneCurve& curve, Protect tones) {
  if (tones.paper) paper_ = samples_of(curve, 0);
  if (tones.solid) solid_ = samples_of(curve, kSolid);
}

ProtectedSamples::Range ProtectedSamples::samples_of(const ToneCurve& curve, uint32_t tone) {
  Range range;
  for (uint32_t sample = 0; sample <= curve.max_sample(); ++sample) {
    if (curve[sample] != tone) continue;
    if (range.first > range.last) range.first = sample;
    range.last = sample;
  }
  return range;
}

Protection ProtectedSamples::protect(const SampleBand& samples, const BitBand& bits) const {
  const size_t bytes = bit_row_bytes(bits.width_px);
  std::vector<uint8_t> paper(bytes), solid(bytes);
  const auto mark = [&](uint32_t row, const Range& range, std::vector<uint8_t>& marks) {
    if (range.first > range.last) return;
    if (samples.bytes_per_sample == 1) {
      HWY_DYNAMIC_DISPATCH(mark_range8)
      (samples.row8(row), samples.width_px, range.first, range.last, marks.data());
    } else {
      HWY_DYNAMIC_DISPATCH(mark_range16)
      (samples.row16(row), samples.width_px, range.first, range.last, marks.data());
    }
  };
  Protection count;
  for (uint32_t i = 0; i < bits.rows; ++i) {
    mark(i, paper_, paper);
    mark(i, solid_, solid);
    uint8_t* row = bits.row(i);
    for (size_t at = 0; at < bytes; ++at) {
      const auto right = static_cast<uint8_t>((row[at] & ~paper[at]) | solid[at]);
      count.paper_px += ones(paper[at]);
      count.solid_px += ones(solid[at]);
      count.mended_px += ones(static_cast<uint8_t>(row[at] ^ right));
      row[at] = right;
    }
  }
  return count;
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
