#include "kernels/prepress/edge_planes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/edge_planes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/prepress/edge_pixels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

/// Values of the pixels around a pixel, row by row.
constexpr size_t k3x3 = 9, k5x5 = 25;
constexpr size_t at_3x3(size_t i) {
  return (i / 3 + 1) * 5 + i % 3 + 1;  // in the 5x5
}
HWY_INLINE Values of_5x5(const Around& ink, size_t i) {
  return ink.at(static_cast<ptrdiff_t>(i % 5) - 2, static_cast<ptrdiff_t>(i / 5) - 2);
}

using TilePlanes = EdgePlanes::Parts;

/// A block of pixels in the planes.
struct Block {
  ptrdiff_t row, column;
  Where is_of_tile;  ///< the pixels that may follow
  template <typename T>
  HWY_INLINE Values of(const EdgeTile::Grid<T>& grid) const {
    return load(grid.at(row, column));
  }
  HWY_INLINE Values contrast(const EdgeTile::Grids& grids) const {
    return hn::Sub(of(grids.high3), of(grids.low3));
  }
};

// ---- The leading plane ----

/// Two inks of a border.
struct TwoInks {
  Values low, high;
};

/// The inks of the leading plane of each pixel, and its border.
struct Leading {
  Values plane;  ///< of most contrast; of several, the first
  Values kind, mark;
  Values ink[k5x5];
  TwoInks levels;
  Where is_low[k3x3], is_high[k3x3];  ///< near to an extreme of the 3x3
  Values lows, highs;                 ///< how many they are
  Values from, to;                    ///< and their means

  HWY_INLINE Values at(ptrdiff_t right, ptrdiff_t down) const {
    return ink[static_cast<size_t>((down + 2) * 5 + right + 2)];
  }
};

/// Calls take(grids, mask) for each plane that leads pixels of `of`, which are those in `mask`.
template <typename Take>
HWY_INLINE void for_each_leader(const TilePlanes& planes, Values plane, Where of, Take take) {
  for (size_t i = 0; i < planes.tiles.size(); ++i) {
    const Where mask = hn::And(of, hn::Eq(plane, all(static_cast<int32_t>(i))));
    if (is_any(mask)) take(planes.tiles[i].grids(), mask);
  }
}

HWY_INLINE Values leading_planes(const TilePlanes& planes, const Block& block) {
  Values plane = all(0), most = block.contrast(planes.tiles[0].grids());
  for (size_t i = 1; i < planes.tiles.size(); ++i) {
    const Values contrast = block.contrast(planes.tiles[i].grids());
    plane = hn::IfThenElse(hn::Gt(contrast, most), all(static_cast<int32_t>(i)), plane);
    most = hn::Max(most, contrast);
  }
  return plane;
}

/// Whether a plane has a border in the block.
HWY_INLINE bool has_kinds(const TilePlanes& planes, const Block& block) {
  Values kinds = all(0);
  for (const EdgeTile& tile : planes.tiles) kinds = hn::Or(kinds, block.of(tile.grids().kind));
  return is_any(hn::Gt(kinds, all(EdgeTile::kOther)));
}

/// The pixels whose leading plane has a border.
HWY_INLINE Where find_kinds_of_leading(const TilePlanes& planes, const Block& block, Leading& of) {
  of.plane = leading_planes(planes, block);
  of.kind = of.mark = all(0);
  const auto take = [&](const EdgeTile::Grids& grids, Where mask) {
    of.kind = hn::IfThenElse(mask, block.of(grids.kind), of.kind);
    of.mark = hn::IfThenElse(mask, block.of(grids.mark), of.mark);
  };
  for_each_leader(planes, of.plane, hn::Eq(of.kind, all(0)), take);
  return hn::Gt(of.kind, all(EdgeTile::kOther));
}

/// The mean of the counted pixels of the 3x3.
HWY_INLINE Values mean_of_counted(const Values (&values)[k3x3],
                                  const Where (&counts)[k3x3],
                                  Values count) {
  Wide sum = all_wide(0);
  for (size_t i = 0; i < k3x3; i += 2) {
    const Values a = hn::IfThenElseZero(counts[i], values[i]);
    const Values b = i + 1 < k3x3 ? hn::IfThenElseZero(counts[i + 1], values[i + 1]) : all(0);
    const Pairs of_two = pairs_of(a, b);
    sum = {add_pairs(of_two.lower, all(1), sum.lower), add_pairs(of_two.upper, all(1), sum.upper)};
  }
  return narrowed(quotient(sum, widened(hn::Max(count, all(1)))));
}

