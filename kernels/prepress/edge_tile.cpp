#include "kernels/prepress/edge_tile.h"

#include <algorithm>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/edge_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/prepress/edge_pixels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

// ---- Plateaus ----

/// 1 where an ink is within `most` of paper, 256 where it is of solid.
HWY_INLINE Values near_paper_or_solid(Values ink, int32_t most) {
  const Where is_solid = is_at_least(ink, all(kSolid - most));
  return hn::IfThenElse(is_at_most(ink, all(most)), all(1), hn::IfThenElseZero(is_solid, all(256)));
}

HWY_INLINE void find_plateaus(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  const int16_t* ink = grids.ink.at(row, column);
  const Values m = load(ink);
  Values low = m, high = m, bend = hn::Zero(Pixels());
  for (const ptrdiff_t to : {ptrdiff_t{1}, kStride - 1, kStride, kStride + 1}) {
    const Values a = load(ink - to), b = load(ink + to);
    low = hn::Min(low, hn::Min(a, b));
    high = hn::Max(high, hn::Max(a, b));
    const Values second = hn::SaturatedAdd(hn::Sub(m, a), hn::Sub(m, b));
    bend = hn::Max(bend, hn::Max(second, hn::SaturatedSub(hn::Zero(Pixels()), second)));
  }
  const Values most = hn::Max(hn::Sub(high, m), hn::Sub(m, low));
  store(low, grids.low3.at(row, column));
  store(high, grids.high3.at(row, column));
  store(bend, grids.bend.at(row, column));
  store(kept_where(is_at_most(most, all(EdgeTile::kNoise)), m, -1), grids.plateau.at(row, column));
  store(kept_where(is_at_most(most, all(EdgeTile::kExact)), m, -1), grids.exact.at(row, column));
  store(near_paper_or_solid(m, EdgeTile::kPure), grids.near.at(row, column));
  store(near_paper_or_solid(m, EdgeTile::kExact), grids.nearest.at(row, column));
}

// ---- Levels ----

struct TwoLevels {
  Values low, high;  ///< -1 and more than kSolid: none
  Values low5, high5;
  Where low_is_exact, high_is_exact;
  Where is_type;
};

/// What the five pixels of each column around a row have in common.
struct ColumnsOfFive {
  using Row = int16_t[kStride];
  Row near, nearest;                ///< the sums
  Row least_exact, greatest_exact;  ///< of the inks of exact plateaus; -1: none

  static int16_t* at(Row& row, ptrdiff_t column) {
    return row + EdgeGrid<int16_t>::kBefore + column;
  }
};

/// The least of values that are not negative; -1 if there are none.
HWY_INLINE Values least_of_some(Values a, Values b) {
  const hn::RebindToUnsigned<Pixels> d;  // -1 is the greatest without a sign
  return hn::BitCast(Pixels(), hn::Min(hn::BitCast(d, a), hn::BitCast(d, b)));
}

HWY_INLINE void find_columns(const EdgeTile::Grids& grids,
                             ptrdiff_t row,
                             ptrdiff_t column,
                             ColumnsOfFive& of) {
  Values near = all(0), nearest = all(0), least = all(-1), greatest = all(-1);
  for (ptrdiff_t down = -2; down <= 2; ++down) {
    near = hn::Add(near, load(grids.near.at(row + down, column)));
    nearest = hn::Add(nearest, load(grids.nearest.at(row + down, column)));
    const Values exact = load(grids.exact.at(row + down, column));
    least = least_of_some(least, exact);
    greatest = hn::Max(greatest, exact);
  }
  store(near, of.at(of.near, column));
  store(nearest, of.at(of.nearest, column));
  store(least, of.at(of.least_exact, column));
  store(greatest, of.at(of.greatest_exact, column));
}

/// What the pixels of a 5x5 have in common.
struct Five {
  Values low, high;
  Values least_exact, greatest_exact;
  Values near, nearest;  ///< how many: near to paper, and 256 times those near to solid

