// Weighted sums of samples of 16 bits in vectors, as the taps of a filter need them.

#if defined(MEZZOTINT_PREPRESS_SCALE_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_PREPRESS_SCALE_SUMS_INL_H
#undef MEZZOTINT_PREPRESS_SCALE_SUMS_INL_H
#else
#define MEZZOTINT_PREPRESS_SCALE_SUMS_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "kernels/band/ink15.h"
#include "kernels/prepress/scale_axis.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Sums = hn::CappedTag<int32_t, 16>;
using Levels = hn::Repartition<int16_t, Sums>;
using Sum = hn::Vec<Sums>;
using Level = hn::Vec<Levels>;

constexpr int32_t kHalf = 1 << (kWeightBits - 1);

/// The sums of neighbouring products, added to `sum`.
HWY_INLINE Sum add_pairs(Level values, Level weights, Sum sum) {
  Sum other = hn::Zero(Sums());
  sum = hn::ReorderWidenMulAccumulate(Sums(), values, weights, sum, other);
  return hn::RearrangeToOddPlusEven(sum, other);
}

HWY_INLINE Sum to_level(Sum sum) {
  const Sums d;
  const Sum level = hn::ShiftRight<kWeightBits>(sum);
  return hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, int32_t{kInk15}));
}

/// The lanes of `a` and `b` side by side: those of even columns, or of odd ones.
HWY_INLINE Level even_pairs(Level a, Level b) {
  return hn::OddEven(hn::BitCast(Levels(), hn::ShiftLeft<16>(hn::BitCast(Sums(), b))), a);
}
HWY_INLINE Level odd_pairs(Level a, Level b) {
  return hn::OddEven(b, hn::BitCast(Levels(), hn::ShiftRight<16>(hn::BitCast(Sums(), a))));
}

/// Two weights, for each pair of lanes.
HWY_INLINE Level weight_pair(const int16_t* weights) {
  int32_t pair;
  std::memcpy(&pair, weights, sizeof pair);
  return hn::BitCast(Levels(), hn::Set(Sums(), pair));
}

/// Four samples with weights, of lanes side by side: pairs of `ab` and of `ce`.
HWY_INLINE Sum level_of_four(Level ab, Level ab_weights, Level ce, Level ce_weights) {
  return to_level(add_pairs(ce, ce_weights, add_pairs(ab, ab_weights, hn::Set(Sums(), kHalf))));
}

/// The lanes of even columns and of odd ones, each in 32 bits, in one vector.
HWY_INLINE Level joined(Sum even, Sum odd) {
  return hn::OddEven(hn::BitCast(Levels(), hn::ShiftLeft<16>(odd)), hn::BitCast(Levels(), even));
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
