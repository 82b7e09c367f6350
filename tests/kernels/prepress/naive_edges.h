// Scaling by edges of a whole page, as its definition reads: no tiles, no vectors, one function for
// each rule. The kernel must give these samples.
//
// Ink is ink15: 0 is paper, kInk15 solid; differences are given in 1/255 of that. What lies beyond the
// page is its outermost pixels, but is neither type nor photograph.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "kernels/band/ink15.h"
#include "tests/kernels/prepress/scale_planes.h"

namespace mezzo::test {

class NaiveEdges {
 public:
  explicit NaiveEdges(Plane& page);

  /// The plate whose cubic scaling is `cubic`; both ratios are at least 1.
  Plane plate(const Plane& cubic, const prepress::Scaling& scaling) const;

 private:
  friend class NaiveEdgePlanes;

  enum class Kind { kOther, kPure, kMixed };
  struct Cell {
    Kind kind = Kind::kOther;
    int cut = 128;  ///< in 1/256 of high - low
    int low = 0, high = 0;
    bool is_thin = false;  ///< mixed, and one of its levels is not found in the 5x5
  };
  /// What is known of a pixel on the way to its cell.
  struct Look {
    int low3 = kSolid, high3 = 0, low5 = kSolid, high5 = 0;
    std::optional<int> low, high;
    bool low_is_exact = false, high_is_exact = false, is_type = false;
  };
  /// Of the page pixels of a direction, for a plate pixel: the one under its centre; the one whose
  /// centre is the last before it; and how far behind that, in 1/256.
  struct Under {
    int pixel, before, part;
  };

  static constexpr int kSolid = static_cast<int>(kInk15);
  static constexpr int of_255(int level) { return level * 128; }

  int width() const { return static_cast<int>(page_.width_px); }
  int height() const { return static_cast<int>(page_.height_px); }
  bool is_inside(int x, int y) const { return x >= 0 && y >= 0 && x < width() && y < height(); }
  int ink(int x, int y) const { return page_.at(x, y); }
  int least(int x, int y, int reach) const;
  int most(int x, int y, int reach) const;
  bool has_contrast(int x, int y) const { return most(x, y, 1) - least(x, y, 1) >= of_255(26); }
  bool is_plateau(int x, int y, int difference) const;
  int count(int x, int y, int from, int to) const;
  int bend(int x, int y) const;
  bool is_area(int x, int y, int reach, int from, int to) const;

  Look look_at(int x, int y) const;
  int missing_low(int x, int y, const Look& look) const;
  int missing_high(int x, int y, const Look& look) const;
  bool settle_levels(int x, int y, Look& look) const;
  bool is_border(int x, int y, int low, int high) const;
  Cell cell_of(int x, int y) const;
  std::vector<int> samples_of(int x, int y) const;
  int height_above(int x, int y, int share) const;
  int cut_of(int x, int y, int level_low, const Cell& cell) const;
  static int cut_at(int height, const Cell& cell) {
    return std::clamp((height - cell.low) * 256 / (cell.high - cell.low), -128, 384);
  }
  const Cell& cell(int x, int y) const;
  bool is_soft(int x, int y) const;
  bool is_treated(int x, int y) const;
  static Under under(uint32_t at, prepress::Ratio ratio, int page_samples);
  int height_of_border(const Under& across, const Under& down) const;
  int sample(const Under& across, const Under& down, int cubic) const;

  template <typename Call>
  static void around(int reach, const Call& call) {
    for (int down = -reach; down <= reach; ++down) {
      for (int right = -reach; right <= reach; ++right) call(right, down);
    }
  }