  HWY_INLINE Five(const EdgeTile::Grids& grids,
                  ColumnsOfFive& columns,
                  ptrdiff_t row,
                  ptrdiff_t column)
      : low(all(kSolid)),
        high(all(0)),
        least_exact(all(-1)),
        greatest_exact(all(-1)),
        near(all(0)),
        nearest(all(0)) {
    for (const ptrdiff_t down : {-1, 1}) {  // four 3x3 are the 5x5
      for (const ptrdiff_t right : {-1, 1}) {
        low = hn::Min(low, load(grids.low3.at(row + down, column + right)));
        high = hn::Max(high, load(grids.high3.at(row + down, column + right)));
      }
    }
    for (ptrdiff_t x = column - 2; x <= column + 2; ++x) {
      near = hn::Add(near, load(columns.at(columns.near, x)));
      nearest = hn::Add(nearest, load(columns.at(columns.nearest, x)));
      least_exact = least_of_some(least_exact, load(columns.at(columns.least_exact, x)));
      greatest_exact = hn::Max(greatest_exact, load(columns.at(columns.greatest_exact, x)));
    }
  }

  HWY_INLINE Where is_type(Values bend) const {
    const auto of_paper = [](Values counts) { return hn::And(counts, all(255)); };
    const auto of_solid = [](Values counts) { return hn::ShiftRight<8>(counts); };
    const Values paper = of_paper(near), solid = of_solid(near);
    const Where is_two_level =
        hn::And(hn::And(is_at_least(paper, all(2)), is_at_least(solid, all(2))),
                is_at_least(hn::Add(paper, solid), all(10)));
    const Where is_sharp = hn::And(is_at_least(bend, all(EdgeTile::kBend)),
                                   is_at_least(hn::Sub(high, low), all(kSolid / 2)));
    const Where has_flat = is_at_least(hn::Max(of_paper(nearest), of_solid(nearest)), all(3));
    return hn::Or(is_two_level, hn::And(is_sharp, has_flat));
  }
};

HWY_INLINE Values greatest_bend(const int16_t* bend) {
  Values greatest = all(0);
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      greatest = hn::Max(greatest, load(bend + down * kStride + right));
    }
  }
  return greatest;
}

/// The plateaus that enclose the tones of the 3x3 most closely.
HWY_INLINE TwoLevels find_levels(const EdgeTile::Grids& grids,
                                 ColumnsOfFive& columns,
                                 ptrdiff_t row,
                                 ptrdiff_t column) {
  const Values below = hn::Min(
      hn::SaturatedAdd(load(grids.low3.at(row, column)), all(EdgeTile::kNoise)), all(kSolid));
  const Values above = hn::Sub(load(grids.high3.at(row, column)), all(EdgeTile::kNoise));
  Values low = all(-1), high = all(kSolid + 1);
  for (ptrdiff_t down = -2; down <= 2; ++down) {
    for (ptrdiff_t right = -2; right <= 2; ++right) {
      const Values plateau = load(grids.plateau.at(row + down, column + right));
      low = hn::Max(low, kept_where(is_at_most(plateau, below), plateau, -1));
      high = hn::Min(high, kept_where(is_at_least(plateau, above), plateau, kSolid + 1));
    }
  }
  const Five five(grids, columns, row, column);
  const Where has_exact = is_at_least(five.greatest_exact, all(0));
  return {low,
          high,
          five.low,
          five.high,
          hn::And(has_exact, is_at_most(five.least_exact, below)),
          hn::And(has_exact, is_at_least(five.greatest_exact, above)),
          five.is_type(greatest_bend(grids.bend.at(row, column)))};
}

/// Pixels near an extreme, kReach away at most: how many, and whether in several rows and columns.
template <ptrdiff_t kReach>
struct Repeats {
  Values count, in_several_rows, in_several_columns;  ///< of the latter two all bits are set

