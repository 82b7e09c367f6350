#include "kernels/prepress/edge_borders.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/edge_borders.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The cuts of a page pixel and of those left and right of it, at the height of a plate row, in 1/65536
/// of the difference of the levels.
struct CutsOfRow {
  int32_t left, own, right;

  CutsOfRow(const int16_t (&cuts)[3][3], uint32_t down) {
    const auto part = static_cast<int32_t>(down & 255);
    const int16_t *upper = cuts[down < 256 ? 0 : 1], *lower = upper + 3;
    const auto at = [&](int i) { return upper[i] * (256 - part) + lower[i] * part; };
    left = at(0);
    own = at(1);
    right = at(2);
  }
};

/// Which plate pixels of a border are on its lower side, kLanes at a time.
template <size_t kLanes>
class Sides {
 public:
  using Numbers = hn::CappedTag<int32_t, kLanes>;
  using Samples = hn::Rebind<int16_t, Numbers>;
  using Number = hn::Vec<Numbers>;
  using Sample = hn::Vec<Samples>;

  /// `offsets` and `surface` are those of the border's first column.
  HWY_INLINE Sides(const EdgeBorders::Border& border,
                   const CutsOfRow& cuts,
                   const uint32_t* offsets,
                   const int16_t* surface)
      : offsets_(offsets),
        surface_(surface),
        left_(number(cuts.left)),
        own_(number(cuts.own)),
        to_own_(number(cuts.own - cuts.left)),
        to_right_(number(cuts.right - cuts.own)),
        low_(number(border.low)),
        span_(number(border.span)) {}

  /// All bits are set in pixels on the lower side.
  HWY_INLINE Sample at(size_t i) const {
    const Numbers d;
    const Number offset = hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<Numbers>(), offsets_ + i));
    const auto is_left = hn::Lt(offset, number(256));
    const Number part = hn::And(offset, number(255));
    const Number rise =
        hn::ShiftRight<8>(hn::Mul(hn::IfThenElse(is_left, to_own_, to_right_), part));
    const Number height = hn::Add(hn::IfThenElse(is_left, left_, own_), rise);
    // The upper bits of the product of 16 and 18 bits, in 32.
    const Number lower = hn::ShiftRight<8>(hn::Mul(span_, hn::And(height, number(255))));
    const Number upper = hn::Mul(span_, hn::ShiftRight<8>(height));
    const Number limit = hn::Add(low_, hn::ShiftRight<8>(hn::Add(upper, lower)));
    const Number sample = hn::PromoteTo(d, hn::LoadU(Samples(), surface_ + i));
    return hn::DemoteTo(Samples(), hn::VecFromMask(d, hn::Lt(sample, limit)));
  }

 private:
  static HWY_INLINE Number number(int32_t value) { return hn::Set(Numbers(), value); }

  const uint32_t* offsets_;
  const int16_t* surface_;
  Number left_, own_, to_own_, to_right_, low_, span_;
};

/// `border` has kLanes pixels or more. Those of its last lanes are looked at first: they may have been made when their
/// turn comes.
template <size_t kLanes>
HWY_INLINE void make_border(const EdgeBorders::Border& border,
                            std::span<const EdgeBorders::Inks> inks,
                            const CutsOfRow& cuts,
                            const uint32_t* offsets,
                            int16_t* const* plates) {
  using Of = Sides<kLanes>;
  const typename Of::Samples d;
  const Of sides(border, cuts, offsets + border.first, plates[border.plane] + border.first);
  const auto put = [&](size_t at, typename Of::Sample is_low) {
    for (const EdgeBorders::Inks& of : inks) {
      const auto ink = hn::IfVecThenElse(is_low, hn::Set(d, of.low), hn::Set(d, of.high));
      hn::StoreU(ink, d, plates[of.plane] + border.first + at);
    }
  };
  const size_t last = border.count - hn::Lanes(d);
  const typename Of::Sample of_last = sides.at(last);
  for (size_t i = 0; i < last; i += hn::Lanes(d)) put(i, sides.at(i));
  put(last, of_last);
}

void make_border_of_any_width(const EdgeBorders::Border& border,
                              std::span<const EdgeBorders::Inks> inks,
                              uint32_t down,
                              const uint32_t* offsets,
                              int16_t* const* plates) {
  const CutsOfRow cuts(border.cuts, down);
  if (border.count >= 8) return make_border<8>(border, inks, cuts, offsets, plates);
  if (border.count >= 4) return make_border<4>(border, inks, cuts, offsets, plates);
  if (border.count >= 2) return make_border<2>(border, inks, cuts, offsets, plates);
  if (border.count == 1) make_border<1>(border, inks, cuts, offsets, plates);
}