/// Fetches the inks and levels of the leading planes of `which`.
HWY_INLINE void fetch_leading(const TilePlanes& planes,
                              const Block& block,
                              Where which,
                              Leading& of) {
  for (Values& ink : of.ink) ink = all(0);
  of.levels = {all(0), all(0)};
  for_each_leader(planes, of.plane, which, [&](const EdgeTile::Grids& grids, Where mask) {
    const Around ink{grids.ink.at(block.row, block.column)};
    for (size_t i = 0; i < k5x5; ++i) {
      of.ink[i] = hn::IfThenElse(mask, of_5x5(ink, i), of.ink[i]);
    }
    of.levels = {hn::IfThenElse(mask, block.of(grids.low), of.levels.low),
                 hn::IfThenElse(mask, block.of(grids.high), of.levels.high)};
  });
}

/// Finds the ends of lines.
HWY_INLINE void find_ends(Leading& of) {
  Values ink[k3x3];
  for (size_t i = 0; i < k3x3; ++i) ink[i] = of.ink[at_3x3(i)];
  Values low = ink[0], high = ink[0];
  for (const Values& here : ink) {
    low = hn::Min(low, here);
    high = hn::Max(high, here);
  }
  of.lows = of.highs = all(0);
  for (size_t i = 0; i < k3x3; ++i) {
    of.is_low[i] = is_at_most(ink[i], low, EdgeTile::kNoise);
    of.is_high[i] = is_at_least(ink[i], high, EdgeTile::kNoise);
    of.lows = counted(of.lows, of.is_low[i]);
    of.highs = counted(of.highs, of.is_high[i]);
  }
  of.from = mean_of_counted(ink, of.is_low, of.lows);
  of.to = mean_of_counted(ink, of.is_high, of.highs);
}

// ---- Another plane ----

/// Paper and solid without noise, of inks that may lie beyond them.
HWY_INLINE Values clean_ink(Values ink) {
  const Where is_solid = is_at_least(ink, all(kSolid - EdgeTile::kExact));
  const Where is_paper = is_at_most(ink, all(EdgeTile::kExact));
  return hn::IfThenZeroElse(is_paper, hn::IfThenElse(is_solid, all(kSolid), ink));
}

/// Another plane over the leading one.
struct Other {
  Around pixels;
  Values from, to;  ///< its inks at the ends of the line
  Where rises;

  HWY_INLINE Other(const Leading& leading, const Around& ink) : pixels(ink) {
    Values around[k3x3];
    for (size_t i = 0; i < k3x3; ++i) around[i] = ink_at(at_3x3(i));
    from = mean_of_counted(around, leading.is_low, leading.lows);
    to = mean_of_counted(around, leading.is_high, leading.highs);
    rises = is_at_least(to, from);
  }
  /// The ink of pixel i of the 5x5.
  HWY_INLINE Values ink_at(size_t i) const { return of_5x5(pixels, i); }
  /// The ink, or what it lacks of solid where the inks fall, so that all of them rise.
  HWY_INLINE Values rising(Values ink) const {
    return hn::IfThenElse(rises, ink, hn::Sub(all(kSolid), ink));
  }
};

/// The pixels whose inks in the 3x3 are a linear function of those of the leading plane.
HWY_INLINE Where are_on_line(const Leading& leading, const Other& other) {
  const Values run = hn::Sub(leading.to, leading.from), rise = hn::Sub(other.to, other.from);
  const Pairs slope = pairs_of(run, hn::Neg(rise));
  Wide worst = all_wide(0);
  for (size_t i = 0; i < k3x3; ++i) {
    const Wide error = products(pairs_of(hn::Sub(other.ink_at(at_3x3(i)), other.from),
                                         hn::Sub(leading.ink[at_3x3(i)], leading.from)),
                                slope);
    worst = each_of(worst, error, [](Sum most, Sum of) { return hn::Max(most, hn::Abs(of)); });
  }
  const Wide most = product(run, all(kFollowTolerance));
  const Wide is_beyond = each_of(
      worst, most, [](Sum of, Sum limit) { return hn::VecFromMask(Sums(), hn::Gt(of, limit)); });
  return hn::Eq(narrowed(is_beyond), all(0));
}