  /// `is_near` tells for each pixel.
  template <typename IsNear>
  HWY_INLINE explicit Repeats(IsNear is_near)
      : count(all(0)), in_several_rows(all(0)), in_several_columns(all(0)) {
    constexpr ptrdiff_t kSide = 2 * kReach + 1;
    Values columns[kSide], has_row = all(0);
    for (Values& column : columns) column = all(0);
    for (ptrdiff_t down = 0; down < kSide; ++down) {
      Values row = all(0);
      for (ptrdiff_t right = 0; right < kSide; ++right) {
        const Values mask = hn::VecFromMask(Pixels(), is_near(right - kReach, down - kReach));
        count = hn::Sub(count, mask);
        row = hn::Or(row, mask);
        columns[right] = hn::Or(columns[right], mask);
      }
      in_several_rows = hn::Or(in_several_rows, hn::And(has_row, row));
      has_row = hn::Or(has_row, row);
    }
    Values has_column = all(0);
    for (const Values& column : columns) {
      in_several_columns = hn::Or(in_several_columns, hn::And(has_column, column));
      has_column = hn::Or(has_column, column);
    }
  }
  HWY_INLINE Where are_three() const { return is_at_least(count, all(3)); }
  HWY_INLINE Where are_area() const {
    const Values both = hn::And(in_several_rows, in_several_columns);
    return hn::And(are_three(), hn::Lt(both, all(0)));
  }
};

/// Whether a gap or a stroke has the lowest or the highest ink of the 5x5 as its level.
struct Shown {
  Where low, high;
};

/// Pixels near an extreme that have more ink on no side, or ink on all sides: the gap or stroke is wider than they.
HWY_INLINE Shown shown_by_wide(const EdgeTile::Grids& grids,
                               ptrdiff_t row,
                               ptrdiff_t column,
                               const TwoLevels& levels) {
  Where low = hn::Lt(all(0), all(0)), high = low;
  const Values most = hn::Sub(levels.high5, all(EdgeTile::kInside));
  const Values least = hn::SaturatedAdd(levels.low5, all(EdgeTile::kInside));
  for (ptrdiff_t down = -2; down <= 2; ++down) {
    for (ptrdiff_t right = -2; right <= 2; ++right) {
      const Values ink = load(grids.ink.at(row + down, column + right));
      const Values low3 = load(grids.low3.at(row + down, column + right));
      const Values high3 = load(grids.high3.at(row + down, column + right));
      const Where is_low = is_at_most(ink, levels.low5, EdgeTile::kNoise);
      const Where is_high = is_at_least(ink, levels.high5, EdgeTile::kNoise);
      low = hn::Or(low, hn::And(is_low, is_at_most(high3, most)));
      high = hn::Or(high, hn::And(is_high, is_at_least(low3, least)));
    }
  }
  return {low, high};
}

HWY_INLINE Shown shown_levels(const EdgeTile::Grids& grids,
                              ptrdiff_t row,
                              ptrdiff_t column,
                              const TwoLevels& levels) {
  const Around around{grids.ink.at(row, column)};
  const Repeats<2> low([&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_most(around.at(right, down), levels.low5, 3 * EdgeTile::kExact);
  });
  const Repeats<2> high([&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_least(around.at(right, down), levels.high5, 3 * EdgeTile::kExact);
  });
  const Where is_line_in_solid =
      hn::And(low.are_three(),
              hn::And(is_at_least(levels.high5, all(kSolid - EdgeTile::kPure)),
                      hn::Gt(levels.low5, all(EdgeTile::kPure))));
  const Shown wide = shown_by_wide(grids, row, column, levels);
  return {hn::Or(hn::Or(low.are_area(), is_line_in_solid), wide.low),
          hn::Or(high.are_area(), wide.high)};
}

/// What gaps and strokes have whose level the 5x5 do not show: an extreme that pixels of the 7x7 repeat, or paper and
/// solid.
struct HiddenLevels {
  Values low, high;
};

HWY_INLINE HiddenLevels hidden_levels(const EdgeTile::Grids& grids,
                                      ptrdiff_t row,
                                      ptrdiff_t column) {
  Values low7 = all(kSolid), high7 = all(0);
  for (ptrdiff_t down = -2; down <= 2; down += 2) {
    for (ptrdiff_t right = -2; right <= 2; right += 2) {
      low7 = hn::Min(low7, load(grids.low3.at(row + down, column + right)));
      high7 = hn::Max(high7, load(grids.high3.at(row + down, column + right)));
    }
  }
  const Around around{grids.ink.at(row, column)};
  const Repeats<3> low([&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_most(around.at(right, down), low7, EdgeTile::kExact);
  });
  const Repeats<3> high([&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_least(around.at(right, down), high7, EdgeTile::kExact);
  });
  return {hn::IfThenElseZero(low.are_area(), low7), kept_where(high.are_area(), high7, kSolid)};
}