void make_borders(std::span<const EdgeBorders::Border> borders,
                  std::span<const EdgeBorders::Inks> inks,
                  uint32_t down,
                  const uint32_t* offsets,
                  int16_t* const* plates) {
  for (size_t i = 0; i < borders.size(); ++i) {
    const size_t first = borders[i].inks;
    const size_t end = i + 1 < borders.size() ? borders[i + 1].inks : inks.size();
    make_border_of_any_width(borders[i], inks.subspan(first, end - first), down, offsets, plates);
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {
namespace {

void set_cuts(const EdgeTile::Grids& grids,
              ptrdiff_t row,
              ptrdiff_t column,
              int16_t (&cuts)[3][3]) {
  const int own = *grids.cut.at(row, column);
  const bool is_thin = *grids.kind.at(row, column) == EdgeTile::kThin;
  for (int down = 0; down < 3; ++down) {
    const uint8_t* kind = grids.kind.at(row + down - 1, column - 1);
    const int16_t* cut = grids.cut.at(row + down - 1, column - 1);
    for (int right = 0; right < 3; ++right) {
      const int found = kind[right] == EdgeTile::kOther ? own : cut[right];
      cuts[down][right] = static_cast<int16_t>(is_thin ? (found + own) >> 1 : found);
    }
  }
}

/// Calls take(column) for the pixels of a row that are treated.
template <typename Take>
void for_each_treated(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t columns, Take take) {
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

}  // namespace

HWY_EXPORT(make_borders);

EdgeBorders::EdgeBorders(size_t planes) {
  borders_.reserve(planes * EdgeTile::kColumns);
  inks_.reserve(planes * EdgeTile::kColumns);
  limits_.reserve(planes * EdgeTile::kColumns);
}

void EdgeBorders::add_border(const EdgePlanes& tile,
                             size_t plane,
                             ptrdiff_t row,
                             ptrdiff_t column) {
  const auto add_inks = [&](size_t of) {
    const EdgeTile::Grids& grids = tile.grids(of);
    inks_.push_back(
        {static_cast<uint16_t>(of), *grids.low.at(row, column), *grids.high.at(row, column)});
  };
  Border border{};
  border.first = columns_.firsts[column];
  border.count = columns_.firsts[column + 1] - border.first;
  border.inks = static_cast<uint32_t>(inks_.size());
  add_inks(plane);
  const Inks& own = inks_.back();
  border.plane = own.plane;
  border.low = own.low;
  border.span = static_cast<int16_t>(own.high - own.low);
  set_cuts(tile.grids(plane), row, column, border.cuts);
  borders_.push_back(border);
  for (size_t i = 0; i < tile.planes(); ++i) {
    const bool follows = *tile.grids(i).mark.at(row, column) == EdgeTile::kFollows;
    if (follows && tile.leader(row, column) == plane) add_inks(i);
  }
}

void EdgeBorders::add_limits(const EdgeTile::Grids& grids,
                             size_t plane,
                             ptrdiff_t row,
                             ptrdiff_t column) {
  const uint32_t first = columns_.firsts[column];
  limits_.push_back({first,
                     columns_.firsts[column + 1] - first,
                     static_cast<uint16_t>(plane),
                     *grids.low.at(row, column),
                     *grids.high.at(row, column)});
}

void EdgeBorders::find(const EdgePlanes& tile, ptrdiff_t row, const Columns& columns) {
  borders_.clear();
  inks_.clear();
  limits_.clear();
  columns_ = columns;
  for (size_t plane = 0; plane < tile.planes(); ++plane) {
    const EdgeTile::Grids& grids = tile.grids(plane);
    for_each_treated(grids, row, ptrdiff_t{tile.place().columns}, [&](ptrdiff_t x) {
      if (*grids.kind.at(row, x) != EdgeTile::kOther) {
        add_border(tile, plane, row, x);
      } else {
        add_limits(grids, plane, row, x);
      }
    });
  }
}

void EdgeBorders::make(uint32_t down, std::span<int16_t* const> plates) const {
  HWY_DYNAMIC_DISPATCH(make_borders)(borders_, inks_, down, columns_.offsets, plates.data());
  for (const Limits& of : limits_) {
    int16_t* samples = plates[of.plane] + of.first;
    for (uint32_t i = 0; i < of.count; ++i) samples[i] = std::clamp(samples[i], of.low, of.high);
  }
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
