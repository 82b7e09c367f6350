// How the planes of a page depend on the one with the most contrast around a pixel, for scaling by edges
// (edge_planes.h has the words), by one thread of a GPU. The CPU compiles it for tests.
//
// `Ink` gives the ink of a plane around the pixel: at(right, down), -2 .. 2. `Planes` gives count() and ink(plane).
#pragma once

#include <cstdint>

#include "kernels/prepress/edge_planes.h"
#include "kernels/prepress/gpu/edge_surface.h"

namespace mezzo::prepress {

/// The inks of two planes.
struct InksOfTwo {
  int leading, other;
};

/// An ink without the noise of paper and solid.
MZ_HD inline int clean_ink(int64_t ink) {
  if (ink <= EdgeTile::kExact) return 0;
  return ink >= kEdgeSolid - EdgeTile::kExact ? kEdgeSolid : static_cast<int>(ink);
}

/// Two planes around a pixel. `Ink` stays the caller's.
template <typename Ink>
class EdgeRelation {
 public:
  /// The leading plane has contrast.
  MZ_HD EdgeRelation(const Ink& leading, const Ink& other) : leading_(leading), other_(other) {
    const InkRange range = range_of_3x3(leading);
    from_ = mean(range.low, range.low + EdgeTile::kNoise);
    to_ = mean(range.high - EdgeTile::kNoise, range.high);
  }

  /// Whether the inks of the 3x3 are a linear function of those of the leading plane.
  MZ_HD bool is_line() const {
    const int64_t run = to_.leading - from_.leading, rise = to_.other - from_.other;
    const int64_t most = kFollowTolerance * run;
    bool is = true;
    for (int i = 0; i < 9; ++i) {
      const InksOfTwo point = of_3x3(i);
      const int64_t error =
          (point.other - from_.other) * run - (point.leading - from_.leading) * rise;
      is &= error <= most && error >= -most;
    }
    return is;
  }

  /// Whether they only rise or only fall, and the 5x5 have equal pixels at an end, as type has.
  MZ_HD bool is_curve() const {
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < 9; ++j) {
        const InksOfTwo a = of_3x3(i), b = of_3x3(j);
        const int fall = rises() ? a.other - b.other : b.other - a.other;
        if (a.leading + kFollowTolerance < b.leading && fall > kFollowTolerance) return false;
      }
    }
    return has_equals();
  }

  /// The inks of the other plane on the line, where the leading one has `levels`.
  MZ_HD EdgeInks on_line(const EdgeInks& levels) const {
    return {on_line(levels.low), on_line(levels.high)};
  }

  /// Those on the curve: of the pixels of the 5x5 whose ink is near to a level; `otherwise` where there is none.
  MZ_HD EdgeInks on_curve(const EdgeInks& levels, const EdgeInks& otherwise) const {
    return {on_curve(levels.low, !rises(), otherwise.low),
            on_curve(levels.high, rises(), otherwise.high)};
  }

  MZ_HD bool rises() const { return to_.other >= from_.other; }

 private:
  MZ_HD InksOfTwo of_3x3(int i) const {
    return {leading_.at(i % 3 - 1, i / 3 - 1), other_.at(i % 3 - 1, i / 3 - 1)};
  }
  MZ_HD InksOfTwo of_5x5(int i) const {
    return {leading_.at(i % 5 - 2, i / 5 - 2), other_.at(i % 5 - 2, i / 5 - 2)};
  }

  /// The mean over the pixels of the 3x3 whose ink in the leading plane is `from` .. `to`; there must be one.
  MZ_HD InksOfTwo mean(int from, int to) const {
    int count = 0, sum = 0, sum_of_other = 0;
    for (int i = 0; i < 9; ++i) {
      const InksOfTwo point = of_3x3(i);
      const bool counts = point.leading >= from && point.leading <= to;
      count += counts;
      sum += counts ? point.leading : 0;
      sum_of_other += counts ? point.other : 0;
    }
    return {sum / count, sum_of_other / count};
  }

  MZ_HD bool has_equals() const {
    InkRange leading, other;
    for (int i = 0; i < 25; ++i) {
      leading.add(of_5x5(i).leading);
      other.add(of_5x5(i).other);
    }
    const InksOfTwo low{leading.low, rises() ? other.low : other.high};
    const InksOfTwo high{leading.high, rises() ? other.high : other.low};
    int lows = 0, highs = 0;
    for (int i = 0; i < 25; ++i) {
      const InksOfTwo point = of_5x5(i);
      lows += point.leading == low.leading && point.other == low.other;
      highs += point.leading == high.leading && point.other == high.other;
    }
    return most_of(lows, highs) >= kFollowEquals;
  }

  MZ_HD int on_line(int level) const {
    const int64_t rise =
        int64_t{level - from_.leading} * (to_.other - from_.other) / (to_.leading - from_.leading);
    return clean_ink(from_.other + rise);
  }

  MZ_HD int on_curve(int level, bool is_most, int otherwise) const {
    InkRange found;
    bool has = false;
    for (int i = 0; i < 25; ++i) {
      const InksOfTwo point = of_5x5(i);
      const int distance = point.leading - level;
      if (distance > EdgeTile::kNoise || distance < -EdgeTile::kNoise) continue;
      found.add(point.other);
      has = true;
    }
    return has ? clean_ink(is_most ? found.high : found.low) : otherwise;
  }

  const Ink& leading_;
  const Ink& other_;
  InksOfTwo from_, to_;  ///< the ends of the line
};

