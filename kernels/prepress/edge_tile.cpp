#include "kernels/prepress/edge_tile.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/edge_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/prepress/scale_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

using Pixels = Levels;
using Values = Level;
using Where = hn::Mask<Pixels>;
constexpr ptrdiff_t kStride = EdgeTile::Grid<int16_t>::kStride;
constexpr ptrdiff_t kBlock = hn::MaxLanes(Pixels());  ///< px
constexpr int32_t kSolid = kInk15;

HWY_INLINE Values all(int32_t value) {
  return hn::Set(Pixels(), static_cast<int16_t>(value));
}
HWY_INLINE Values load(const int16_t* from) {
  return hn::LoadU(Pixels(), from);
}
HWY_INLINE void store(Values values, int16_t* to) {
  hn::StoreU(values, Pixels(), to);
}
/// 1 more where `mask` is set.
HWY_INLINE Values counted(Values count, Where mask) {
  return hn::Sub(count, hn::VecFromMask(Pixels(), mask));
}
HWY_INLINE Values kept_where(Where mask, Values values, int32_t otherwise) {
  return hn::IfThenElse(mask, values, all(otherwise));
}
/// Values are those of ink, or 1 beyond; `more` and `less` are not negative.
HWY_INLINE Where is_at_most(Values values, Values limit, int32_t more = 0) {
  return hn::Lt(values, hn::SaturatedAdd(limit, all(more + 1)));
}
HWY_INLINE Where is_at_least(Values values, Values limit, int32_t less = 0) {
  return hn::Gt(values, hn::Sub(limit, all(less + 1)));
}

// ---- Plateaus ----

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
}

// ---- Levels ----

/// The ink of the pixels around those of a block.
struct Around {
  const int16_t* ink;
  HWY_INLINE Values at(ptrdiff_t right, ptrdiff_t down) const {
    return load(ink + down * kStride + right);
  }
};

struct TwoLevels {
  Values low, high;  ///< -1 and more than kSolid: none
  Values low5, high5;
  Where low_is_exact, high_is_exact;
  Where is_type;
};

/// What the pixels of a 5x5 have to say on whether they are type.
struct Extremes {
  Values low, high;
  Values paper, solid;              ///< pixels near to it
  Values exact_paper, exact_solid;  ///< pixels of it