/// The ink of the other plane on the line, where the leading one has `level`.
HWY_INLINE Values ink_on_line(const Leading& leading, const Other& other, Values level) {
  const Wide rise = product(hn::Sub(level, leading.from), hn::Sub(other.to, other.from));
  const Wide run = widened(hn::Sub(leading.to, leading.from));
  const Wide ink = added(widened(other.from), signed_quotient(rise, run));
  return clean_ink(hn::Min(hn::Max(narrowed(ink), all(0)), all(kSolid)));
}

/// Whether no ink of the 3x3 falls where that of the leading plane rises.
HWY_INLINE Where only_rise(const Leading& leading, const Other& other) {
  Values rising[k3x3];
  for (size_t i = 0; i < k3x3; ++i) rising[i] = other.rising(other.ink_at(at_3x3(i)));
  Values up = all(0), down = all(0);
  for (size_t i = 0; i < k3x3; ++i) {
    for (size_t j = i + 1; j < k3x3; ++j) {
      const Values rise = hn::Sub(leading.ink[at_3x3(j)], leading.ink[at_3x3(i)]);
      const Values fall = hn::Sub(rising[i], rising[j]);
      up = hn::Max(up, hn::Min(rise, fall));
      down = hn::Min(down, hn::Max(rise, fall));
    }
  }
  return hn::And(is_at_most(up, all(kFollowTolerance)), is_at_least(down, all(-kFollowTolerance)));
}

/// What the 5x5 show of a curve.
struct OnCurve {
  Where has_equals;         ///< enough pixels that have an extreme ink of both planes
  TwoInks inks;             ///< of the pixels whose leading ink is near to a level
  Where has_low, has_high;  ///< there are some
};

/// The pixels whose leading ink is near to a level, and the extreme of their other inks, which rise.
struct NearLevel {
  Values level, extreme;
  Where has;

  template <typename Extreme>
  HWY_INLINE void add(Values leading, Values rising, Extreme of_two) {
    const Values distance = hn::Abs(hn::Sub(leading, level));
    const Where is_near = is_at_most(distance, all(EdgeTile::kNoise));
    extreme = hn::IfThenElse(is_near, of_two(extreme, rising), extreme);
    has = hn::Or(has, is_near);
  }
};

HWY_INLINE OnCurve look_at_curve(const Leading& leading, const Other& other) {
  Values ink[k5x5];
  TwoInks of_leading{leading.ink[0], leading.ink[0]}, of_other{all(kSolid), all(0)};
  for (size_t i = 0; i < k5x5; ++i) {
    ink[i] = other.rising(other.ink_at(i));
    of_leading = {hn::Min(of_leading.low, leading.ink[i]),
                  hn::Max(of_leading.high, leading.ink[i])};
    of_other = {hn::Min(of_other.low, ink[i]), hn::Max(of_other.high, ink[i])};
  }
  const Where none = hn::Lt(all(0), all(0));
  NearLevel low{leading.levels.low, all(kSolid), none}, high{leading.levels.high, all(0), none};
  Values lows = all(0), highs = all(0);
  for (size_t i = 0; i < k5x5; ++i) {
    const auto counts = [&](Values of_first, Values of_second) {
      return hn::And(hn::Eq(leading.ink[i], of_first), hn::Eq(ink[i], of_second));
    };
    lows = counted(lows, counts(of_leading.low, of_other.low));
    highs = counted(highs, counts(of_leading.high, of_other.high));
    low.add(leading.ink[i], ink[i], [](Values a, Values b) { return hn::Min(a, b); });
    high.add(leading.ink[i], ink[i], [](Values a, Values b) { return hn::Max(a, b); });
  }
  const TwoInks found{clean_ink(other.rising(low.extreme)), clean_ink(other.rising(high.extreme))};
  return {is_at_least(hn::Max(lows, highs), all(kFollowEquals)), found, low.has, high.has};
}

// ---- Planes together ----

/// What the planes of a block have in common.
struct Together {
  Where are;        ///< each plane with contrast is on a line or a curve over the leading one
  Where has_curve;  ///< one is not on a line
  Wide ink, span;   ///< of all: above their low levels, and from level to level

