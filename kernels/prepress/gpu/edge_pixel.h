// What scaling by edges finds at one page pixel (edge_tile.h has the words), by one thread of a GPU. The CPU compiles
// it for tests: the values are those of EdgeTile before its veto.
//
// `Ink` gives the ink of the pixels around: at(right, down), -3 .. 3.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/prepress/edge_tile.h"
#include "kernels/prepress/gpu/edge_surface.h"
#include "kernels/prepress/gpu/point_column.h"

namespace mezzo::prepress {

/// A page pixel on a GPU.
struct alignas(8) EdgeCell {
  int16_t low, high;  ///< as in EdgeTile::Grids; of a follower, EdgePlanes::Follower's
  int16_t cut;
  uint16_t leader;  ///< of a follower: the plane whose border it has
};

/// What is known of a pixel: a Kind of EdgeTile, and this.
enum EdgeMark : uint8_t {
  kEdgeKinds = 7,      ///< the bits of a Kind
  kEdgeSoft = 8,       ///< other, and with contrast
  kEdgeTreated = 16,   ///< its plate pixels are not those of cubic scaling
  kEdgeFollows = 32,   ///< it has the border of another plane
  kEdgeTogether = 64,  ///< all planes with contrast may have its border
};

struct EdgeFound {
  uint8_t mark;
  EdgeCell cell;  ///< unless it is other
};

/// The two levels of the pixels around a pixel, as far as plateaus show them.
struct EdgeLevels {
  InkRange three, five;                 ///< of the 3x3 and the 5x5
  int low = -1, high = kEdgeSolid + 1;  ///< these: none
  bool low_is_exact = false, high_is_exact = false;
  bool is_type = false;

  MZ_HD bool has_low() const { return low >= 0; }
  MZ_HD bool has_high() const { return high <= kEdgeSolid; }
  MZ_HD bool is_low(int ink) const { return ink <= low + EdgeTile::kNoise; }
  MZ_HD bool is_high(int ink) const { return ink >= high - EdgeTile::kNoise; }

  /// A pixel of the 5x5 that differs from its 3x3 by `most`.
  MZ_HD void add_plateau(int ink, int most) {
    if (most > EdgeTile::kNoise) return;
    const bool is_exact = most <= EdgeTile::kExact;
    if (ink <= three.low + EdgeTile::kNoise) {
      low = most_of(low, ink);
      low_is_exact |= is_exact;
    }
    if (ink >= three.high - EdgeTile::kNoise) {
      high = least_of(high, ink);
      high_is_exact |= is_exact;
    }
  }
};

/// Adds the plateaus among the pixels of the 5x5.
template <typename Ink>
MZ_HD void add_plateaus(const Ink& ink, EdgeLevels& levels) {
  for (int down = -2; down <= 2; ++down) {
    InkRange columns[7];
    for (int right = -3; right <= 3; ++right) {
      for (int row = down - 1; row <= down + 1; ++row) columns[right + 3].add(ink.at(right, row));
    }
    for (int right = -2; right <= 2; ++right) {
      InkRange around = columns[right + 2];
      around.add(columns[right + 3]);
      around.add(columns[right + 4]);
      const int here = ink.at(right, down);
      levels.add_plateau(here, most_of(around.high - here, here - around.low));
    }
  }
}

/// The greatest second difference in the 3x3, of four directions.
template <typename Ink>
MZ_HD int greatest_bend(const Ink& ink) {
  int greatest = 0;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      const int twice = 2 * ink.at(right, down);
      const auto add = [&](int i, int j) {
        const int bend = twice - ink.at(right + i, down + j) - ink.at(right - i, down - j);
        greatest = most_of(greatest, bend < 0 ? -bend : bend);
      };
      add(1, 0);
      add(0, 1);
      add(1, 1);
      add(1, -1);
    }
  }
  return greatest;
}

/// Whether the 5x5 are type; sets its extremes.
template <typename Ink>
MZ_HD bool is_type(const Ink& ink, InkRange& five) {
  int paper = 0, solid = 0, exact_paper = 0, exact_solid = 0;
  for (int down = -2; down <= 2; ++down) {
    for (int right = -2; right <= 2; ++right) {
      const int here = ink.at(right, down);
      five.add(here);
      paper += here <= EdgeTile::kPure;
      solid += here >= kEdgeSolid - EdgeTile::kPure;
      exact_paper += here <= EdgeTile::kExact;
      exact_solid += here >= kEdgeSolid - EdgeTile::kExact;
    }
  }
  if (paper >= 2 && solid >= 2 && paper + solid >= 10) return true;
  return five.contrast() >= kEdgeSolid / 2 && most_of(exact_paper, exact_solid) >= 3 &&
         greatest_bend(ink) >= EdgeTile::kBend;
}