  HWY_INLINE void add(Values ink) {
    low = hn::Min(low, ink);
    high = hn::Max(high, ink);
    paper = counted(paper, is_at_most(ink, all(EdgeTile::kPure)));
    solid = counted(solid, is_at_least(ink, all(kSolid - EdgeTile::kPure)));
    exact_paper = counted(exact_paper, is_at_most(ink, all(EdgeTile::kExact)));
    exact_solid = counted(exact_solid, is_at_least(ink, all(kSolid - EdgeTile::kExact)));
  }
  HWY_INLINE Where is_type(Values bend) const {
    const Where is_two_level =
        hn::And(hn::And(is_at_least(paper, all(2)), is_at_least(solid, all(2))),
                is_at_least(hn::Add(paper, solid), all(10)));
    const Where is_sharp = hn::And(is_at_least(bend, all(EdgeTile::kBend)),
                                   is_at_least(hn::Sub(high, low), all(kSolid / 2)));
    const Where has_flat = is_at_least(hn::Max(exact_paper, exact_solid), all(3));
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
HWY_INLINE TwoLevels find_levels(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  using Unsigned = hn::RebindToUnsigned<Pixels>;
  const Values below = hn::Min(
      hn::SaturatedAdd(load(grids.low3.at(row, column)), all(EdgeTile::kNoise)), all(kSolid));
  const Values above = hn::Sub(load(grids.high3.at(row, column)), all(EdgeTile::kNoise));
  Values low = all(-1), high = all(kSolid + 1);
  Values least_exact = all(-1), most_exact = all(-1);  // -1 is the greatest without a sign
  Extremes extremes{all(kSolid), all(0), all(0), all(0), all(0), all(0)};
  for (ptrdiff_t down = -2; down <= 2; ++down) {
    for (ptrdiff_t right = -2; right <= 2; ++right) {
      const Values plateau = load(grids.plateau.at(row + down, column + right));
      const Values exact = load(grids.exact.at(row + down, column + right));
      extremes.add(load(grids.ink.at(row + down, column + right)));
      low = hn::Max(low, kept_where(is_at_most(plateau, below), plateau, -1));
      high = hn::Min(high, kept_where(is_at_least(plateau, above), plateau, kSolid + 1));
      least_exact = hn::BitCast(
          Pixels(), hn::Min(hn::BitCast(Unsigned(), least_exact), hn::BitCast(Unsigned(), exact)));
      most_exact = hn::Max(most_exact, exact);
    }
  }
  const Where has_exact = is_at_least(most_exact, all(0));
  return {low,
          high,
          extremes.low,
          extremes.high,
          hn::And(has_exact, is_at_most(least_exact, below)),
          hn::And(has_exact, is_at_least(most_exact, above)),
          extremes.is_type(greatest_bend(grids.bend.at(row, column)))};
}

/// Pixels of the 5x5 near one of its extremes: how many, and in which rows and columns.
struct Repeats {
  Values count, rows, columns;  ///< a bit each of rows and columns

  HWY_INLINE void add(Where is_near, ptrdiff_t right, ptrdiff_t down) {
    const Values mask = hn::VecFromMask(Pixels(), is_near);
    count = hn::Sub(count, mask);
    rows = hn::Or(rows, hn::And(mask, all(1 << (down + 2))));
    columns = hn::Or(columns, hn::And(mask, all(1 << (right + 2))));
  }
  HWY_INLINE Where are_three() const { return is_at_least(count, all(3)); }
  HWY_INLINE Where are_area() const {
    const auto is_several = [](Values bits) {
      return hn::Gt(hn::And(bits, hn::Sub(bits, all(1))), all(0));
    };
    return hn::And(are_three(), hn::And(is_several(rows), is_several(columns)));
  }
};

/// Puts what a level without a plateau is: the extreme that pixels repeat; else the stroke is too
/// thin to show its own, which then is solid, or paper.
HWY_INLINE void put_missing(const Around& around,
                            Where has_low,
                            Where has_high,
                            TwoLevels& levels) {
  Repeats low{all(0), all(0), all(0)}, high{all(0), all(0), all(0)};
  for (ptrdiff_t down = -2; down <= 2; ++down) {
    for (ptrdiff_t right = -2; right <= 2; ++right) {
      const Values ink = around.at(right, down);
      low.add(is_at_most(ink, levels.low5, 3 * EdgeTile::kExact), right, down);
      high.add(is_at_least(ink, levels.high5, 3 * EdgeTile::kExact), right, down);
    }
  }
  const Where is_line_in_solid =
      hn::And(low.are_three(),
              hn::And(is_at_least(levels.high5, all(kSolid - EdgeTile::kPure)),
                      hn::Gt(levels.low5, all(EdgeTile::kPure))));
  const Values other_low =
      hn::IfThenElseZero(hn::Or(low.are_area(), is_line_in_solid), levels.low5);
  const Values other_high = kept_where(high.are_area(), levels.high5, kSolid);
  levels.low = hn::IfThenElse(has_low, levels.low, other_low);
  levels.high = hn::IfThenElse(has_high, levels.high, other_high);
}

/// The pixels whose levels count, of those that have contrast.
HWY_INLINE Where settle_levels(const Around& around, Where has_contrast, TwoLevels& levels) {
  const Where has_low = is_at_least(levels.low, all(0));
  const Where has_high = is_at_most(levels.high, all(kSolid));
  const Where has_both = hn::And(has_low, has_high);
  const Where is_sure = hn::Or(levels.is_type, hn::Or(levels.low_is_exact, levels.high_is_exact));
  Where counts = hn::And(has_contrast, hn::Or(is_sure, has_both));
  if (!hn::AllFalse(Pixels(), hn::AndNot(has_both, counts))) {
    put_missing(around, has_low, has_high, levels);
  }
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

/// Pixels of the 3x3 that have a level, and the sum of their differences from it, which are small.
struct LevelSums {
  HWY_ALIGN int16_t low_count[kBlock], low_sum[kBlock], high_count[kBlock], high_sum[kBlock];
};

HWY_INLINE void add_levels(const Around& around, const TwoLevels& levels, LevelSums& sums) {
  Values low_count = all(0), low_sum = all(0), high_count = all(0), high_sum = all(0);
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      const Values ink = around.at(right, down);
      const Where is_low = is_at_most(ink, levels.low, EdgeTile::kNoise);
      const Where is_high = hn::AndNot(is_low, is_at_least(ink, levels.high, EdgeTile::kNoise));
      low_count = counted(low_count, is_low);
      low_sum = hn::Add(low_sum, hn::IfThenElseZero(is_low, hn::Sub(ink, levels.low)));
      high_count = counted(high_count, is_high);
      high_sum = hn::Add(high_sum, hn::IfThenElseZero(is_high, hn::Sub(ink, levels.high)));
    }
  }
  store(low_count, sums.low_count);
  store(low_sum, sums.low_sum);
  store(high_count, sums.high_count);
  store(high_sum, sums.high_sum);
}

// ---- Cuts ----

/// 16 samples of each pixel.
using Surface = int16_t[16][kBlock];

/// The weights of cubic scaling by 4/1. Two samples are 5/8 and 7/8 px behind the centre of a pixel, the other two 1/8
/// and 3/8 px behind the centre of the next pixel.
constexpr int16_t kQuarters[2][2][4] = {{{-720, 6384, 11920, -1200}, {-112, 1488, 15792, -784}},
                                        {{-784, 15792, 1488, -112}, {-1200, 11920, 6384, -720}}};

/// Two samples among four that are a step apart in memory.
HWY_INLINE void mix_four(const int16_t* from,
                         ptrdiff_t step,
                         const int16_t (&weights)[2][4],
                         int16_t* to,
                         ptrdiff_t to_step) {
  const Values a = load(from), b = load(from + step);
  const Values c = load(from + 2 * step), e = load(from + 3 * step);
  const Pairs ab = pairs_of(a, b), ce = pairs_of(c, e);
  for (const int16_t(&pair)[4] : weights) {
    store(mix_of_four(ab, weight_pair(pair), ce, weight_pair(pair + 2)), to);
    to += to_step;
  }
}

HWY_INLINE void make_surface(const int16_t* ink, Surface& surface) {
  int16_t rows[5][4][kBlock];
  for (ptrdiff_t down = 0; down < 5; ++down) {
    const int16_t* from = ink + (down - 2) * kStride - 2;
    mix_four(from, 1, kQuarters[0], rows[down][0], kBlock);
    mix_four(from + 1, 1, kQuarters[1], rows[down][2], kBlock);
  }
  for (ptrdiff_t i = 0; i < 4; ++i) {
    mix_four(rows[0][i], 4 * kBlock, kQuarters[0], surface[i], 4 * kBlock);
    mix_four(rows[1][i], 4 * kBlock, kQuarters[1], surface[8 + i], 4 * kBlock);
  }
}

/// Two samples of the surface that are brought in order.
struct Exchange {
  uint8_t first, second;
};

/// Batcher's network, which sorts 16 values: odd-even merges.
constexpr size_t kExchanges = 63;
constexpr std::array<Exchange, kExchanges> exchanges() {
  std::array<Exchange, kExchanges> all{};
  size_t count = 0;
  for (uint32_t p = 1; p < 16; p *= 2) {
    for (uint32_t k = p; k >= 1; k /= 2) {
      for (uint32_t i = k % p; i + k < 16; ++i) {
        if ((i - k % p) / k % 2 != 0 || i / (2 * p) != (i + k) / (2 * p)) continue;
        all[count++] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i + k)};
      }
    }
  }
  return all;
}
constexpr std::array<Exchange, kExchanges> kNetwork = exchanges();

