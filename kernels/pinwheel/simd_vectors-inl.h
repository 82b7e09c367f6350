// Vectors of pinwheel diffusion in lanes, and arithmetic that Highway does not have; compiled once
// for each SIMD target.

#if defined(MEZZOTINT_PINWHEEL_LANES_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_PINWHEEL_LANES_VECTORS_INL_H
#undef MEZZOTINT_PINWHEEL_LANES_VECTORS_INL_H
#else
#define MEZZOTINT_PINWHEEL_LANES_VECTORS_INL_H
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "kernels/base/noise.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::pinwheel::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<int16_t, 32>;  // a lane a block
using UnsignedTag = hn::RebindToUnsigned<Tag>;
using WideTag = hn::Repartition<int32_t, Tag>;
using WideUnsignedTag = hn::RebindToUnsigned<WideTag>;
using Vector = hn::Vec<Tag>;
constexpr uint32_t kLanes = hn::MaxLanes(Tag());

/// The 16-bit halves of 32-bit values that two vectors have, for the even and the odd lanes.
struct Halves {
  Vector low;
  Vector high;
};
template <class V>
HWY_INLINE Halves halves(V even, V odd) {
  const Tag d;
  return {hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(odd)), hn::BitCast(d, even)),
          hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<16>(even)))};
}

/// Of each entry `index` of a table whose entries are kApart bytes apart, the two numbers that it
/// begins with.
template <unsigned kApart>
HWY_INLINE Halves look_up(const int16_t* table, Vector index) {
  const WideTag d;
  const auto* const base = reinterpret_cast<const int32_t*>(table);
  const auto pairs = hn::BitCast(d, index);
  const auto even = hn::And(pairs, hn::Set(d, 0xFFFF));
  const auto odd = hn::ShiftRight<16>(pairs);
  constexpr int kShift = std::countr_zero(kApart);
  return halves(hn::GatherOffset(d, base, hn::ShiftLeft<kShift>(even)),
                hn::GatherOffset(d, base, hn::ShiftLeft<kShift>(odd)));
}

/// (a b) >> 7, which must fit int16.
HWY_INLINE Vector mul7(Vector a, Vector b) {
  const auto low = hn::ShiftRight<7>(hn::BitCast(UnsignedTag(), hn::Mul(a, b)));
  return hn::Or(hn::BitCast(Tag(), low), hn::ShiftLeft<9>(hn::MulHigh(a, b)));
}

/// mix_bits()
template <class V>
HWY_INLINE V mixed(V v) {
  const WideUnsignedTag d;
  v = hn::Mul(hn::Xor(v, hn::ShiftRight<16>(v)), hn::Set(d, 0x85EBCA6BU));
  v = hn::Mul(hn::Xor(v, hn::ShiftRight<13>(v)), hn::Set(d, 0xC2B2AE35U));
  return hn::Xor(v, hn::ShiftRight<16>(v));
}

/// pixel_noise() of pixels of a row, the first at `x`, the others `apart` apart. `of_row` is
/// row_noise().
HWY_INLINE hn::Vec<WideUnsignedTag> pixel_noises(uint32_t of_row, uint32_t x, uint32_t apart) {
  const WideUnsignedTag d;
  const auto all_x = hn::Add(hn::Set(d, x), hn::Mul(hn::Iota(d, 0), hn::Set(d, apart)));
  return mixed(hn::Xor(hn::Set(d, mix_bits(of_row + 0x9E3779B9U)), all_x));
}

/// perturbed(); `noise` is the high half of pixel_noise(). An unused weight is 0 and stays 0, but
/// for the last, which gains what another loses.
HWY_INLINE void perturb(Vector* weight, int legal, Vector amplitude, Vector noise) {
  const Vector by_first = mul7(amplitude, hn::ShiftRight<8>(hn::ShiftLeft<8>(noise)));
  const Vector by_second = mul7(amplitude, hn::ShiftRight<8>(noise));
  const Vector second = hn::MulFixedPoint15(weight[2], by_second);
  weight[1] = hn::SaturatedAdd(weight[1], hn::MulFixedPoint15(weight[1], by_first));
  weight[2] = hn::SaturatedAdd(weight[2], second);
  if ((legal & 8) != 0) weight[3] = hn::SaturatedSub(weight[3], second);
}

}  // namespace mezzo::pinwheel::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
