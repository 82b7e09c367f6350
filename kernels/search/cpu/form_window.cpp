#include "kernels/search/cpu/form_window.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/cpu/form_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MZ_FORM_WINDOW_TABLES
#define MZ_FORM_WINDOW_TABLES
namespace mezzo::search::form {

inline constexpr uint32_t kHalves = 256;  ///< patterns of half a window

inline int ink_of(uint32_t pattern) {
  return std::popcount(pattern);
}

/// x'Q x of all patterns. A row is an upper half; in it lower halves follow each other by their ink.
struct PatternTable {
  PatternTable() {
    std::iota(lower.begin(), lower.end(), 0U);
    std::ranges::stable_sort(lower, {}, ink_of);
    for (size_t i = 0; i < kHalves; ++i) ++first_of[static_cast<size_t>(ink_of(lower[i])) + 1];
    std::partial_sum(first_of.begin(), first_of.end(), first_of.begin());
    std::vector<int32_t> squares(size_t{kHalves} * kHalves);
    for (uint32_t pattern = 1; pattern < squares.size(); ++pattern) {
      const uint32_t first = 15 - static_cast<uint32_t>(std::countr_zero(pattern));
      const uint32_t rest = pattern & (pattern - 1);
      int32_t square = squares[rest] + pair(first, first);
      for (uint32_t k = 0; k < first; ++k) {
        if ((rest >> (15 - k) & 1) != 0) square += 2 * pair(k, first);
      }
      squares[pattern] = square;
    }
    for (uint32_t upper = 0; upper < kHalves; ++upper) {
      for (uint32_t i = 0; i < kHalves; ++i) {
        values[upper * kHalves + i] = squares[upper << 8 | lower[i]];
        place_of[lower[i]] = i;
      }
    }
    for (uint32_t k = 0; k < kWindowPixels; ++k) {
      for (uint32_t j = 0; j < kWindowPixels; ++j) pairs[k][j] = pair(k, j);
    }
  }

  int32_t square(uint32_t pattern) const {
    return values[(pattern & 0xFF00) + place_of[pattern & 0xFF]];
  }

  static int32_t pair(uint32_t k, uint32_t j) {
    const auto y = [](uint32_t i) { return static_cast<int>(i / kWindow); };
    const auto x = [](uint32_t i) { return static_cast<int>(i % kWindow); };
    return q(y(k) - y(j), x(k) - x(j));
  }

  /// Places in a row of lower halves with `ink` pixels of ink; those with more than 8 are none.
  uint32_t begin_of(int ink) const { return first_of[static_cast<size_t>(std::clamp(ink, 0, 9))]; }

  alignas(64) std::array<int32_t, kHalves * kHalves> values;
  alignas(64) int32_t pairs[kWindowPixels][kWindowPixels];
  std::array<uint32_t, kHalves> lower;     ///< by place
  std::array<uint32_t, kHalves> place_of;  ///< and the reverse
  std::array<uint32_t, 10> first_of{};     ///< by ink
};

inline const PatternTable& pattern_table() {
  static const auto table = std::make_unique<const PatternTable>();
  return *table;
}

}  // namespace mezzo::search::form
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::form::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<int32_t, 16>;
using Vector = hn::Vec<Tag>;
constexpr uint32_t kLanes = hn::MaxLanes(Tag());
constexpr uint32_t kVectors = 8, kChunk = kVectors * kLanes;  ///< what registers hold

class Windows {
 public:
  explicit Windows(const WindowState& window) : table_(pattern_table()), window_(window) {
    take_out_ink();
    add_up(linear_, upper_);
    add_up(linear_ + 8, natural_);
    for (uint32_t i = 0; i < kHalves; ++i) lower_[i] = natural_[table_.lower[i]];
  }