  const Plane& page_;
  Plane quarters_;  ///< cubic scaling by 4/1: 16 samples of the surface a pixel
  std::vector<Cell> cells_;
};

// ---- Neighbourhoods ----

inline int NaiveEdges::least(int x, int y, int reach) const {
  int value = kSolid;
  around(reach, [&](int i, int j) { value = std::min(value, ink(x + i, y + j)); });
  return value;
}

inline int NaiveEdges::most(int x, int y, int reach) const {
  int value = 0;
  around(reach, [&](int i, int j) { value = std::max(value, ink(x + i, y + j)); });
  return value;
}

inline bool NaiveEdges::is_plateau(int x, int y, int difference) const {
  return most(x, y, 1) - ink(x, y) <= difference && ink(x, y) - least(x, y, 1) <= difference;
}

/// The pixels of the 5x5 with an ink of from .. to.
inline int NaiveEdges::count(int x, int y, int from, int to) const {
  int pixels = 0;
  around(2, [&](int i, int j) { pixels += ink(x + i, y + j) >= from && ink(x + i, y + j) <= to; });
  return pixels;
}

/// The greatest second difference in the 3x3.
inline int NaiveEdges::bend(int x, int y) const {
  int greatest = 0;
  around(1, [&](int i, int j) {
    for (const auto& [right, down] : {std::array{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
      const int here = ink(x + i, y + j);
      const int sides = ink(x + i + right, y + j + down) + ink(x + i - right, y + j - down);
      greatest = std::max(greatest, std::abs(2 * here - sides));
    }
  });
  return greatest;
}

/// Whether at least three pixels, `reach` away at most, have such an ink, not all in one row or column.
inline bool NaiveEdges::is_area(int x, int y, int reach, int from, int to) const {
  std::vector<int> rows, columns;
  around(reach, [&](int i, int j) {
    if (ink(x + i, y + j) < from || ink(x + i, y + j) > to) return;
    columns.push_back(i);
    rows.push_back(j);
  });
  const auto is_one = [](const std::vector<int>& places) {
    return std::ranges::all_of(places, [&](int place) { return place == places.front(); });
  };
  return rows.size() >= 3 && !is_one(rows) && !is_one(columns);
}

// ---- Cells ----

inline NaiveEdges::Look NaiveEdges::look_at(int x, int y) const {
  Look look;
  look.low3 = least(x, y, 1);
  look.high3 = most(x, y, 1);
  look.low5 = least(x, y, 2);
  look.high5 = most(x, y, 2);
  around(2, [&](int i, int j) {
    const int at = ink(x + i, y + j);
    const bool is_exact = is_plateau(x + i, y + j, of_255(1));
    if (!is_plateau(x + i, y + j, of_255(8))) return;
    if (at <= look.low3 + of_255(8)) {
      look.low = std::max(look.low.value_or(0), at);
      look.low_is_exact |= is_exact;
    }
    if (at >= look.high3 - of_255(8)) {
      look.high = std::min(look.high.value_or(kSolid), at);
      look.high_is_exact |= is_exact;
    }
  });
  const int paper = count(x, y, 0, of_255(10)), solid = count(x, y, kSolid - of_255(10), kSolid);
  const bool has_three =
      count(x, y, 0, of_255(1)) >= 3 || count(x, y, kSolid - of_255(1), kSolid) >= 3;
  look.is_type = (paper >= 2 && solid >= 2 && paper + solid >= 10) ||
                 (bend(x, y) >= of_255(140) && look.high5 - look.low5 >= kSolid / 2 && has_three);
  return look;
}

/// The low level of a gap or ground that has no plateau: an ink that pixels repeat, or that of a pixel which has more
/// ink on no side; paper where the gap is too thin to show its level.
inline int NaiveEdges::missing_low(int x, int y, const Look& look) const {
  const int low = look.low5, near = low + of_255(3), low7 = least(x, y, 3);
  const bool is_line_in_solid =
      count(x, y, low, near) >= 3 && look.high5 >= kSolid - of_255(10) && low > of_255(10);
  bool is_wide = false;
  around(2, [&](int i, int j) {
    is_wide |=
        ink(x + i, y + j) <= low + of_255(8) && most(x + i, y + j, 1) <= look.high5 - of_255(16);
  });
  if (is_wide || is_line_in_solid || is_area(x, y, 2, low, near)) return low;
  return is_area(x, y, 3, low7, low7 + of_255(1)) ? low7 : 0;
}

/// The high level of a stroke that has no plateau: an ink that pixels repeat, or that of a pixel with ink on all
/// sides; solid where the stroke is too thin to show its level.
inline int NaiveEdges::missing_high(int x, int y, const Look& look) const {
  const int high = look.high5, near = high - of_255(3), high7 = most(x, y, 3);
  bool is_wide = false;
  around(2, [&](int i, int j) {
    is_wide |=
        ink(x + i, y + j) >= high - of_255(8) && least(x + i, y + j, 1) >= look.low5 + of_255(16);
  });
  if (is_wide || is_area(x, y, 2, near, high)) return high;
  return is_area(x, y, 3, high7 - of_255(1), high7) ? high7 : kSolid;
}

/// Gives a stroke without a plateau its levels; false: the pixel is left alone.
inline bool NaiveEdges::settle_levels(int x, int y, Look& look) const {
  const bool has_both = look.low && look.high;
  const bool is_sure = look.is_type || look.low_is_exact || look.high_is_exact;
  if (!has_both && !is_sure) return false;
  if (!look.low) look.low = missing_low(x, y, look);
  if (!look.high) look.high = missing_high(x, y, look);
  if (!is_sure && (*look.low > of_255(10) || *look.high < kSolid - of_255(10))) return false;
  const bool are_exact = look.low_is_exact && look.high_is_exact;
  const bool is_photo = has_both && !are_exact && !look.is_type;
  return *look.high - *look.low >= of_255(is_photo ? 96 : 64);
}

/// Whether anti-aliasing, one pixel wide, may have mixed the levels in a pixel.
inline bool NaiveEdges::is_border(int x, int y, int low, int high) const {
  const auto is_low = [&](int i, int j) { return ink(x + i, y + j) <= low + of_255(8); };
  const auto is_high = [&](int i, int j) { return ink(x + i, y + j) >= high - of_255(8); };
  bool found = false;
  around(1, [&](int i, int j) {
    if (i == 0 && j == 0) return;
    found |= is_low(-i, -j) && (is_high(i, j) || is_low(i, j) || is_low(2 * i, 2 * j));
    found |= is_high(-i, -j) && (is_high(i, j) || is_high(2 * i, 2 * j));
  });
  return found;
}

inline NaiveEdges::Cell NaiveEdges::cell_of(int x, int y) const {
  if (!has_contrast(x, y)) return {};
  Look look = look_at(x, y);
  if (!settle_levels(x, y, look)) return {};
  const int low = *look.low, high = *look.high, here = ink(x, y);
  const auto is_low = [&](int value) { return value <= low + of_255(8); };
  const auto is_high = [&](int value) { return value >= high - of_255(8); };
  Cell cell;
  cell.kind = is_low(here) || is_high(here) ? Kind::kPure : Kind::kMixed;
  if (cell.kind == Kind::kMixed && !look.is_type && !is_border(x, y, low, high)) return {};
  cell.is_thin = cell.kind == Kind::kMixed && !(is_low(look.low5) && is_high(look.high5));
  int lows = 0, highs = 0, sum_of_lows = 0, sum_of_highs = 0;
  around(1, [&](int i, int j) {
    const int value = ink(x + i, y + j);
    if (is_low(value)) {
      ++lows;
      sum_of_lows += value;
    } else if (is_high(value)) {
      ++highs;
      sum_of_highs += value;
    }
  });
  cell.low = look.low3 <= of_255(1) ? 0 : lows > 0 ? sum_of_lows / lows : low;
  cell.high = look.high3 >= kSolid - of_255(1) ? kSolid : highs > 0 ? sum_of_highs / highs : high;
  if (cell.high - cell.low < of_255(26)) return {};
  if (lows + highs < 9) cell.cut = cut_of(x, y, low, cell);
  return cell;
}

/// 16 samples of the surface in a pixel, the most ink first.
inline std::vector<int> NaiveEdges::samples_of(int x, int y) const {
  std::vector<int> samples;
  around(2, [&](int i, int j) {
    if (i < 2 && j < 2) samples.push_back(quarters_.at(4 * x + i + 2, 4 * y + j + 2));
  });
  std::ranges::sort(samples, std::greater());
  return samples;
}

/// The height above which `share` of the pixel lies, in 1/4096. Sample k has a share of 256 k + 128.
inline int NaiveEdges::height_above(int x, int y, int share) const {
  const std::vector<int> samples = samples_of(x, y);
  const int k = std::clamp((share - 128) / 256, 0, 14);
  const int a = samples[static_cast<size_t>(k)], b = samples[static_cast<size_t>(k) + 1];
  return a + ((b - a) * (share - 128 - 256 * k) >> 8);
}

/// `level_low` is the plateau, not the level around the pixel.
inline int NaiveEdges::cut_of(int x, int y, int level_low, const Cell& cell) const {
  const std::vector<int> samples = samples_of(x, y);
  const int middle = (cell.low + cell.high) / 2;
  if (cell.kind == Kind::kMixed) {
    const int share = (ink(x, y) - cell.low) * 4096 / (cell.high - cell.low);
    return cut_at(height_above(x, y, std::clamp(share, 0, 4096)), cell);
  }
  const bool is_low = ink(x, y) <= level_low + of_255(8);
  return cut_at(is_low ? std::max(middle, samples.front() + 1) : std::min(middle, samples.back()),
                cell);
}

inline const NaiveEdges::Cell& NaiveEdges::cell(int x, int y) const {
  static const Cell kNone;
  return is_inside(x, y) ? cells_[static_cast<size_t>(y * width() + x)] : kNone;
}

inline bool NaiveEdges::is_soft(int x, int y) const {
  return is_inside(x, y) && has_contrast(x, y) && cell(x, y).kind == Kind::kOther;
}

inline NaiveEdges::NaiveEdges(Plane& page)
    : page_(page),
      quarters_(scaled_in_bands(page, {{4, 1}, {4, 1}, prepress::ScaleFilter::kCubic}, 64, 1)) {
  for (int y = 0; y < height(); ++y) {
    for (int x = 0; x < width(); ++x) cells_.push_back(cell_of(x, y));
  }
  // The edges of photographs are found in part, those of type as a whole.
  std::vector<Cell> kept = cells_;
  for (int y = 0; y < height(); ++y) {
    for (int x = 0; x < width(); ++x) {
      int soft = 0;
      around(1, [&](int i, int j) { soft += is_soft(x + i, y + j); });
      if (cell(x, y).kind == Kind::kMixed && soft >= 2) {
        kept[static_cast<size_t>(y * width() + x)] = {};
      }
    }
  }
  cells_ = std::move(kept);
}

// ---- The plate ----

inline bool NaiveEdges::is_treated(int x, int y) const {
  const Cell& here = cell(x, y);
  const int middle = (here.low + here.high) / 2;
  bool is_treated = false;
  around(1, [&](int i, int j) {
    const Cell& beside = cell(x + i, y + j);
    is_treated |= beside.kind == Kind::kMixed;
    is_treated |= here.kind == Kind::kPure && beside.kind == Kind::kPure &&
                  (ink(x, y) > middle) != (ink(x + i, y + j) > middle);
  });
  return is_treated;
}

inline NaiveEdges::Under NaiveEdges::under(uint32_t at, prepress::Ratio ratio, int page_samples) {
  const int64_t p = ratio.p, q = ratio.q, centre = (2 * int64_t{at} + 1) * q;
  return {static_cast<int>(std::min<int64_t>(centre / (2 * p), page_samples - 1)),
          static_cast<int>((centre + p) / (2 * p) - 1),
          static_cast<int>((centre + p) % (2 * p) * 256 / (2 * p))};
}

/// Between the cuts of the four page pixels around it, in 1/65536 of high - low; one without a cut has
/// that of the page pixel under it. Cuts move half way to that of a mixed pixel if they are those of a pure one, and
/// half way if that pixel is thin: they are too high for its stroke or dot.
inline int NaiveEdges::height_of_border(const Under& across, const Under& down) const {
  const Cell& own = cell(across.pixel, down.pixel);
  const auto cut = [&](int x, int y) {
    const Cell& beside = cell(x, y);
    if (beside.kind == Kind::kOther) return own.cut;
    int found = beside.cut;
    if (own.is_thin) found = (found + own.cut) >> 1;
    if (own.kind == Kind::kMixed && beside.kind == Kind::kPure) found = (found + own.cut) >> 1;
    return found;
  };
  const auto column = [&](int x) {
    return cut(x, down.before) * (256 - down.part) + cut(x, down.before + 1) * down.part;
  };
  return (column(across.before) * (256 - across.part) + column(across.before + 1) * across.part) >>
         8;
}

inline int NaiveEdges::sample(const Under& across, const Under& down, int cubic) const {
  const int x = across.pixel, y = down.pixel;
  if (!is_treated(x, y)) return cubic;
  const Cell& own = cell(x, y);
  if (own.kind != Kind::kOther) {
    const int64_t height = int64_t{own.high - own.low} * height_of_border(across, down) >> 16;
    return cubic >= own.low + height ? own.high : own.low;
  }
  if (has_contrast(x, y)) return std::clamp(cubic, least(x, y, 1), most(x, y, 1));
  if (least(x, y, 1) <= of_255(1)) return 0;
  return most(x, y, 1) >= kSolid - of_255(1) ? kSolid : ink(x, y);
}

inline Plane NaiveEdges::plate(const Plane& cubic, const prepress::Scaling& scaling) const {
  Plane plate(cubic.width_px, cubic.height_px);
  for (uint32_t y = 0; y < plate.height_px; ++y) {
    for (uint32_t x = 0; x < plate.width_px; ++x) {
      const int found =
          sample(under(x, scaling.x, width()), under(y, scaling.y, height()), cubic.at(x, y));
      plate.samples[size_t{y} * plate.width_px + x] = static_cast<uint16_t>(found);
    }
  }
  return plate;
}

// ---- Planes that belong together ----

/// The planes of a page. Where the ink of one is a linear function of that of the plane with most contrast, it takes
/// the border of that plane.
///
/// A profile gives type inks on a curve. Such a plane takes the border, too, if the ink only rises or only falls as
/// that of the leading plane rises, if each plane with contrast belongs to the leading one by a line or a curve,
/// and if the paper or the type has several equal pixels, as it has without grain. The sum of all these inks is nearly
/// linear in the part of a pixel that is covered, and gives the leading plane its cut.
class NaiveEdgePlanes {
 public:
  explicit NaiveEdgePlanes(std::vector<Plane>& page);

  /// The plates whose cubic scaling is `cubic`; both ratios are at least 1.
  std::vector<Plane> plates(const std::vector<Plane>& cubic,
                            const prepress::Scaling& scaling) const;

 private:
  using Under = NaiveEdges::Under;
  using Cell = NaiveEdges::Cell;
  static constexpr int of_255(int level) { return NaiveEdges::of_255(level); }

  /// A plane, and the inks of another one where this one has its low and its high level.
  struct Leader {
    size_t plane;
    int low, high;
  };
  /// Two inks of a pair of planes.
  struct Point {
    int64_t leading, other;
  };
  /// A line through the pixels near the extremes of the leading plane.
  struct Line {
    Point from, to;
    int at(int level) const {
      const int64_t rise =
          (level - from.leading) * (to.other - from.other) / (to.leading - from.leading);
      return whole(from.other + rise);
    }
    bool rises() const { return to.other >= from.other; }
  };
  static int whole(int64_t ink) {
    if (ink <= of_255(1)) return 0;
    return static_cast<int>(ink >= NaiveEdges::kSolid - of_255(1) ? NaiveEdges::kSolid : ink);
  }

  int contrast(size_t plane, int x, int y) const {
    return alone_[plane].most(x, y, 1) - alone_[plane].least(x, y, 1);
  }
  bool has_contrast(size_t plane, int x, int y) const { return contrast(plane, x, y) >= of_255(8); }
  size_t leading(int x, int y) const;
  std::vector<Point> points(size_t leading, size_t other, int x, int y, int reach) const;
  Line line(size_t leading, size_t other, int x, int y) const;
  bool are_on_line(size_t leading, size_t other, int x, int y) const;
  bool are_on_curve(size_t leading, size_t other, int x, int y) const;
  bool are_together(size_t leading, int x, int y) const;
  int on_curve(size_t leading, size_t other, int x, int y, bool is_high, int otherwise) const;
  std::optional<Leader> leader(size_t plane, int x, int y) const;
  std::optional<int> common_cut(size_t plane, int x, int y) const;
  int sample(size_t plane,
             const Under& across,
             const Under& down,
             const std::function<int(size_t plane)>& cubic) const;

  std::vector<NaiveEdges> alone_;
  std::vector<std::vector<std::optional<Leader>>> leaders_;  ///< of each pixel of each plane
};

inline NaiveEdgePlanes::NaiveEdgePlanes(std::vector<Plane>& page)
    : alone_(page.begin(), page.end()), leaders_(page.size()) {
  for (size_t plane = 0; plane < page.size(); ++plane) {
    for (int y = 0; y < alone_[plane].height(); ++y) {
      for (int x = 0; x < alone_[plane].width(); ++x) {
        leaders_[plane].push_back(leader(plane, x, y));
      }
    }
  }
  for (size_t plane = 0; plane < page.size(); ++plane) {
    for (size_t at = 0; at < alone_[plane].cells_.size(); ++at) {
      const int x = static_cast<int>(at % page[plane].width_px);
      const int y = static_cast<int>(at / page[plane].width_px);
      int& cut = alone_[plane].cells_[at].cut;
      cut = common_cut(plane, x, y).value_or(cut);
    }
  }
}

inline size_t NaiveEdgePlanes::leading(int x, int y) const {
  size_t most = 0;
  for (size_t i = 1; i < alone_.size(); ++i) {
    if (contrast(i, x, y) > contrast(most, x, y)) most = i;
  }
  return most;
}

inline std::vector<NaiveEdgePlanes::Point> NaiveEdgePlanes::points(
    size_t leading, size_t other, int x, int y, int reach) const {
  std::vector<Point> points;
  NaiveEdges::around(reach, [&](int i, int j) {
    points.push_back({alone_[leading].ink(x + i, y + j), alone_[other].ink(x + i, y + j)});
  });
  return points;
}

inline NaiveEdgePlanes::Line NaiveEdgePlanes::line(size_t leading,
                                                   size_t other,
                                                   int x,
                                                   int y) const {
  const auto mean = [&](int from, int to) {
    int64_t count = 0;
    Point sum{0, 0};
    for (const Point& point : points(leading, other, x, y, 1)) {
      if (point.leading < from || point.leading > to) continue;
      ++count;
      sum = {sum.leading + point.leading, sum.other + point.other};
    }
    return Point{sum.leading / count, sum.other / count};
  };
  const int least = alone_[leading].least(x, y, 1), most = alone_[leading].most(x, y, 1);
  return {mean(least, least + of_255(8)), mean(most - of_255(8), most)};
}

inline bool NaiveEdgePlanes::are_on_line(size_t leading, size_t other, int x, int y) const {
  const auto [from, to] = line(leading, other, x, y);
  const int64_t run = to.leading - from.leading, rise = to.other - from.other;
  return std::ranges::all_of(points(leading, other, x, y, 1), [&](const Point& point) {
    const int64_t error = (point.other - from.other) * run - (point.leading - from.leading) * rise;
    return std::abs(error) <= of_255(4) * run;
  });
}

/// Differences of 4/255 are none.
inline bool NaiveEdgePlanes::are_on_curve(size_t leading, size_t other, int x, int y) const {
  const int sign = line(leading, other, x, y).rises() ? 1 : -1;
  const std::vector<Point> near = points(leading, other, x, y, 1);
  for (const Point& a : near) {
    for (const Point& b : near) {
      if (a.leading + of_255(4) < b.leading && sign * (a.other - b.other) > of_255(4)) return false;
    }
  }
  const NaiveEdges &lead = alone_[leading], &plane = alone_[other];
  const Point low{lead.least(x, y, 2), sign > 0 ? plane.least(x, y, 2) : plane.most(x, y, 2)};
  const Point high{lead.most(x, y, 2), sign > 0 ? plane.most(x, y, 2) : plane.least(x, y, 2)};
  const auto count = [&](const Point& same) {
    return std::ranges::count_if(points(leading, other, x, y, 2), [&](const Point& point) {
      return point.leading == same.leading && point.other == same.other;
    });
  };
  return count(low) >= 4 || count(high) >= 4;
}

inline bool NaiveEdgePlanes::are_together(size_t leading, int x, int y) const {
  for (size_t i = 0; i < alone_.size(); ++i) {
    if (i != leading && has_contrast(i, x, y) && !are_on_line(leading, i, x, y) &&
        !are_on_curve(leading, i, x, y)) {
      return false;
    }
  }
  return true;
}

/// The ink of the other plane where the leading one is near to one of its levels; `otherwise` where it never is in
/// the 5x5.
inline int NaiveEdgePlanes::on_curve(
    size_t leading, size_t other, int x, int y, bool is_high, int otherwise) const {
  const Cell& cell = alone_[leading].cell(x, y);
  const bool is_most = line(leading, other, x, y).rises() == is_high;
  std::optional<int64_t> found;
  for (const Point& point : points(leading, other, x, y, 2)) {
    if (std::abs(point.leading - (is_high ? cell.high : cell.low)) > of_255(8)) continue;
    const int64_t before = found.value_or(point.other);
    found = is_most ? std::max(before, point.other) : std::min(before, point.other);
  }
  return found ? whole(*found) : otherwise;
}

inline std::optional<NaiveEdgePlanes::Leader> NaiveEdgePlanes::leader(size_t plane,
                                                                      int x,
                                                                      int y) const {
  const size_t most = leading(x, y);
  const Cell& cell = alone_[most].cell(x, y);
  if (most == plane || cell.kind == NaiveEdges::Kind::kOther || !alone_[most].is_treated(x, y) ||
      !has_contrast(plane, x, y)) {
    return std::nullopt;
  }
  const Line of_two = line(most, plane, x, y);
  Leader found{most, of_two.at(cell.low), of_two.at(cell.high)};
  if (are_on_line(most, plane, x, y)) return found;
  if (!are_together(most, x, y)) return std::nullopt;
  const Cell& own = alone_[plane].cell(x, y);
  if (own.kind != NaiveEdges::Kind::kOther) {
    found.low = of_two.rises() ? own.low : own.high;
    found.high = of_two.rises() ? own.high : own.low;
  }
  found.low = on_curve(most, plane, x, y, false, found.low);
  found.high = on_curve(most, plane, x, y, true, found.high);
  return found;
}

/// The cut of a leading plane by the inks of all planes, if some are on a curve.
inline std::optional<int> NaiveEdgePlanes::common_cut(size_t plane, int x, int y) const {
  const Cell& cell = alone_[plane].cell(x, y);
  if (cell.kind == NaiveEdges::Kind::kOther || leading(x, y) != plane) return std::nullopt;
  if (!are_together(plane, x, y)) return std::nullopt;
  bool has_curve = false;
  int64_t ink = 0, span = 0;
  const auto add = [&](size_t of, int low, int high) {
    const int64_t above = alone_[of].ink(x, y) - low;
    const int64_t height = std::abs(high - low);
    ink += std::clamp<int64_t>(high < low ? -above : above, 0, height);
    span += height;
  };
  add(plane, cell.low, cell.high);
  for (size_t i = 0; i < alone_.size(); ++i) {
    if (i == plane || !has_contrast(i, x, y)) continue;
    const Line of_two = line(plane, i, x, y);
    const int low = of_two.at(cell.low), high = of_two.at(cell.high);
    if (are_on_line(plane, i, x, y)) {
      add(i, low, high);
    } else {
      has_curve = true;
      add(i, on_curve(plane, i, x, y, false, low), on_curve(plane, i, x, y, true, high));
    }
  }
  const auto share = static_cast<int>(ink * 4096 / span);
  const bool is_whole = share < 128 || share >= 4096 - 128;
  if (!has_curve || (cell.kind == NaiveEdges::Kind::kPure && is_whole)) return std::nullopt;
  return NaiveEdges::cut_at(alone_[plane].height_above(x, y, share), cell);
}

inline int NaiveEdgePlanes::sample(size_t plane,
                                   const Under& across,
                                   const Under& down,
                                   const std::function<int(size_t plane)>& cubic) const {
  const int pixel = down.pixel * alone_[plane].width() + across.pixel;
  const std::optional<Leader>& found = leaders_[plane][static_cast<size_t>(pixel)];
  if (!found) return alone_[plane].sample(across, down, cubic(plane));
  const NaiveEdges& leading = alone_[found->plane];
  const NaiveEdges::Cell& cell = leading.cell(across.pixel, down.pixel);
  const bool is_high = leading.sample(across, down, cubic(found->plane)) == cell.high;
  return is_high ? found->high : found->low;
}

inline std::vector<Plane> NaiveEdgePlanes::plates(const std::vector<Plane>& cubic,
                                                  const prepress::Scaling& scaling) const {
  std::vector<Plane> plates = cubic;
  for (size_t plane = 0; plane < plates.size(); ++plane) {
    const NaiveEdges& alone = alone_[plane];
    for (uint32_t y = 0; y < cubic[plane].height_px; ++y) {
      for (uint32_t x = 0; x < cubic[plane].width_px; ++x) {
        const int found = sample(plane,
                                 NaiveEdges::under(x, scaling.x, alone.width()),
                                 NaiveEdges::under(y, scaling.y, alone.height()),
                                 [&](size_t i) { return cubic[i].at(x, y); });
        plates[plane].samples[size_t{y} * cubic[plane].width_px + x] = static_cast<uint16_t>(found);
      }
    }
  }
  return plates;
}

}  // namespace mezzo::test