HWY_INLINE void exchange(Values& a, Values& b) {
  const Values most = hn::Max(a, b);
  b = hn::Min(a, b);
  a = most;
}

/// The most ink first.
template <size_t... kI>
HWY_INLINE void sort(Surface& surface, std::index_sequence<kI...> /*exchanges*/) {
  Values samples[16];
  for (int i = 0; i < 16; ++i) samples[i] = load(surface[i]);
  (exchange(samples[kNetwork[kI].first], samples[kNetwork[kI].second]), ...);
  for (int i = 0; i < 16; ++i) store(samples[i], surface[i]);
}

// ---- Pixels ----

/// What is known of the pixels of a block, before their cuts.
struct Found {
  int16_t kind[kBlock], has_contrast[kBlock];
  int16_t low[kBlock], high[kBlock];
  LevelSums sums;
  Surface surface;  ///< sorted
};

/// The levels as they are around the pixel. Paper is paper: no specks beside type.
struct LocalLevels {
  int32_t low, high;
};
HWY_INLINE LocalLevels local_levels(const Found& found, ptrdiff_t i, int32_t low3, int32_t high3) {
  const LevelSums& sums = found.sums;
  LocalLevels levels{found.low[i], found.high[i]};
  if (sums.low_count[i] > 0) {
    levels.low = (levels.low * sums.low_count[i] + sums.low_sum[i]) / sums.low_count[i];
  }
  if (sums.high_count[i] > 0) {
    levels.high = (levels.high * sums.high_count[i] + sums.high_sum[i]) / sums.high_count[i];
  }
  if (low3 <= EdgeTile::kExact) levels.low = 0;
  if (high3 >= kSolid - EdgeTile::kExact) levels.high = kSolid;
  return levels;
}