  WindowBest best(FormWindows windows) {
    if (windows == FormWindows::kAll) {
      for (uint32_t first = 0; first < kHalves; first += kChunk) try_chunk(first);
    } else {
      for (uint32_t upper = 0; upper < kHalves; ++upper) try_same_ink(upper);
    }
    const int32_t found = finish_rows();
    const int32_t now = energy(window_.current);
    if (found >= now) return {0, window_.current};
    return {found - now, nearest(found, windows)};
  }

 private:
  /// L.
  void take_out_ink() {
    std::copy_n(window_.c, kWindowPixels, linear_);
    for (uint32_t ink = window_.current; ink != 0; ink &= ink - 1) {
      const int32_t* const pairs = table_.pairs[15 - std::countr_zero(ink)];
      for (int k = 0; k < kWindowPixels; ++k) linear_[k] -= pairs[k];
    }
    for (int k = 0; k < kWindowPixels; ++k) {
      linear_[k] = (window_.absent >> (15 - k) & 1) != 0 ? kAbsent : 2 * linear_[k];
    }
  }

  /// Sums of L over the pixels of half a window with ink, for all its patterns.
  static void add_up(const int32_t* linear, int32_t* sums) {
    sums[0] = 0;
    for (uint32_t bit = 0; bit < 8; ++bit) {
      const uint32_t count = 1U << bit;
      for (uint32_t i = 0; i < count; ++i) sums[count + i] = sums[i] + linear[7 - bit];
    }
  }

  int32_t energy(uint32_t pattern) const {
    return upper_[pattern >> 8] + natural_[pattern & 0xFF] + table_.square(pattern);
  }

  const int32_t* row(uint32_t upper) const { return table_.values.data() + upper * kHalves; }

  /// Lower halves from place `first` on, under all upper ones: the least of each lane.
  HWY_INLINE void try_chunk(uint32_t first) {
    const Tag d;
    Vector lower[kVectors];
    for (uint32_t v = 0; v < kVectors; ++v) lower[v] = hn::Load(d, lower_ + first + v * kLanes);
    for (uint32_t upper = 0; upper < kHalves; ++upper) {
      const int32_t* const squares = row(upper) + first;
      Vector least = first == 0 ? hn::Set(d, INT_MAX) : hn::Load(d, least_of_row_[upper]);
      for (uint32_t v = 0; v < kVectors; ++v) {
        least = hn::Min(least, hn::Add(lower[v], hn::Load(d, squares + v * kLanes)));
      }
      hn::Store(least, d, least_of_row_[upper]);
    }
  }

  /// Adds the sums of the upper halves to the least of rows, and returns the least of all.
  int32_t finish_rows() {
    const Tag d;
    Vector least = hn::Set(d, INT_MAX);
    for (uint32_t upper = 0; upper < kHalves; ++upper) {
      const Vector sum = hn::Add(hn::Load(d, least_of_row_[upper]), hn::Set(d, upper_[upper]));
      hn::Store(sum, d, least_of_row_[upper]);
      least = hn::Min(least, sum);
    }
    return hn::GetLane(hn::MinOfLanes(d, least));
  }

  /// Places of the lower halves that bring the ink to that of now, or a pixel more or less.
  struct Range {
    uint32_t begin, end;
  };
  Range range(uint32_t upper, FormWindows windows) const {
    if (windows == FormWindows::kAll) return {0, kHalves};
    const int same = ink_of(window_.current) - ink_of(upper);
    return {table_.begin_of(same - 1), table_.begin_of(same + 2)};
  }