/// Pixels, `reach` away at most, with an ink of `from` .. `to`.
struct InkRepeats {
  int count = 0;
  unsigned rows = 0, columns = 0;  ///< a bit each

  template <typename Ink>
  MZ_HD InkRepeats(const Ink& ink, int reach, int from, int to) {
    for (int down = -reach; down <= reach; ++down) {
      for (int right = -reach; right <= reach; ++right) {
        const int here = ink.at(right, down);
        if (here < from || here > to) continue;
        ++count;
        rows |= 1U << (down + reach);
        columns |= 1U << (right + reach);
      }
    }
  }
  MZ_HD bool are_area() const {
    return count >= 3 && (rows & (rows - 1)) != 0 && (columns & (columns - 1)) != 0;
  }
};

/// Pixels of the 5x5 near its extremes that show the level of a gap or a stroke, as it is wider than them.
struct WidePixels {
  bool has_low = false;   ///< one with more ink on no side
  bool has_high = false;  ///< one with ink on all sides

  template <typename Ink>
  MZ_HD WidePixels(const Ink& ink, const InkRange& five, int near) {
    for (int down = -2; down <= 2; ++down) {
      for (int right = -2; right <= 2; ++right) {
        const int here = ink.at(right, down);
        if (here > five.low + near && here < five.high - near) continue;
        InkRange around;
        for (int i = 0; i < 9; ++i) around.add(ink.at(right + i % 3 - 1, down + i / 3 - 1));
        has_low |= here <= five.low + near && around.high <= five.high - EdgeTile::kInside;
        has_high |= here >= five.high - near && around.low >= five.low + EdgeTile::kInside;
      }
    }
  }
};

/// Gives a stroke or a gap that has no plateau its level: an ink that pixels repeat, or that of a wide pixel; else it
/// is too thin to show its own, and is solid, or paper.
template <typename Ink>
MZ_HD void put_missing_levels(const Ink& ink, EdgeLevels& levels) {
  const InkRange& five = levels.five;
  constexpr int kNear = 3 * EdgeTile::kExact;
  const WidePixels wide(ink, five, EdgeTile::kNoise);
  InkRange seven;
  for (int i = 0; i < 49; ++i) seven.add(ink.at(i % 7 - 3, i / 7 - 3));
  if (!levels.has_low()) {
    const InkRepeats low(ink, 2, five.low, five.low + kNear);
    const bool is_line_in_solid =
        low.count >= 3 && five.high >= kEdgeSolid - EdgeTile::kPure && five.low > EdgeTile::kPure;
    const bool is_shown = wide.has_low || is_line_in_solid || low.are_area();
    const InkRepeats of_seven(ink, 3, seven.low, seven.low + EdgeTile::kExact);
    levels.low = is_shown ? five.low : of_seven.are_area() ? seven.low : 0;
  }
  if (!levels.has_high()) {
    const bool is_shown =
        wide.has_high || InkRepeats(ink, 2, five.high - kNear, five.high).are_area();
    const InkRepeats of_seven(ink, 3, seven.high - EdgeTile::kExact, seven.high);
    levels.high = is_shown ? five.high : of_seven.are_area() ? seven.high : kEdgeSolid;
  }
}

/// Settles both levels; false: the pixel is other.
template <typename Ink>
MZ_HD bool settle_levels(const Ink& ink, EdgeLevels& levels) {
  const bool has_both = levels.has_low() && levels.has_high();
  const bool is_sure = levels.is_type || levels.low_is_exact || levels.high_is_exact;
  if (!has_both) {
    if (!is_sure) return false;
    put_missing_levels(ink, levels);
  }
  const bool is_black_on_white =
      levels.low <= EdgeTile::kPure && levels.high >= kEdgeSolid - EdgeTile::kPure;
  if (!is_sure && !is_black_on_white) return false;
  const bool are_exact = levels.low_is_exact && levels.high_is_exact;
  const bool is_photo = has_both && !are_exact && !levels.is_type;
  return levels.high - levels.low >= (is_photo ? EdgeTile::kPhotoStep : EdgeTile::kStep);
}