/// Puts the levels that have no plateau. `counts` are the pixels that need them.
HWY_INLINE void put_missing(const EdgeTile::Grids& grids,
                            ptrdiff_t row,
                            ptrdiff_t column,
                            Where counts,
                            TwoLevels& levels) {
  const Where has_low = is_at_least(levels.low, all(0));
  const Where has_high = is_at_most(levels.high, all(kSolid));
  const Shown shown = shown_levels(grids, row, column, levels);
  HiddenLevels hidden{all(0), all(kSolid)};
  const Where are_known = hn::And(hn::Or(has_low, shown.low), hn::Or(has_high, shown.high));
  if (is_any(hn::AndNot(are_known, counts))) hidden = hidden_levels(grids, row, column);
  const Values other_low = hn::IfThenElse(shown.low, levels.low5, hidden.low);
  const Values other_high = hn::IfThenElse(shown.high, levels.high5, hidden.high);
  levels.low = hn::IfThenElse(has_low, levels.low, other_low);
  levels.high = hn::IfThenElse(has_high, levels.high, other_high);
}

/// The pixels whose levels count, of those that have contrast.
HWY_INLINE Where settle_levels(const EdgeTile::Grids& grids,
                               ptrdiff_t row,
                               ptrdiff_t column,
                               Where has_contrast,
                               TwoLevels& levels) {
  const Where has_both =
      hn::And(is_at_least(levels.low, all(0)), is_at_most(levels.high, all(kSolid)));
  const Where is_sure = hn::Or(levels.is_type, hn::Or(levels.low_is_exact, levels.high_is_exact));
  Where counts = hn::And(has_contrast, hn::Or(is_sure, has_both));
  const Where lack_one = hn::AndNot(has_both, counts);
  if (is_any(lack_one)) put_missing(grids, row, column, lack_one, levels);
  const Where is_black_on_white = hn::And(is_at_most(levels.low, all(EdgeTile::kPure)),
                                          is_at_least(levels.high, all(kSolid - EdgeTile::kPure)));
  counts = hn::And(counts, hn::Or(is_sure, is_black_on_white));
  const Where is_photo = hn::AndNot(hn::And(levels.low_is_exact, levels.high_is_exact),
                                    hn::AndNot(levels.is_type, has_both));
  const Values least = hn::IfThenElse(is_photo, all(EdgeTile::kPhotoStep), all(EdgeTile::kStep));
  return hn::And(counts, is_at_least(hn::Sub(levels.high, levels.low), least));
}

// ---- Kinds ----

/// Whether anti-aliasing, which is one pixel wide, may have mixed a pixel: one level on one side, and
/// on the other side the other one or, in a thin stroke, the first again, two pixels away at most.
HWY_INLINE Where is_border(const Around& around, const TwoLevels& levels) {
  const auto is_low = [&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_most(around.at(right, down), levels.low, EdgeTile::kNoise);
  };
  const auto is_high = [&](ptrdiff_t right, ptrdiff_t down) {
    return is_at_least(around.at(right, down), levels.high, EdgeTile::kNoise);
  };
  Where is_border = hn::Lt(all(0), all(0));
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      if (right == 0 && down == 0) continue;
      const Where high_here = is_high(right, down);
      const Where beyond_low =
          hn::Or(hn::Or(high_here, is_low(right, down)), is_low(2 * right, 2 * down));
      const Where beyond_high = hn::Or(high_here, is_high(2 * right, 2 * down));
      is_border = hn::Or(is_border,
                         hn::Or(hn::And(is_low(-right, -down), beyond_low),
                                hn::And(is_high(-right, -down), beyond_high)));
    }
  }
  return is_border;
}

/// Pixels of the 3x3 that have a level, and the sum of their differences from it, which are at most kNoise.
struct LevelSum {
  Values count, sum;

