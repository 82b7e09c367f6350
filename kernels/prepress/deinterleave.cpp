// In SIMD, two to four samples a pixel are taken apart by Highway's loads of interleaved vectors, and
// more by transposing squares: the first of 8 planes from blocks of 16 bytes a pixel or two.
#include "kernels/prepress/deinterleave.h"

#include <cstring>

#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/deinterleave.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MEZZOTINT_PREPRESS_DEINTERLEAVE_ONCE
#define MEZZOTINT_PREPRESS_DEINTERLEAVE_ONCE
namespace mezzo::prepress {

/// Where samples of type T go.
template <typename T>
struct PlanesOf {
  std::span<std::byte* const> planes;
  size_t first_inverted;
  T max_sample;

  size_t count() const { return planes.size(); }
  T* at(size_t plane, size_t pixel) const { return reinterpret_cast<T*>(planes[plane]) + pixel; }
};

}  // namespace mezzo::prepress
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Stores a vector of a plane's samples, those of `pixel` and after.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store(D d, hn::Vec<D> v, const PlanesOf<T>& to, size_t plane, size_t pixel) {
  if (plane >= to.count()) return;
  if (plane >= to.first_inverted) v = hn::Sub(hn::Set(d, to.max_sample), v);
  hn::StoreU(v, d, to.at(plane, pixel));
}

/// Whole vectors of pixels with kSamples samples. Returns how many pixels these were.
template <size_t kSamples, typename T>
size_t take_few(const T* from, size_t pixels, const PlanesOf<T>& to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= pixels; i += lanes) {
    hn::Vec<decltype(d)> v0, v1, v2 = hn::Zero(d), v3 = hn::Zero(d);
    const T* at = from + i * kSamples;
    if constexpr (kSamples == 2) {
      hn::LoadInterleaved2(d, at, v0, v1);
    } else if constexpr (kSamples == 3) {
      hn::LoadInterleaved3(d, at, v0, v1, v2);
    } else {
      hn::LoadInterleaved4(d, at, v0, v1, v2, v3);
    }
    store(d, v0, to, 0, i);
    store(d, v1, to, 1, i);
    if constexpr (kSamples > 2) store(d, v2, to, 2, i);
    if constexpr (kSamples > 3) store(d, v3, to, 3, i);
  }
  return i;
}

/// Eight samples of each of as many pixels as a vector of 16 bytes has lanes, `step` apart, become a
/// vector for each sample. In the index of a lane, each round moves the highest bit out to the index
/// of the vector, and a bit from there in at the bottom; after the last round the bits of the pixel
/// alone are left in the lane, and those of the sample are the vector's.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void transpose(D d, const T* from, size_t step, hn::Vec<D>* v) {
  const hn::Half<D> half;
  for (size_t k = 0; k < 8; ++k) {
    if constexpr (sizeof(T) == 1) {
      v[k] = hn::Combine(
          d, hn::LoadU(half, from + (2 * k + 1) * step), hn::LoadU(half, from + 2 * k * step));
    } else {
      v[k] = hn::LoadU(d, from + k * step);
    }
  }
  constexpr int kRounds = sizeof(T) == 1 ? 4 : 3;
  for (int round = 0; round < kRounds; ++round) {
    hn::Vec<D> next[8];
    for (size_t k = 0; k < 4; ++k) {
      next[2 * k] = hn::InterleaveLower(d, v[k], v[k + 4]);
      next[2 * k + 1] = hn::InterleaveUpper(d, v[k], v[k + 4]);
    }
    for (size_t k = 0; k < 8; ++k) v[k] = next[k];
  }
}

/// Groups of 8 planes of pixels with any number of samples. Returns how many pixels were taken: too
/// few follow them for whole loads.
template <typename T>
size_t take_many(const T* from, size_t samples, size_t pixels, const PlanesOf<T>& to) {
  constexpr size_t kTogether = 16 / sizeof(T);
  const hn::FixedTag<T, kTogether> d;
  size_t i = 0;
  for (; (i + kTogether) * samples + 8 <= pixels * samples; i += kTogether) {
    for (size_t first = 0; first < to.count(); first += 8) {
      hn::Vec<decltype(d)> v[8];
      transpose(d, from + i * samples + first, samples, v);
      for (size_t k = 0; k < 8; ++k) store(d, v[k], to, first + k, i);
    }
  }
  return i;
}

template <typename T>
size_t take(const InterleavedSamples& from, const PlanesOf<T>& to) {
  const auto* samples = reinterpret_cast<const T*>(from.data);
  switch (from.samples_per_pixel) {
    case 1:
      return 0;
    case 2:
      return take_few<2>(samples, from.pixels, to);
    case 3:
      return take_few<3>(samples, from.pixels, to);
    case 4:
      return take_few<4>(samples, from.pixels, to);
    default:
      return take_many(samples, from.samples_per_pixel, from.pixels, to);
  }
}

size_t take_bytes(const InterleavedSamples& from, const PlanesOf<uint8_t>& to) {
  return take(from, to);
}

size_t take_words(const InterleavedSamples& from, const PlanesOf<uint16_t>& to) {
  return take(from, to);
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {
namespace {

HWY_EXPORT(take_bytes);
HWY_EXPORT(take_words);

/// The pixels from `pixel` on, one after the other.
template <typename T>
void take_rest(const InterleavedSamples& from, const PlanesOf<T>& to, size_t pixel) {
  const auto* samples = reinterpret_cast<const T*>(from.data);
  for (size_t p = 0; p < to.count(); ++p) {
    const bool inverted = p >= to.first_inverted;
    for (size_t i = pixel; i < from.pixels; ++i) {
      const T sample = samples[i * from.samples_per_pixel + p];
      *to.at(p, i) = inverted ? static_cast<T>(to.max_sample - sample) : sample;
    }
  }
}

}  // namespace

void deinterleave(const InterleavedSamples& from,
                  std::span<std::byte* const> planes,
                  size_t first_inverted,
                  uint32_t max_sample) {
  MZ_ASSERT(planes.size() <= from.samples_per_pixel);
  if (from.samples_per_pixel == 1 && first_inverted > 0) {
    if (!planes.empty()) std::memcpy(planes[0], from.data, from.pixels * from.bytes_per_sample);
    return;
  }
  if (from.bytes_per_sample == 1) {
    const PlanesOf<uint8_t> to{planes, first_inverted, static_cast<uint8_t>(max_sample)};
    take_rest(from, to, HWY_DYNAMIC_DISPATCH(take_bytes)(from, to));
  } else {
    const PlanesOf<uint16_t> to{planes, first_inverted, static_cast<uint16_t>(max_sample)};
    take_rest(from, to, HWY_DYNAMIC_DISPATCH(take_words)(from, to));
  }
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