/// Whether anti-aliasing, one pixel wide, may have mixed the levels in the pixel.
template <typename Ink>
MZ_HD bool is_border(const Ink& ink, const EdgeLevels& levels) {
  bool found = false;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      if (right == 0 && down == 0) continue;
      const int before = ink.at(-right, -down), behind = ink.at(right, down);
      const int beyond = ink.at(2 * right, 2 * down);
      const bool is_high = levels.is_high(behind);
      found |= levels.is_low(before) && (is_high || levels.is_low(behind) || levels.is_low(beyond));
      found |= levels.is_high(before) && (is_high || levels.is_high(beyond));
    }
  }
  return found;
}

/// The levels as they are in the 3x3, in `cell`. Returns how many of its pixels have one of them.
template <typename Ink>
MZ_HD int set_local_levels(const Ink& ink, const EdgeLevels& levels, EdgeCell& cell) {
  int lows = 0, highs = 0, sum_of_lows = 0, sum_of_highs = 0;
  for (int down = -1; down <= 1; ++down) {
    for (int right = -1; right <= 1; ++right) {
      const int here = ink.at(right, down);
      const bool is_low = levels.is_low(here), is_high = !is_low && levels.is_high(here);
      lows += is_low;
      sum_of_lows += is_low ? here : 0;
      highs += is_high;
      sum_of_highs += is_high ? here : 0;
    }
  }
  int low = lows > 0 ? sum_of_lows / lows : levels.low;
  int high = highs > 0 ? sum_of_highs / highs : levels.high;
  if (levels.three.low <= EdgeTile::kExact) low = 0;
  if (levels.three.high >= kEdgeSolid - EdgeTile::kExact) high = kEdgeSolid;
  cell.low = static_cast<int16_t>(low);
  cell.high = static_cast<int16_t>(high);
  return lows + highs;
}

// ---- The cut ----

/// The height above which as much of the surface lies as there is ink in a mixed pixel.
MZ_HD inline int height_of_mixed(const EdgeSurface& surface, int ink, const EdgeCell& cell) {
  const int share = (ink - cell.low) * 4096 / (cell.high - cell.low);
  return surface.height_above(clamp_to(share, 0, 4096));
}

template <typename Ink>
MZ_HD int16_t cut_of(const Ink& ink, const EdgeLevels& levels, uint8_t kind, const EdgeCell& cell) {
  const int here = ink.at(0, 0), middle = (cell.low + cell.high) / 2;
  EdgeSurface surface(ink);
  int height = 0;
  if (kind != EdgeTile::kPureLevel) {
    height = height_of_mixed(surface, here, cell);
  } else {
    const InkRange range = surface.range();
    height = levels.is_low(here) ? most_of(middle, range.high + 1) : least_of(middle, range.low);
  }
  return edge_cut(height, {cell.low, cell.high});
}

// ---- The pixel ----

/// The pixel's kind by its levels.
template <typename Ink>
MZ_HD uint8_t kind_of(const Ink& ink, const EdgeLevels& levels) {
  const int here = ink.at(0, 0);
  if (levels.is_low(here) || levels.is_high(here)) return EdgeTile::kPureLevel;
  if (!levels.is_type && !is_border(ink, levels)) return EdgeTile::kOther;
  const bool has_levels = levels.is_low(levels.five.low) && levels.is_high(levels.five.high);
  return has_levels ? EdgeTile::kMixed : EdgeTile::kThin;
}

template <typename Ink>
MZ_HD EdgeFound find_edge(const Ink& ink) {
  EdgeLevels levels;
  levels.three = range_of_3x3(ink);
  if (levels.three.contrast() < EdgeTile::kFaint) return {EdgeTile::kOther, {}};
  EdgeFound found{kEdgeSoft, {}};
  levels.is_type = is_type(ink, levels.five);
  add_plateaus(ink, levels);
  if (!settle_levels(ink, levels)) return found;
  const uint8_t kind = kind_of(ink, levels);
  if (kind == EdgeTile::kOther) return found;
  const int with_level = set_local_levels(ink, levels, found.cell);
  if (found.cell.high - found.cell.low < EdgeTile::kFaint) return found;
  found.cell.cut = with_level < 9 ? cut_of(ink, levels, kind, found.cell) : int16_t{128};
  found.mark = kind;
  return found;
}

}  // namespace mezzo::prepress