  HWY_INLINE void add(Where has_level, Values difference) {
    count = counted(count, has_level);
    sum = hn::Add(sum, hn::IfThenElseZero(has_level, difference));
  }
  /// The mean of the pixels that have the level; the level itself where there are none.
  HWY_INLINE Values mean(Values level) const {
    const auto no_less = [&](Values values) {
      return hn::Add(values, hn::Mul(count, all(EdgeTile::kNoise)));
    };
    const Values some = hn::Max(count, all(1));
    const Values part = narrowed(quotient(widened(no_less(sum)), widened(some)));
    const Values mean = hn::Add(level, hn::Sub(part, all(EdgeTile::kNoise)));
    return hn::IfThenElse(is_at_least(count, all(1)), mean, level);
  }
};

/// The levels as they are around the pixel.
struct LocalLevels {
  Values low, high;
  Where are_all;  ///< each pixel of the 3x3 has one
};

/// Paper is paper: no specks beside type.
HWY_INLINE LocalLevels local_levels(const Around& around,
                                    const TwoLevels& levels,
                                    Values low3,
                                    Values high3) {
  LevelSum low{all(0), all(0)}, high{all(0), all(0)};
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      const Values ink = around.at(right, down);
      const Where is_low = is_at_most(ink, levels.low, EdgeTile::kNoise);
      low.add(is_low, hn::Sub(ink, levels.low));
      high.add(hn::AndNot(is_low, is_at_least(ink, levels.high, EdgeTile::kNoise)),
               hn::Sub(ink, levels.high));
    }
  }
  const Where has_paper = is_at_most(low3, all(EdgeTile::kExact));
  const Where has_solid = is_at_least(high3, all(kSolid - EdgeTile::kExact));
  return {hn::IfThenZeroElse(has_paper, low.mean(levels.low)),
          hn::IfThenElse(has_solid, all(kSolid), high.mean(levels.high)),
          is_at_least(hn::Add(low.count, high.count), all(9))};
}

// ---- Pixels ----

/// The height above which as much of the surface lies as there is ink in a mixed pixel; of a pure one,
/// a height that leaves all of it its level.
HWY_INLINE Wide height_of_cut(const Around& around,
                              Where is_pure,
                              Where is_low,
                              const LocalLevels& levels) {
  Surface surface;
  make_surface(around, surface);
  sort(surface);
  const Values span = hn::Sub(levels.high, levels.low), middle = mean_of(levels.low, levels.high);
  const Values above = hn::Sub(around.at(0, 0), levels.low);
  const Wide ink = widened(hn::Min(hn::Max(above, all(0)), span));
  const auto in_4096ths = [](Sum x, Sum) { return hn::ShiftLeft<12>(x); };
  const Wide share = quotient(each_of(ink, ink, in_4096ths), widened(span));
  const Wide mixed = height_above(surface, narrowed(share));
  const Wide pure = widened(hn::IfThenElse(
      is_low, hn::Max(middle, hn::Add(surface[0], all(1))), hn::Min(middle, surface[15])));
  const Wide which = widened(hn::VecFromMask(Pixels(), is_pure));
  const auto chosen = [](Sum mask, Sum yes, Sum no) { return hn::IfVecThenElse(mask, yes, no); };
  return {chosen(which.lower, pure.lower, mixed.lower),
          chosen(which.upper, pure.upper, mixed.upper)};
}

