#include "kernels/prepress/edge_borders.h"

#include <algorithm>
#include <cstring>

#include "kernels/prepress/scale_axis.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/edge_borders.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A treated pixel of a plane, and its plate pixels.
struct Treated {
  const EdgePlanes& tile;
  const EdgePlates& plates;
  size_t plane;
  ptrdiff_t row, column;
  uint32_t first, count;  ///< columns of the plate

  const EdgeTile::Grids& grids() const { return tile.grids(plane); }
  int16_t* samples(size_t of_plane, size_t plate_row) const {
    return plates.rows[of_plane * plates.downs.size() + plate_row] + first;
  }
  bool is_followed_by(size_t other) const {
    return *tile.grids(other).mark.at(row, column) == EdgeTile::kFollows &&
           tile.leader(row, column) == plane;
  }
};

/// The cuts of a page pixel and the eight around it, row by row, in 1/256 of the difference of the levels. A pixel
/// without a cut has that of the page pixel. Each cut is half way to that pixel's own if that pixel is thin, and half
/// way if that pixel is mixed and the cut is that of a pure one.
struct CutsAround {
  int32_t cuts[3][3];

  explicit CutsAround(const Treated& of) {
    const EdgeTile::Grids& grids = of.grids();
    const int32_t own = *grids.cut.at(of.row, of.column);
    const uint8_t own_kind = *grids.kind.at(of.row, of.column);
    const bool is_thin = own_kind == EdgeTile::kThin, is_mixed = (own_kind & EdgeTile::kMixed) != 0;
    for (ptrdiff_t down = 0; down < 3; ++down) {
      const uint8_t* kind = grids.kind.at(of.row + down - 1, of.column - 1);
      const int16_t* cut = grids.cut.at(of.row + down - 1, of.column - 1);
      for (ptrdiff_t right = 0; right < 3; ++right) {
        int32_t found = kind[right] == EdgeTile::kOther ? own : cut[right];
        if (is_thin) found = (found + own) >> 1;
        if (is_mixed && kind[right] == EdgeTile::kPureLevel) found = (found + own) >> 1;
        cuts[down][right] = found;
      }
    }
  }
};

/// The plate pixels of some columns that lie on the lower side of a border, row by row.
template <size_t kLanes>
class Sides {
 public:
  using Numbers = hn::CappedTag<int32_t, kLanes>;
  using Samples = hn::Rebind<int16_t, Numbers>;
  using Number = hn::Vec<Numbers>;
  using Sample = hn::Vec<Samples>;

  /// `offsets` are those of the columns.
  HWY_INLINE Sides(const Treated& of, const CutsAround& around, const uint32_t* offsets) {
    const int16_t low = *of.grids().low.at(of.row, of.column);
    low_ = number(low);
    span_ = number(*of.grids().high.at(of.row, of.column) - low);
    const Numbers d;
    const Number offset = hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<Numbers>(), offsets));
    const auto is_left = hn::Lt(offset, number(256));
    const Number part = hn::And(offset, number(255));
    Number rows[3];
    for (int i = 0; i < 3; ++i) {
      const int32_t(&cuts)[3] = around.cuts[i];
      const Number before = hn::IfThenElse(is_left, number(cuts[0]), number(cuts[1]));
      const Number behind = hn::IfThenElse(is_left, number(cuts[1]), number(cuts[2]));
      rows[i] = hn::Add(hn::ShiftLeft<8>(before), hn::Mul(hn::Sub(behind, before), part));
    }
    for (int i = 0; i < 2; ++i) {
      from_[i] = rows[i];
      rise_[i] = hn::Sub(rows[i + 1], rows[i]);
    }
  }

  /// All bits are set in pixels on the lower side. `surface` has the samples of the columns in a plate row.
  HWY_INLINE Sample at(uint32_t down, const int16_t* surface) const {
    const size_t half = down < 256 ? 0 : 1;
    const Number part = number(static_cast<int32_t>(down & 255));
    const Number height =
        hn::Add(from_[half], hn::ShiftRight<8>(hn::Mul(rise_[half], part)));  // in 1/65536
    // The upper bits of the product of 16 and 18 bits, in 32.
    const Number upper = of_span(hn::ShiftRight<8>(height));
    const Number lower = hn::ShiftRight<8>(of_span(hn::And(height, number(255))));
    const Number limit = hn::Add(low_, hn::ShiftRight<8>(hn::Add(upper, lower)));
    const Number sample = hn::PromoteTo(Numbers(), hn::LoadU(Samples(), surface));
    return hn::DemoteTo(Samples(), hn::VecFromMask(Numbers(), hn::Lt(sample, limit)));
  }

 private:
  static HWY_INLINE Number number(int32_t value) { return hn::Set(Numbers(), value); }

  /// The product of the span and values of 16 bits: the upper half of a span is 0.
  HWY_INLINE Number of_span(Number values) const {
    const hn::Repartition<int16_t, Numbers> halves;
    Number other = number(0);
    const Number sum = hn::ReorderWidenMulAccumulate(
        Numbers(), hn::BitCast(halves, values), hn::BitCast(halves, span_), number(0), other);
    return hn::RearrangeToOddPlusEven(sum, other);
  }

  Number low_, span_;
  Number from_[2], rise_[2];  ///< the cut at each column above and below the centre, in 1/65536
};