/// The height above which as much of the surface lies as there is ink in a mixed pixel; of a pure one,
/// a height that leaves all of it its level.
HWY_INLINE int32_t height_of_cut(const Found& found, ptrdiff_t i, int32_t ink, LocalLevels levels) {
  const auto sample = [&](int32_t k) { return int32_t{found.surface[k][i]}; };
  const int32_t middle = (levels.low + levels.high) / 2;
  if (found.kind[i] != EdgeTile::kPureLevel) {
    const int32_t share = (ink - levels.low) * 4096 / (levels.high - levels.low);
    const int32_t place = std::clamp(share, 0, 4096) - 128;  // samples are 256 apart
    const int32_t k = std::clamp(place >> 8, 0, 14);
    return sample(k) + ((sample(k + 1) - sample(k)) * (place - k * 256) >> 8);
  }
  if (ink <= found.low[i] + EdgeTile::kNoise) return std::max(middle, sample(0) + 1);
  return std::min(middle, sample(15));
}

HWY_INLINE void settle_pixel(const EdgeTile::Grids& grids,
                             ptrdiff_t row,
                             ptrdiff_t column,
                             const Found& found,
                             ptrdiff_t i) {
  const LocalLevels levels =
      local_levels(found, i, *grids.low3.at(row, column), *grids.high3.at(row, column));
  const int32_t span = levels.high - levels.low;
  if (span < EdgeTile::kFaint) return;
  int32_t cut = 128;
  if (found.sums.low_count[i] + found.sums.high_count[i] < 9) {
    const int32_t height = height_of_cut(found, i, *grids.ink.at(row, column), levels);
    cut = std::clamp((height - levels.low) * 256 / span, -128, 384);
  }
  *grids.kind.at(row, column) = static_cast<uint8_t>(found.kind[i]);
  *grids.is_soft.at(row, column) = 0;
  *grids.cut.at(row, column) = static_cast<int16_t>(cut);
  *grids.low.at(row, column) = static_cast<int16_t>(levels.low);
  *grids.high.at(row, column) = static_cast<int16_t>(levels.high);
}

/// The kinds of a block without their cuts; false: all are other.
HWY_INLINE bool find_kinds(const EdgeTile::Grids& grids,
                           ptrdiff_t row,
                           ptrdiff_t column,
                           Where has_contrast,
                           Found& found) {
  const Around around{grids.ink.at(row, column)};
  TwoLevels levels = find_levels(grids, row, column);
  Where counts = settle_levels(around, has_contrast, levels);
  if (hn::AllFalse(Pixels(), counts)) return false;
  const Values ink = around.at(0, 0);
  const Where is_pure = hn::Or(is_at_most(ink, levels.low, EdgeTile::kNoise),
                               is_at_least(ink, levels.high, EdgeTile::kNoise));
  const Where is_clear = hn::Or(levels.is_type, is_pure);
  if (!hn::AllFalse(Pixels(), hn::AndNot(is_clear, counts))) {
    counts = hn::And(counts, hn::Or(is_clear, is_border(around, levels)));
  }
  const Where has_levels = hn::And(is_at_most(levels.low5, levels.low, EdgeTile::kNoise),
                                   is_at_least(levels.high5, levels.high, EdgeTile::kNoise));
  const Values mixed = hn::IfThenElse(has_levels, all(EdgeTile::kMixed), all(EdgeTile::kThin));
  const Values kind = hn::IfThenElse(is_pure, all(EdgeTile::kPureLevel), mixed);
  store(hn::IfThenElseZero(counts, kind), found.kind);
  store(levels.low, found.low);
  store(levels.high, found.high);
  add_levels(around, levels, found.sums);
  make_surface(around.ink, found.surface);
  sort(found.surface, std::make_index_sequence<kExchanges>());
  return true;
}

HWY_INLINE void find_pixels(const EdgeTile::Grids& grids, ptrdiff_t row, ptrdiff_t column) {
  Found found;
  const Values contrast =
      hn::Sub(load(grids.high3.at(row, column)), load(grids.low3.at(row, column)));
  const Where has_contrast = is_at_least(contrast, all(EdgeTile::kFaint));
  std::fill_n(grids.kind.at(row, column), kBlock, uint8_t{EdgeTile::kOther});
  store(hn::IfThenElseZero(has_contrast, all(1)), found.has_contrast);
  std::copy_n(found.has_contrast, kBlock, grids.is_soft.at(row, column));
  if (hn::AllFalse(Pixels(), has_contrast)) return;
  if (!find_kinds(grids, row, column, has_contrast, found)) return;
  for (ptrdiff_t i = 0; i < kBlock; ++i) {
    if (found.kind[i] != EdgeTile::kOther) settle_pixel(grids, row, column + i, found, i);
  }
}