  HWY_INLINE void add(Where which, Values of_pixel, const TwoInks& levels) {
    const Values height = hn::Sub(levels.high, levels.low), above = hn::Sub(of_pixel, levels.low);
    const Values rise = hn::Abs(height);
    const Values of_rise = hn::IfThenElse(hn::Lt(height, all(0)), hn::Neg(above), above);
    const Values part = hn::Min(hn::Max(of_rise, all(0)), rise);
    ink = added(ink, widened(hn::IfThenElseZero(which, part)));
    span = added(span, widened(hn::IfThenElseZero(which, rise)));
  }
  /// The part of a pixel that is covered, in 1/4096. In two steps, for 32 bits.
  HWY_INLINE Values share() const {
    const auto in_64ths = [](Sum x, Sum) { return hn::ShiftLeft<6>(x); };
    const auto rest = [](Sum x, Sum y) { return hn::Sub(x, y); };
    const auto times = [](Sum x, Sum y) { return hn::Mul(x, y); };
    const Wide most = each_of(ink, ink, in_64ths);
    const Wide first = quotient(most, span);
    const Wide left = each_of(most, each_of(first, span, times), rest);
    const Wide second = quotient(each_of(left, left, in_64ths), span);
    return narrowed(added(each_of(first, first, in_64ths), second));
  }
};

/// Looks at a plane in the pixels of `which`, where another one leads.
HWY_INLINE void relate(const Leading& leading,
                       const EdgeTile::Grids& grids,
                       const Block& block,
                       Where which,
                       Together& together,
                       EdgePlanes::Candidate& found) {
  const Other other(leading, Around{grids.ink.at(block.row, block.column)});
  const Where on_line = hn::And(which, are_on_line(leading, other));
  TwoInks inks{ink_on_line(leading, other, leading.levels.low),
               ink_on_line(leading, other, leading.levels.high)};
  TwoInks if_it_follows = inks;
  Where on_curve = hn::AndNot(on_line, which);
  if (is_any(on_curve)) {
    const OnCurve curve = look_at_curve(leading, other);
    on_curve = hn::And(on_curve, hn::And(curve.has_equals, only_rise(leading, other)));
    const TwoInks own{block.of(grids.low), block.of(grids.high)};
    const Where has_own = hn::And(on_curve, hn::Gt(block.of(grids.kind), all(EdgeTile::kOther)));
    const auto choose = [&](Where has, Values of_curve, Values otherwise) {
      return hn::IfThenElse(hn::And(on_curve, has), of_curve, otherwise);
    };
    const Values own_low = hn::IfThenElse(other.rises, own.low, own.high);
    const Values own_high = hn::IfThenElse(other.rises, own.high, own.low);
    if_it_follows = {
        choose(curve.has_low, curve.inks.low, hn::IfThenElse(has_own, own_low, inks.low)),
        choose(curve.has_high, curve.inks.high, hn::IfThenElse(has_own, own_high, inks.high))};
    inks = {choose(curve.has_low, curve.inks.low, inks.low),
            choose(curve.has_high, curve.inks.high, inks.high)};
    together.has_curve = hn::Or(together.has_curve, on_curve);
  }
  const Where is_related = hn::Or(on_line, on_curve);
  together.are = hn::AndNot(hn::AndNot(is_related, which), together.are);
  together.add(is_related, other.ink_at(k5x5 / 2), inks);
  store(hn::VecFromMask(Pixels(), on_line), found.on_line);
  store(hn::VecFromMask(Pixels(), on_curve), found.on_curve);
  store(if_it_follows.low, found.low);
  store(if_it_follows.high, found.high);
}

/// Gives leading planes the cuts by the inks of all planes, where some are on a curve. A pure pixel that nearly all
/// planes leave whole keeps its own.
HWY_INLINE void set_common_cuts(const TilePlanes& planes,
                                const Block& block,
                                const Leading& leading,
                                const Together& together) {
  const Where which = hn::And(together.are, together.has_curve);
  if (!is_any(which)) return;
  const Values share = together.share();
  const Where is_whole = hn::Or(hn::Lt(share, all(128)), is_at_least(share, all(4096 - 128)));
  const Where is_pure = hn::Eq(leading.kind, all(EdgeTile::kPureLevel));
  const Where changes = hn::AndNot(hn::And(is_pure, is_whole), which);
  if (!is_any(changes)) return;
  Surface surface;
  make_surface(leading, surface);
  sort(surface);
  const TwoInks& levels = leading.levels;
  const Values cut = cut_at(height_above(surface, share), levels.low, levels.high);
  for_each_leader(planes, leading.plane, changes, [&](const EdgeTile::Grids& grids, Where mask) {
    store_where(mask, cut, grids.cut.at(block.row, block.column));
  });
}