/// Planes that have one border.
struct EdgesTogether {
  bool are = false;  ///< each plane with contrast is on a line or a curve over the leading one
  bool has_curve = false;     ///< one is not on a line
  int64_t ink = 0, span = 0;  ///< of all: above their low levels, and from level to level

  MZ_HD void add(int of_pixel, const EdgeInks& levels) {
    const int height = levels.high - levels.low, above = of_pixel - levels.low;
    const int rise = height < 0 ? -height : height;
    ink += clamp_to(height < 0 ? -above : above, 0, rise);
    span += rise;
  }
  /// The part of the pixel that is covered, in 1/4096.
  MZ_HD int share() const { return static_cast<int>(ink * 4096 / span); }
};

/// `levels` are those of plane `leader`.
template <typename Planes>
MZ_HD EdgesTogether edges_together(const Planes& planes, uint32_t leader, const EdgeInks& levels) {
  EdgesTogether found;
  const auto leading = planes.ink(leader);
  found.add(leading.at(0, 0), levels);
  for (uint32_t i = 0; i < planes.count(); ++i) {
    if (i == leader) continue;
    const auto other = planes.ink(i);
    if (range_of_3x3(other).contrast() < kFollowLeast) continue;
    const EdgeRelation relation(leading, other);
    EdgeInks inks = relation.on_line(levels);
    if (!relation.is_line()) {
      if (!relation.is_curve()) return {};
      found.has_curve = true;
      inks = relation.on_curve(levels, inks);
    }
    found.add(other.at(0, 0), inks);
  }
  found.are = true;
  return found;
}

/// Sets the cut of a leading plane by the inks of all planes, if some are on a curve. A pure pixel that nearly all
/// planes leave whole keeps its own.
template <typename Ink>
MZ_HD void set_common_cut(const EdgesTogether& planes,
                          const Ink& leading,
                          bool is_pure,
                          const EdgeInks& levels,
                          int16_t& cut) {
  if (!planes.are || !planes.has_curve) return;
  const int share = planes.share();
  if (is_pure && (share < 128 || share >= 4096 - 128)) return;
  cut = edge_cut(EdgeSurface(leading).height_above(share), levels);
}

/// Whether a plane follows the leading one, which has `levels`; sets its inks at them. `own` are its own levels, if
/// it has some. `are_together` is EdgesTogether::are.
template <typename Ink>
MZ_HD bool follow_edge(const Ink& leading,
                       const Ink& other,
                       const EdgeInks& levels,
                       const EdgeInks* own,
                       bool are_together,
                       EdgeInks& inks) {
  if (range_of_3x3(other).contrast() < kFollowLeast) return false;
  const EdgeRelation relation(leading, other);
  inks = relation.on_line(levels);
  if (relation.is_line()) return true;
  if (!are_together) return false;
  if (own != nullptr) inks = relation.rises() ? *own : EdgeInks{own->high, own->low};
  inks = relation.on_curve(levels, inks);
  return true;
}

}  // namespace mezzo::prepress
