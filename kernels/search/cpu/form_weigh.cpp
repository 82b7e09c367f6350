#include "kernels/search/cpu/form_weigh.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/cpu/form_weigh.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::form::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many vectors of columns from x on. Two rows share a weight.
template <class D, int kVectors>
void weigh_some(D d,
                std::span<const int32_t> half,
                const int32_t* const* rows,
                int x,
                const Rounding& rounding,
                int32_t* out) {
  using Vector = hn::Vec<D>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Vector sums[kVectors];
  const Vector middle = hn::Set(d, half[0]);
  for (int v = 0; v < kVectors; ++v) {
    sums[v] =
        hn::Add(hn::Set(d, rounding.bias), hn::Mul(middle, hn::LoadU(d, rows[0] + x + v * lanes)));
  }
  for (int i = 1; i < static_cast<int>(half.size()); ++i) {
    const Vector weight = hn::Set(d, half[static_cast<size_t>(i)]);
    for (int v = 0; v < kVectors; ++v) {
      const int at = x + v * lanes;
      const Vector both = hn::Add(hn::LoadU(d, rows[-i] + at), hn::LoadU(d, rows[i] + at));
      sums[v] = hn::Add(sums[v], hn::Mul(weight, both));
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    hn::StoreU(hn::ShiftRightSame(sums[v], rounding.shift), d, out + x + v * lanes);
  }
}

void weigh_on_target(std::span<const int32_t> half,
                     const int32_t* const* rows,
                     int columns,
                     const Rounding& rounding,
                     int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const hn::CappedTag<int32_t, 1> one;
  constexpr int kVectors = 4;
  const int step = kVectors * static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + step <= columns; x += step) {
    weigh_some<decltype(d), kVectors>(d, half, rows, x, rounding, out);
  }
  for (; x < columns; ++x) weigh_some<decltype(one), 1>(one, half, rows, x, rounding, out);
}

}  // namespace mezzo::search::form::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search::form {

HWY_EXPORT(weigh_on_target);

void weigh(std::span<const int32_t> half,
           const int32_t* const* rows,
           int columns,
           const Rounding& rounding,
           int32_t* out) {
  HWY_DYNAMIC_DISPATCH(weigh_on_target)(half, rows, columns, rounding, out);
}

}  // namespace mezzo::search::form
#endif