/// Lets a plane follow the leading one in the pixels of `which`, if it is related to it.
HWY_INLINE void follow(const EdgePlanes::Candidate& candidate,
                       const EdgeTile::Grids& grids,
                       const Block& block,
                       Where which,
                       Where are_together) {
  const auto is = [](const int16_t* flags) { return hn::Lt(load(flags), all(0)); };
  const Where follows =
      hn::And(which, hn::Or(is(candidate.on_line), hn::And(is(candidate.on_curve), are_together)));
  if (!is_any(follows)) return;
  store_where(follows, load(candidate.low), grids.low.at(block.row, block.column));
  store_where(follows, load(candidate.high), grids.high.at(block.row, block.column));
  store_where(follows, all(EdgeTile::kFollows), grids.mark.at(block.row, block.column));
}

/// Calls take(i, mask) for each plane, with the pixels of `of` where another one leads and it has contrast.
template <typename Take>
HWY_INLINE void for_each_other(
    const TilePlanes& planes, const Block& block, const Leading& leading, Where of, Take take) {
  for (size_t i = 0; i < planes.tiles.size(); ++i) {
    const Where leads = hn::Eq(leading.plane, all(static_cast<int32_t>(i)));
    const Values contrast = block.contrast(planes.tiles[i].grids());
    const Where mask = hn::And(hn::AndNot(leads, of), is_at_least(contrast, all(kFollowLeast)));
    if (is_any(mask)) take(i, mask);
  }
}

HWY_INLINE void join_block(const TilePlanes& planes, const Block& block) {
  if (!has_kinds(planes, block)) return;
  Leading leading;
  const Where which = find_kinds_of_leading(planes, block, leading);
  if (!is_any(which)) return;
  fetch_leading(planes, block, which, leading);
  find_ends(leading);
  Together together{which, hn::Lt(all(0), all(0)), all_wide(0), all_wide(0)};
  together.add(which, leading.at(0, 0), leading.levels);
  for_each_other(planes, block, leading, which, [&](size_t i, Where mask) {
    relate(leading, planes.tiles[i].grids(), block, mask, together, planes.candidates[i]);
  });
  set_common_cuts(planes, block, leading, together);
  const Where is_treated = hn::Eq(leading.mark, all(EdgeTile::kTreated));
  const Where may_follow = hn::And(hn::And(which, is_treated), block.is_of_tile);
  if (!is_any(may_follow)) return;
  store(leading.plane, planes.leader.at(block.row, block.column));
  for_each_other(planes, block, leading, may_follow, [&](size_t i, Where mask) {
    follow(planes.candidates[i], planes.tiles[i].grids(), block, mask, together.are);
  });
}

/// The cuts are joined one pixel around the tile, too.
void join_tile(const TilePlanes& planes, const EdgeTile::Place& place) {
  const auto rows = static_cast<ptrdiff_t>(place.rows);
  const auto columns = static_cast<ptrdiff_t>(place.columns);
  const Values places = hn::Iota(Pixels(), int16_t{0});
  for (ptrdiff_t row = -1; row <= rows; ++row) {
    for (ptrdiff_t column = -1; column <= columns; column += kBlock) {
      const Values x = hn::Add(places, all(static_cast<int32_t>(column)));
      const Where is_column =
          hn::And(is_at_least(x, all(0)), hn::Lt(x, all(static_cast<int32_t>(columns))));
      const bool is_row = row >= 0 && row < rows;
      join_block(planes, {row, column, hn::And(is_column, hn::Eq(all(is_row), all(1)))});
    }
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(join_tile);

EdgePlanes::EdgePlanes(size_t planes, uint32_t rows) : leader_(rows), candidates_(planes) {
  for (size_t i = 0; i < planes; ++i) tiles_.emplace_back(rows);
}

void EdgePlanes::find(std::span<const SampleBand> pages, const EdgeTile::Place& place) {
  for (size_t i = 0; i < tiles_.size(); ++i) tiles_[i].find(pages[i], place);
  if (tiles_.size() > 1) HWY_DYNAMIC_DISPATCH(join_tile)({tiles_, leader_, candidates_}, place);
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
