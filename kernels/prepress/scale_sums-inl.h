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

/// Levels of two samples of each column, side by side: those of some columns, and of the others.
struct Pairs {
  Level lower, upper;
};
HWY_INLINE Pairs pairs_of(Level a, Level b) {
  return {hn::InterleaveLower(Levels(), a, b), hn::InterleaveUpper(Levels(), a, b)};
}

/// Two weights, for each pair of lanes.
HWY_INLINE Level weight_pair(const int16_t* weights) {
  int32_t pair;
  std::memcpy(&pair, weights, sizeof pair);
  return hn::BitCast(Levels(), hn::Set(Sums(), pair));
}

/// Sums of weights, which have kHalf already, as levels; columns in the order before pairs_of().
HWY_INLINE Level to_levels(Sum lower, Sum upper) {
  const Levels d;
  // Saturation keeps what is above kInk15 above it.
  const Level level = hn::ReorderDemote2To(
      d, hn::ShiftRight<kWeightBits>(lower), hn::ShiftRight<kWeightBits>(upper));
  return hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, int16_t{kInk15}));
}

/// The mixture of four samples of each column.
HWY_INLINE Level mix_of_four(const Pairs& ab, Level ab_weights, const Pairs& ce, Level ce_weights) {
  const Sum half = hn::Set(Sums(), kHalf);
  return to_levels(add_pairs(ce.lower, ce_weights, add_pairs(ab.lower, ab_weights, half)),
                   add_pairs(ce.upper, ce_weights, add_pairs(ab.upper, ab_weights, half)));
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