  void try_same_ink(uint32_t upper) {
    const Tag d;
    const Range range = this->range(upper, FormWindows::kSameInk);
    const int32_t* const squares = row(upper);
    // More than any E, also with the upper half's part.
    const Vector none = hn::Set(d, INT_MAX - std::max(upper_[upper], 0));
    const Vector begin = hn::Set(d, static_cast<int32_t>(range.begin));
    const Vector end = hn::Set(d, static_cast<int32_t>(range.end));
    const Vector lanes = hn::Iota(d, 0);
    Vector least = none;
    for (uint32_t i = range.begin / kLanes * kLanes; i < range.end; i += kLanes) {
      const Vector place = hn::Add(lanes, hn::Set(d, static_cast<int32_t>(i)));
      const auto counts = hn::AndNot(hn::Lt(place, begin), hn::Lt(place, end));
      const Vector sum = hn::Add(hn::Load(d, lower_ + i), hn::Load(d, squares + i));
      least = hn::Min(least, hn::IfThenElse(counts, sum, none));
    }
    hn::Store(least, d, least_of_row_[upper]);
  }

  /// Of the patterns with that E the one nearest to the current one.
  uint32_t nearest(int32_t found, FormWindows windows) const {
    const Tag d;
    const Vector wanted = hn::Set(d, found);
    uint32_t least = UINT32_MAX;
    for (uint32_t upper = 0; upper < kHalves; ++upper) {
      const Vector of_row = hn::Load(d, least_of_row_[upper]);
      if (hn::AllFalse(d, hn::Eq(of_row, wanted))) continue;
      const Range range = this->range(upper, windows);
      for (uint32_t i = range.begin; i < range.end; ++i) {
        if (lower_[i] + row(upper)[i] + upper_[upper] != found) continue;
        least = std::min(least, (upper << 8 | table_.lower[i]) ^ window_.current);
      }
    }
    return least ^ window_.current;
  }

  const PatternTable& table_;
  const WindowState& window_;
  alignas(64) int32_t linear_[kWindowPixels];
  alignas(64) int32_t upper_[kHalves], natural_[kHalves];
  alignas(64) int32_t lower_[kHalves];                 ///< natural_ in the order of the table
  alignas(64) int32_t least_of_row_[kHalves][kLanes];  ///< in each lane, over lower halves
};

WindowBest best_on_target(const WindowState& window, FormWindows windows) {
  return Windows(window).best(windows);
}

}  // namespace mezzo::search::form::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search::form {

HWY_EXPORT(best_on_target);

WindowBest best_pattern(const WindowState& window, FormWindows windows) {
  return HWY_DYNAMIC_DISPATCH(best_on_target)(window, windows);
}

WindowBest best_pattern_plainly(const WindowState& window, FormWindows windows) {
  const PatternTable& table = pattern_table();
  int32_t linear[kWindowPixels];  // by bit
  for (uint32_t bit = 0; bit < kWindowPixels; ++bit) {
    linear[bit] = window.c[15 - bit];
    for (uint32_t j = 0; j < kWindowPixels; ++j) {
      if ((window.current >> j & 1) != 0) linear[bit] -= PatternTable::pair(15 - bit, 15 - j);
    }
    linear[bit] = (window.absent >> bit & 1) != 0 ? kAbsent : 2 * linear[bit];
  }
  std::array<int32_t, kHalves> upper{}, lower{};  // the linear part of each half
  for (uint32_t half = 1; half < kHalves; ++half) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(half));
    upper[half] = upper[half & (half - 1)] + linear[8 + bit];
    lower[half] = lower[half & (half - 1)] + linear[bit];
  }
  const auto energy = [&](uint32_t pattern) {
    return upper[pattern >> 8] + lower[pattern & 0xFF] + table.square(pattern);
  };
  const int32_t now = energy(window.current);
  WindowBest best{0, window.current};
  for (uint32_t pattern = 0; pattern < kHalves * kHalves; ++pattern) {
    const int more = ink_of(pattern) - ink_of(window.current);
    if (windows == FormWindows::kSameInk && std::abs(more) > 1) continue;
    const int32_t change = energy(pattern) - now;
    const bool nearer = (pattern ^ window.current) < (best.pattern ^ window.current);
    if (change < best.change || (change == best.change && nearer)) best = {change, pattern};
  }
  return best;
}

}  // namespace mezzo::search::form
#endif