/// Settles the pixels of a block that have contrast, their cuts if these are needed. Returns those that are not other.
HWY_INLINE Where settle_pixels(const EdgeTile::Grids& grids,
                               ColumnsOfFive& columns,
                               ptrdiff_t row,
                               ptrdiff_t column,
                               Where has_contrast,
                               bool needs_cuts) {
  const Around around{grids.ink.at(row, column)};
  TwoLevels levels = find_levels(grids, columns, row, column);
  Where counts = settle_levels(grids, row, column, has_contrast, levels);
  if (!is_any(counts)) return counts;
  const Values ink = around.at(0, 0);
  const Where is_low = is_at_most(ink, levels.low, EdgeTile::kNoise);
  const Where is_pure = hn::Or(is_low, is_at_least(ink, levels.high, EdgeTile::kNoise));
  const Where is_clear = hn::Or(levels.is_type, is_pure);
  if (is_any(hn::AndNot(is_clear, counts))) {
    counts = hn::And(counts, hn::Or(is_clear, is_border(around, levels)));
  }
  const LocalLevels local = local_levels(
      around, levels, load(grids.low3.at(row, column)), load(grids.high3.at(row, column)));
  counts = hn::And(counts, is_at_least(hn::Sub(local.high, local.low), all(EdgeTile::kFaint)));
  const Where has_levels = hn::And(is_at_most(levels.low5, levels.low, EdgeTile::kNoise),
                                   is_at_least(levels.high5, levels.high, EdgeTile::kNoise));
  const Values mixed = hn::IfThenElse(has_levels, all(EdgeTile::kMixed), all(EdgeTile::kThin));
  const Values kind = hn::IfThenElse(is_pure, all(EdgeTile::kPureLevel), mixed);
  Values cut = all(128);
  if (needs_cuts && is_any(hn::AndNot(local.are_all, counts))) {
    const Wide height = height_of_cut(around, is_pure, is_low, local);
    cut = hn::IfThenElse(local.are_all, cut, cut_at(height, local.low, local.high));
  }
  store(hn::IfThenElseZero(counts, kind), grids.kind.at(row, column));
  store(cut, grids.cut.at(row, column));
  store(local.low, grids.low.at(row, column));
  store(local.high, grids.high.at(row, column));
  return counts;
}

HWY_INLINE Where have_contrast(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  const Values low = load(grids.low3.at(row, column)), high = load(grids.high3.at(row, column));
  return is_at_least(hn::Sub(high, low), all(EdgeTile::kFaint));
}

HWY_INLINE void find_pixels(const EdgeTile::Grids& grids,
                            ColumnsOfFive& columns,
                            ptrdiff_t row,
                            ptrdiff_t column,
                            bool needs_cuts) {
  const Where has_contrast = have_contrast(grids, row, column);
  Where is_soft = has_contrast;
  store(all(EdgeTile::kOther), grids.kind.at(row, column));
  if (is_any(has_contrast)) {
    is_soft = hn::AndNot(settle_pixels(grids, columns, row, column, has_contrast, needs_cuts),
                         has_contrast);
  }
  store(hn::IfThenElseZero(is_soft, all(1)), grids.is_soft.at(row, column));
}

/// Whether a block has a mixed pixel, or one beside it.
HWY_INLINE bool has_mixed(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  const Values kinds =
      hn::Or(load(grids.kind.at(row, column)),
             hn::Or(load(grids.kind.at(row, column - 1)), load(grids.kind.at(row, column + 1))));
  return is_any(hn::TestBit(kinds, all(EdgeTile::kMixed)));
}

/// Finds the pixels of a row from -2 to `end`. If `inner` is another row, which is found, all that counts are soft
/// pixels beside its mixed ones.
HWY_INLINE void find_pixels_of_row(const EdgeTile::Grids& grids,
                                   ptrdiff_t row,
                                   ptrdiff_t inner,
                                   ptrdiff_t end) {
  Where has_contrast = hn::Lt(all(0), all(0));
  for (ptrdiff_t column = -2; column < end; column += kBlock) {
    has_contrast = hn::Or(has_contrast, have_contrast(grids, row, column));
  }
  ColumnsOfFive columns;
  if (is_any(has_contrast)) {
    for (ptrdiff_t column = -4; column < end + 2 + kBlock; column += kBlock) {
      find_columns(grids, row, column, columns);
    }
  }
  for (ptrdiff_t column = -2; column < end; column += kBlock) {
    if (row == inner || has_mixed(grids, inner, column)) {
      find_pixels(grids, columns, row, column, row == inner);
    }
  }
}

/// Finds all values that depend only on the pixels around a pixel. The last block of a row goes on beyond the pixels
/// that count.
void find_pixels_of_tile(const EdgeTile::Grids& grids, const EdgeTile::Place& place) {
  const auto rows = static_cast<ptrdiff_t>(place.rows);
  const auto columns = static_cast<ptrdiff_t>(place.columns);
  for (ptrdiff_t row = -4; row < rows + 4; ++row) {
    for (ptrdiff_t column = -4; column < columns + 4 + kBlock; column += kBlock) {
      find_plateaus(grids, row, column);
    }
  }
  for (ptrdiff_t row = -1; row <= rows; ++row) find_pixels_of_row(grids, row, row, columns + 2);
  find_pixels_of_row(grids, -2, -1, columns + 2);
  find_pixels_of_row(grids, rows + 1, rows, columns + 2);
}

