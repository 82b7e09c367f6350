#include "kernels/search/cpu/dbs_look.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/cpu/dbs_look.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::dbs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many vectors of columns from x on.
template <class D, int kVectors>
void look_at(D d, const Square& eye, const FoldedRows& rows, int x, int32_t* out) {
  using Vector = hn::Vec<D>;
  const int r = eye.radius(), lanes = static_cast<int>(hn::Lanes(d));
  Vector sums[kVectors];
  for (Vector& sum : sums) sum = hn::Zero(d);
  for (int dy = 0; dy <= r; ++dy) {
    const int32_t* const centre = rows.values + static_cast<size_t>(dy) * rows.stride + x;
    const Vector middle = hn::Set(d, eye.at(dy, 0));
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], hn::Mul(middle, hn::LoadU(d, centre + v * lanes)));
    }
    for (int dx = 1; dx <= r; ++dx) {
      const Vector weight = hn::Set(d, eye.at(dy, dx));
      for (int v = 0; v < kVectors; ++v) {
        const int32_t* const at = centre + v * lanes;
        const Vector both = hn::Add(hn::LoadU(d, at - dx), hn::LoadU(d, at + dx));
        sums[v] = hn::Add(sums[v], hn::Mul(weight, both));
      }
    }
  }
  for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + x + v * lanes);
}

void look_on_target(const Square& eye, const FoldedRows& rows, int columns, int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  constexpr int kVectors = 4;
  const int step = kVectors * static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + step <= columns; x += step) look_at<decltype(d), kVectors>(d, eye, rows, x, out);
  if (x == columns) return;
  if (columns >= step) {  // the last ones once more
    look_at<decltype(d), kVectors>(d, eye, rows, columns - step, out);
    return;
  }
  for (; x < columns; ++x) {
    look_at<hn::CappedTag<int32_t, 1>, 1>(hn::CappedTag<int32_t, 1>(), eye, rows, x, out);
  }
}

}  // namespace mezzo::search::dbs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search::dbs {

HWY_EXPORT(look_on_target);

void look(const Square& eye, const FoldedRows& rows, int columns, int32_t* out) {
  HWY_DYNAMIC_DISPATCH(look_on_target)(eye, rows, columns, out);
}

}  // namespace mezzo::search::dbs
#endif
