// Tones of rows of samples in SIMD, for methods with a row or a block a lane. Compiled once for
// each SIMD target.

#if defined(MEZZOTINT_BAND_TONES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_BAND_TONES_INL_H
#undef MEZZOTINT_BAND_TONES_INL_H
#else
#define MEZZOTINT_BAND_TONES_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/ink_texture.h"
#include "kernels/band/tone.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Columns that are transposed at a time: the lanes of 128 bits, within which Highway interleaves.
constexpr uint32_t kTransposed = 8;

/// identity_tone() of `count` samples; D has lanes of 16 bits. `flip` is 255 where 255 is paper,
/// else 0.
template <class D>
HWY_INLINE void identity_tones(
    D d, const uint8_t* samples, uint32_t count, uint8_t flip, hn::TFromD<D>* out) {
  using T = hn::TFromD<D>;
  constexpr uint32_t kLanes = hn::MaxLanes(D());
  const hn::Rebind<uint8_t, D> d8;
  const auto flip8 = hn::Set(d8, flip);
  const auto round = hn::Set(d, T{8});
  uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto v = hn::PromoteTo(d, hn::Xor(hn::LoadU(d8, samples + i), flip8));
    hn::StoreU(hn::Add(hn::ShiftLeft<4>(v), hn::ShiftRight<4>(hn::Add(v, round))), d, out + i);
  }
  for (; i < count; ++i) {
    out[i] = static_cast<T>(identity_tone(static_cast<uint32_t>(samples[i] ^ flip)));
  }
}

/// identity_tone15() likewise.
template <class D>
HWY_INLINE void identity_tones15(D d, const uint16_t* samples, uint32_t count, hn::TFromD<D>* out) {
  using T = hn::TFromD<D>;
  constexpr uint32_t kLanes = hn::MaxLanes(D());
  const hn::RebindToUnsigned<D> du;
  const auto one = hn::Set(du, uint16_t{1}), half = hn::Set(du, uint16_t{4});
  uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto v = hn::LoadU(du, samples + i);
    const auto by_255 = hn::ShiftRight<8>(hn::Add(hn::Add(v, one), hn::ShiftRight<8>(v)));
    const auto tone = hn::ShiftRight<3>(hn::Add(hn::Add(v, half), by_255));
    hn::StoreU(hn::BitCast(d, tone), d, out + i);
  }
  for (; i < count; ++i) out[i] = static_cast<T>(identity_tone15(samples[i]));
}

/// Tones of `count` samples from column `begin` on of row `row` of `in`; D has lanes of 16 bits.
template <class D>
HWY_INLINE void curve_tones(D d,
                            const ToneCurve& curve,
                            const SampleBand& in,
                            int64_t row,
                            uint32_t begin,
                            uint32_t count,
                            hn::TFromD<D>* out) {
  using T = hn::TFromD<D>;
  const ToneForm form = curve.form();
  if (in.bytes_per_sample == 1) {
    const uint8_t* samples = in.row8(row) + begin;
    if (form == ToneForm::kAny) {
      for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<T>(curve[samples[i]]);
    } else {
      identity_tones(d, samples, count, form == ToneForm::kInverse8 ? 255 : 0, out);
    }
  } else {
    const uint16_t* samples = in.row16(row) + begin;
    if (form == ToneForm::kIdentity15) {
      identity_tones15(d, samples, count, out);
    } else {
      for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<T>(curve[samples[i]]);
    }
  }
}

/// Replaces `count` tones by textured_tone(tone, value); D has lanes of 16 bits without sign.
template <class D>
HWY_INLINE void textured_tones(D d, const int16_t* values, uint32_t count, uint16_t* tones) {
  constexpr uint32_t kLanes = hn::MaxLanes(D());
  const hn::RebindToSigned<D> ds;
  const auto half = hn::Set(ds, int16_t{kSolid / 2});
  const auto quarter = hn::Set(ds, int16_t{kSolid / 4});
  const auto least = hn::Set(ds, int16_t{256});
  uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto tone = hn::BitCast(ds, hn::LoadU(d, tones + i));
    const auto from_half = hn::Abs(hn::Sub(tone, half));
    const auto from_quarter = hn::Abs(hn::Sub(from_half, quarter));
    const auto from_either = hn::Min(from_half, hn::Add(from_quarter, from_quarter));
    const auto slope = hn::BitCast(d, hn::ShiftLeft<3>(from_either));
    const auto peak = hn::BitCast(ds, hn::SaturatedSub(hn::BitCast(d, quarter), slope));
    const auto amplitude = hn::Min(hn::Add(least, peak), hn::Sub(half, from_half));
    const auto value = hn::LoadU(ds, values + i);
    const auto moved = hn::Add(tone, hn::MulFixedPoint15(value, amplitude));
    hn::StoreU(hn::BitCast(d, moved), d, tones + i);
  }
  for (; i < count; ++i) tones[i] = static_cast<uint16_t>(textured_tone(tones[i], values[i]));
}

/// kTransposed columns, from `line` on, of every eighth line: 128 bits of each.
template <class D>
HWY_INLINE hn::Vec<D> load_columns(D d, const hn::TFromD<D>* line, size_t pitch) {
  if constexpr (hn::MaxLanes(D()) == kTransposed) {
    return hn::LoadU(d, line);
  } else {
    const hn::Half<D> half;
    constexpr size_t kUpper = hn::MaxLanes(D()) / 2;
    return hn::Combine(
        d, load_columns(half, line + kUpper * pitch, pitch), load_columns(half, line, pitch));
  }
}

/// kTransposed columns of as many lines as D has lanes, `pitch` values apart from `line` on, to a
/// vector a column, `stride` values apart: three rounds of interleaving the first half of the
/// vectors with the second.
template <class D>
HWY_INLINE void transpose(
    D d, const hn::TFromD<D>* line, size_t pitch, hn::TFromD<D>* to, size_t stride) {
  hn::Vec<D> a[kTransposed], b[kTransposed];
  for (size_t i = 0; i < kTransposed; ++i) a[i] = load_columns(d, line + i * pitch, pitch);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kTransposed / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kTransposed / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kTransposed / 2]);
    }
    for (size_t i = 0; i < kTransposed; ++i) a[i] = b[i];
  }
  for (size_t i = 0; i < kTransposed; ++i) hn::Store(a[i], d, to + i * stride);
}

}  // namespace mezzo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