// ---- Treated pixels ----

/// Type is found whole, the edges of photographs in part. All at once, not in a chain.
HWY_INLINE void veto(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  const hn::Repartition<uint8_t, Pixels> bytes;
  uint8_t* to = grids.kind.at(row, column);
  const auto kind = hn::LoadU(bytes, to);
  const auto is_mixed = hn::TestBit(kind, hn::Set(bytes, uint8_t{EdgeTile::kMixed}));
  if (hn::AllFalse(bytes, is_mixed)) return;
  auto soft = hn::Zero(bytes);
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      soft = hn::Add(soft, hn::LoadU(bytes, grids.is_soft.at(row + down, column + right)));
    }
  }
  const auto is_soft = hn::Eq(soft, hn::Max(soft, hn::Set(bytes, uint8_t{2})));
  hn::StoreU(hn::IfThenZeroElse(hn::And(is_mixed, is_soft), kind), bytes, to);
}

/// The pure pixels that have one of the other level beside them.
HWY_INLINE Where are_beside_other_level(const EdgeTile::Grids& grids,
                                        ptrdiff_t row,
                                        ptrdiff_t column) {
  const Around ink{grids.ink.at(row, column)};
  const Values middle = mean_of(load(grids.low.at(row, column)), load(grids.high.at(row, column)));
  const Where is_high = hn::Gt(ink.at(0, 0), middle);
  Where found = hn::Lt(all(0), all(0));
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      const Values kind = load(grids.kind.at(row + down, column + right));
      const Where is_other = hn::Xor(hn::Gt(ink.at(right, down), middle), is_high);
      found = hn::Or(found, hn::And(hn::Eq(kind, all(EdgeTile::kPureLevel)), is_other));
    }
  }
  return found;
}

/// Beside a border cubic scaling must not overshoot, and a faint tone is one tone.
HWY_INLINE void limit_others(const EdgeTile::Grids& grids,
                             ptrdiff_t row,
                             ptrdiff_t column,
                             Where which) {
  const Values low = load(grids.low3.at(row, column)), high = load(grids.high3.at(row, column));
  const Where is_faint = hn::Lt(hn::Sub(high, low), all(EdgeTile::kFaint));
  const Where is_solid = is_at_least(high, all(kSolid - EdgeTile::kExact));
  const Where is_paper = is_at_most(low, all(EdgeTile::kExact));
  const Values ink = load(grids.ink.at(row, column));
  const Values tone = hn::IfThenZeroElse(is_paper, hn::IfThenElse(is_solid, all(kSolid), ink));
  store_where(which, hn::IfThenElse(is_faint, tone, low), grids.low.at(row, column));
  store_where(which, hn::IfThenElse(is_faint, tone, high), grids.high.at(row, column));
}

HWY_INLINE void choose_treated(const EdgeTile::Grids& grids,
                               ptrdiff_t row,
                               ptrdiff_t column,
                               Where is_of_tile) {
  Values around = all(0);
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      around = hn::Or(around, load(grids.kind.at(row + down, column + right)));
    }
  }
  const Where has_kinds = hn::And(is_of_tile, hn::Gt(around, all(0)));
  store(all(EdgeTile::kCubic), grids.mark.at(row, column));
  if (!is_any(has_kinds)) return;
  const Values kind = load(grids.kind.at(row, column));
  const Where is_near_mixed = hn::TestBit(around, all(EdgeTile::kMixed));
  const Where is_pure = hn::Eq(kind, all(EdgeTile::kPureLevel));
  Where is_treated = is_near_mixed;
  if (is_any(hn::AndNot(is_near_mixed, is_pure))) {
    is_treated = hn::Or(is_treated, hn::And(is_pure, are_beside_other_level(grids, row, column)));
  }
  is_treated = hn::And(is_treated, has_kinds);
  const Where is_other = hn::And(is_treated, hn::Eq(kind, all(EdgeTile::kOther)));
  if (is_any(is_other)) limit_others(grids, row, column, is_other);
  store(hn::IfThenElseZero(is_treated, all(EdgeTile::kTreated)), grids.mark.at(row, column));
}