/// Finds all values that depend only on the pixels around a pixel. The last block of a row goes on beyond the pixels
/// that count.
void find_all_pixels(const EdgeTile::Grids& grids, const EdgeTile::Place& place) {
  const auto rows = static_cast<ptrdiff_t>(place.rows);
  const auto columns = static_cast<ptrdiff_t>(place.columns);
  for (ptrdiff_t row = -4; row < rows + 4; ++row) {
    for (ptrdiff_t column = -4; column < columns + 4 + kBlock; column += kBlock) {
      find_plateaus(grids, row, column);
    }
  }
  for (ptrdiff_t row = -2; row < rows + 2; ++row) {
    for (ptrdiff_t column = -2; column < columns + 2; column += kBlock) {
      find_pixels(grids, row, column);
    }
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(find_all_pixels);

EdgeTile::EdgeTile() = default;

void EdgeTile::find(const SampleBand& page, const Place& place) {
  MZ_ASSERT(place.columns <= kColumns && place.rows <= kRows && page.bytes_per_sample == 2);
  place_ = place;
  copy_ink(page);
  HWY_DYNAMIC_DISPATCH(find_all_pixels)(grids_, place_);
  drop_outside();
  veto();
  choose_treated();
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

/// Type is found whole, the edges of photographs in part. All at once, not in a chain.
void EdgeTile::veto() {
  constexpr ptrdiff_t kStride = Grid<uint8_t>::kStride;
  const auto rows = static_cast<ptrdiff_t>(place_.rows);
  const auto columns = static_cast<ptrdiff_t>(place_.columns);
  for (ptrdiff_t row = -1; row <= rows; ++row) {
    uint8_t* kind = grids_.kind.at(row, 0);
    const uint8_t* is_soft = grids_.is_soft.at(row, 0);
    for (ptrdiff_t x = -1; x <= columns; ++x) {
      if ((kind[x] & kMixed) == 0) continue;
      int soft = 0;
      for (const ptrdiff_t down : {-kStride, ptrdiff_t{0}, kStride}) {
        for (ptrdiff_t right = -1; right <= 1; ++right) soft += is_soft[x + down + right];
      }
      if (soft >= 2) kind[x] = kOther;
    }
  }
}

bool EdgeTile::is_beside_other_level(ptrdiff_t row, ptrdiff_t column) const {
  const int32_t middle = (*grids_.low.at(row, column) + *grids_.high.at(row, column)) / 2;
  const bool is_high = *grids_.ink.at(row, column) > middle;
  for (ptrdiff_t down = -1; down <= 1; ++down) {
    for (ptrdiff_t right = -1; right <= 1; ++right) {
      if (*grids_.kind.at(row + down, column + right) == kPureLevel &&
          (*grids_.ink.at(row + down, column + right) > middle) != is_high) {
        return true;
      }
    }
  }
  return false;
}

/// Beside a border cubic scaling must not overshoot, and a faint tone is one tone.
void EdgeTile::limit_other(ptrdiff_t row, ptrdiff_t column) {
  int16_t low = *grids_.low3.at(row, column), high = *grids_.high3.at(row, column);
  if (high - low < kFaint) {
    constexpr int32_t kSolid = kInk15;
    if (low <= kExact) {
      low = 0;
    } else {
      low = high >= kSolid - kExact ? int16_t{kSolid} : *grids_.ink.at(row, column);
    }
    high = low;
  }
  *grids_.low.at(row, column) = low;
  *grids_.high.at(row, column) = high;
}

void EdgeTile::choose_treated() {
  constexpr ptrdiff_t kStride = Grid<uint8_t>::kStride;
  for (uint32_t row = 0; row < place_.rows; ++row) {
    treated_[row].clear();
    const uint8_t* kind = grids_.kind.at(row, 0);
    uint8_t around[kColumns] = {};
    for (ptrdiff_t x = 0; x < static_cast<ptrdiff_t>(place_.columns); ++x) {
      const auto column = [&](ptrdiff_t at) {
        return static_cast<uint8_t>(kind[at - kStride] | kind[at] | kind[at + kStride]);
      };
      around[x] = column(x - 1) | column(x) | column(x + 1);
    }
    for (uint32_t x = 0; x < place_.columns; ++x) {
      if (around[x] == 0) continue;
      const bool is_near_mixed = (around[x] & kMixed) != 0;
      if (!is_near_mixed && (kind[x] != kPureLevel || !is_beside_other_level(row, x))) continue;
      if (kind[x] == kOther) limit_other(row, x);
      treated_[row].push_back(static_cast<uint16_t>(x));
    }
  }
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