/// Makes the pixels of a border in its plane and in those that follow it. They are kLanes or more. The last vector may
/// begin among pixels that are made, and leaves them.
template <size_t kLanes>
HWY_INLINE void make_border(const Treated& of, const CutsAround& cuts) {
  const typename Sides<kLanes>::Samples d;
  using Sample = hn::Vec<decltype(d)>;
  const size_t rows = of.plates.downs.size();
  for (size_t i = 0; i < of.count; i += hn::Lanes(d)) {
    const size_t at = std::min<size_t>(i, of.count - hn::Lanes(d));
    const Sides<kLanes> sides(of, cuts, of.plates.offsets + of.first + at);
    Sample is_low[Ratio::kMostUp + 1];
    for (size_t y = 0; y < rows; ++y) {
      is_low[y] = sides.at(of.plates.downs[y], of.samples(of.plane, y) + at);
    }
    const auto is_made = hn::Lt(hn::Iota(d, int16_t{0}), hn::Set(d, static_cast<int16_t>(i - at)));
    for (size_t plane = 0; plane < of.tile.planes(); ++plane) {
      if (plane != of.plane && !of.is_followed_by(plane)) continue;
      const EdgeTile::Grids& grids = of.tile.grids(plane);
      const Sample low = hn::Set(d, *grids.low.at(of.row, of.column));
      const Sample high = hn::Set(d, *grids.high.at(of.row, of.column));
      for (size_t y = 0; y < rows; ++y) {
        int16_t* to = of.samples(plane, y) + at;
        const Sample ink = hn::IfVecThenElse(is_low[y], low, high);
        hn::StoreU(at == i ? ink : hn::IfThenElse(is_made, hn::LoadU(d, to), ink), d, to);
      }
    }
  }
}

void make_border_of_any_width(const Treated& of) {
  const CutsAround cuts(of);
  if (of.count >= 8) return make_border<8>(of, cuts);
  if (of.count >= 4) return make_border<4>(of, cuts);
  if (of.count >= 2) return make_border<2>(of, cuts);
  if (of.count == 1) make_border<1>(of, cuts);
}

void keep_within_limits(const Treated& of) {
  const int16_t low = *of.grids().low.at(of.row, of.column);
  const int16_t high = *of.grids().high.at(of.row, of.column);
  for (size_t y = 0; y < of.plates.downs.size(); ++y) {
    int16_t* samples = of.samples(of.plane, y);
    for (size_t i = 0; i < of.count; ++i) samples[i] = std::clamp(samples[i], low, high);
  }
}

/// Calls take(column) for the pixels of a row that are treated.
template <typename Take>
HWY_INLINE void for_each_treated(const EdgeTile::Grids& grids,
                                 ptrdiff_t row,
                                 ptrdiff_t columns,
                                 Take take) {
  for (ptrdiff_t first = 0; first < columns; first += 8) {
    const uint8_t* marks = grids.mark.at(row, first);
    uint64_t eight;
    std::memcpy(&eight, marks, sizeof eight);
    if (eight == 0) continue;
    for (ptrdiff_t i = 0; i < std::min<ptrdiff_t>(8, columns - first); ++i) {
      if (marks[i] == EdgeTile::kTreated) take(first + i);
    }
  }
}

void make_borders_of_row(const EdgePlanes& tile, ptrdiff_t row, const EdgePlates& plates) {
  for (size_t plane = 0; plane < tile.planes(); ++plane) {
    const EdgeTile::Grids& grids = tile.grids(plane);
    for_each_treated(grids, row, ptrdiff_t{tile.place().columns}, [&](ptrdiff_t x) {
      const uint32_t first = plates.firsts[x], count = plates.firsts[x + 1] - first;
      const Treated pixel{tile, plates, plane, row, x, first, count};
      if (*grids.kind.at(row, x) == EdgeTile::kOther) {
        keep_within_limits(pixel);
      } else {
        make_border_of_any_width(pixel);
      }
    });
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(make_borders_of_row);

void make_borders(const EdgePlanes& tile, ptrdiff_t row, const EdgePlates& plates) {
  HWY_DYNAMIC_DISPATCH(make_borders_of_row)(tile, row, plates);
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