void choose_pixels_of_tile(const EdgeTile::Grids& grids, const EdgeTile::Place& place) {
  const auto rows = static_cast<ptrdiff_t>(place.rows);
  const auto columns = static_cast<ptrdiff_t>(place.columns);
  for (ptrdiff_t row = -1; row <= rows; ++row) {
    for (ptrdiff_t column = -1; column <= columns; column += 2 * kBlock) veto(grids, row, column);
  }
  for (ptrdiff_t row = 0; row < rows; ++row) {
    for (ptrdiff_t column = 0; column < columns; column += kBlock) {
      const auto rest = static_cast<size_t>(std::min(columns - column, kBlock));
      choose_treated(grids, row, column, hn::FirstN(Pixels(), rest));
    }
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(find_pixels_of_tile);
HWY_EXPORT(choose_pixels_of_tile);

EdgeTile::Grids::Grids(uint32_t rows)
    : ink(rows),
      low3(rows),
      high3(rows),
      plateau(rows),
      exact(rows),
      bend(rows),
      near(rows),
      nearest(rows),
      kind(rows),
      is_soft(rows),
      cut(rows),
      low(rows),
      high(rows),
      mark(rows) {}

void EdgeTile::find(const SampleBand& page, const Place& place) {
  MZ_ASSERT(place.columns <= kColumns && place.rows <= kRows && page.bytes_per_sample == 2);
  place_ = place;
  copy_ink(page);
  HWY_DYNAMIC_DISPATCH(find_pixels_of_tile)(grids_, place_);
  drop_outside();
  HWY_DYNAMIC_DISPATCH(choose_pixels_of_tile)(grids_, place_);
}

void EdgeTile::copy_ink(const SampleBand& page) {
  using Inks = Grid<int16_t>;
  const int64_t last_column = int64_t{place_.page_width_px} - 1;
  const int64_t last_row = int64_t{place_.page_height_px} - 1;
  const int64_t first = int64_t{place_.first_column} - Inks::kBefore;
  const int64_t inside = std::clamp<int64_t>(first, 0, last_column);
  const int64_t inside_end = std::clamp<int64_t>(first + Inks::kStride, inside, last_column + 1);
  const auto rows = static_cast<ptrdiff_t>(place_.rows);
  for (ptrdiff_t row = -kReach; row < rows + kReach; ++row) {
    const int64_t y = std::clamp<int64_t>(place_.first_row + row, 0, last_row);
    const uint16_t* samples = page.row16(y - page.first_row);
    int16_t* to = grids_.ink.at(row, -Inks::kBefore);
    to = std::fill_n(to, inside - first, static_cast<int16_t>(samples[0]));
    to = std::copy(samples + inside, samples + inside_end, to);
    std::fill_n(to, first + Inks::kStride - inside_end, static_cast<int16_t>(samples[last_column]));
  }
}

/// What lies beyond the page is neither type nor a photograph.
void EdgeTile::drop_outside() {
  const auto drop = [&](ptrdiff_t row, ptrdiff_t column, ptrdiff_t count) {
    std::fill_n(grids_.kind.at(row, column), count, uint8_t{kOther});
    std::fill_n(grids_.is_soft.at(row, column), count, uint8_t{0});
  };
  const auto rows = static_cast<ptrdiff_t>(place_.rows);
  const auto columns = static_cast<ptrdiff_t>(place_.columns);
  for (ptrdiff_t row = -2; row < rows + 2; ++row) {
    const int64_t y = place_.first_row + row;
    if (y < 0 || y >= place_.page_height_px) drop(row, -2, columns + 4);
    for (const ptrdiff_t column : {ptrdiff_t{-2}, ptrdiff_t{-1}, columns, columns + 1}) {
      const int64_t x = place_.first_column + column;
      if (x < 0 || x >= place_.page_width_px) drop(row, column, 1);
    }
  }
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
