// The search with the tone form as its definition reads (kernels/search/form.h): c is counted anew
// from the bits wherever it is looked at, sums run over whole squares, and every pattern of a window
// is tried. Of the program it takes the frozen tables alone.
//
// Slow: think of pages of some ten pixels a side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/search/form_tables.h"
#include "tests/kernels/search/naive_search.h"

namespace mezzo::test {

enum class NaiveWindows { kNone, kAll, kSameInk };

struct NaiveFormSettings {
  int cell = 19;
  bool moves = true;
  NaiveWindows windows = NaiveWindows::kAll;
  int first_row = 0;  ///< of the page
  int settled = 0;    ///< rows
};

class NaiveForm {
 public:
  struct Round {
    bool changed;
    int64_t error;
    std::string stage;
    bool last_stage;
  };

  NaiveForm(Tones tones, NaiveBits bits, const NaiveFormSettings& how)
      : tones_(std::move(tones)),
        bits_(std::move(bits)),
        how_(how),
        last_row_(std::max(tones_.rows() - 3, how.settled + 1)),
        last_column_(std::max(tones_.columns() - 3, 1)) {
    stage_ = how.moves ? "moves" : "every second window";
    for (int y = 0; y < tones_.rows(); ++y) {
      for (int x = 0; x < tones_.columns(); ++x) targets_.push_back(target(y, x));
    }
    for (int y = how.settled; y < last_row_; ++y) {
      for (int x = 0; x < last_column_; ++x) open_.insert({y, x});
    }
    error_ = first_error();
  }

  const NaiveBits& bits() const { return bits_; }
  int64_t error() const { return std::max<int64_t>(error_, 0); }

  Round round() {
    const NaiveBits before = bits_;
    const int64_t error_before = error();
    const std::string stage = stage_;
    bool changed = false;
    for (int group = 0; group < 4; ++group) {
      for_cells_of(group, [&](int top, int left) { changed = visit_cell(top, left) || changed; });
    }
    const bool last = stage == "all windows" || how_.windows == NaiveWindows::kNone;
    if (!last && (!changed || 200 * (error_before - error()) < error_before)) {
      stage_ = stage == "moves" ? "every second window" : "all windows";
    }
    return {changed, error(), stage, last};
  }

  /// c of a pixel.
  int64_t c(int y, int x) const { return ink(y, x) - targets_[tones_.index(y, x)].all(); }

  /// Q
  static int64_t q(int dy, int dx) {
    using namespace search::form;
    return at(kNear, dy) * at(kNear, dx) + at(kMiddle, dy) * at(kMiddle, dx) +
           at(kFar, dy) * at(kFar, dx);
  }

  /// Q of |dy|, |dx| <= 16, beyond which it is 0.
  class AllQ {
   public:
    AllQ() {
      for (int dy = -16; dy <= 16; ++dy) {
        for (int dx = -16; dx <= 16; ++dx) values_.push_back(q(dy, dx));
      }
    }
    int64_t at(int dy, int dx) const {
      return values_[static_cast<size_t>((dy + 16) * 33 + dx + 16)];
    }

   private:
    std::vector<int64_t> values_;
  };
  static const AllQ& all_q() {
    static const AllQ all;
    return all;
  }

  /// x'Q x of every pattern of a window, the first pixel in the most significant bit.
  static const std::vector<int32_t>& squares() {
    static const std::vector<int32_t> all = [] {
      int32_t pairs[16][16];
      for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j)
          pairs[i][j] = static_cast<int32_t>(q(i / 4 - j / 4, i % 4 - j % 4));
      }
      std::vector<int32_t> sums(65536);
      for (uint32_t pattern = 0; pattern < sums.size(); ++pattern) {
        for (int i = 0; i < 16; ++i) {
          for (int j = 0; j < 16; ++j) {
            if (has(pattern, i) && has(pattern, j)) sums[pattern] += pairs[i][j];
          }
        }
      }
      return sums;
    }();
    return all;
  }

  static bool has(uint32_t pattern, int pixel) { return (pattern >> (15 - pixel) & 1) != 0; }

  /// The best pattern of a window with these c; the second is its error against the current one.
  static std::pair<uint32_t, int64_t> best(const int64_t (&cs)[16],
                                           uint32_t current,
                                           NaiveWindows windows,
                                           uint32_t absent = 0) {
    int64_t linear[16];
    for (int i = 0; i < 16; ++i) {
      linear[i] = cs[i];
      for (int j = 0; j < 16; ++j) {
        if (has(current, j)) linear[i] -= q(i / 4 - j / 4, i % 4 - j % 4);
      }
    }
    int64_t above[256] = {}, below[256] = {};  // the linear parts of both halves
    for (uint32_t half = 0; half < 256; ++half) {
      for (int i = 0; i < 8; ++i) {
        above[half] += has(half << 8, i) ? 2 * linear[i] : 0;
        below[half] += has(half, 8 + i) ? 2 * linear[8 + i] : 0;
      }
    }
    const auto error_of = [&](uint32_t pattern) {
      return squares()[pattern] + above[pattern >> 8] + below[pattern & 0xFF];
    };
    uint32_t best = current;
    int64_t least = error_of(current);
    for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
      if ((pattern & absent) != 0) continue;
      const int more = std::popcount(pattern) - std::popcount(current);
      if (windows == NaiveWindows::kSameInk && std::abs(more) > 1) continue;
      const int64_t error = error_of(pattern);
      if (error > least || (error == least && (pattern ^ current) >= (best ^ current))) continue;
      best = pattern;
      least = error;
    }
    return {best, least - error_of(current)};
  }

 private:
  struct Target {
    int64_t near, wide, dot;
    int64_t all() const { return near + wide + dot; }
  };

  template <typename Table>
  static int64_t at(const Table& table, int d) {
    const auto place = static_cast<size_t>(std::abs(d));
    return place < table.size() ? table[place] : 0;
  }

  int64_t tone(int y, int x) const { return tones_.values[tones_.index(y, x)]; }
  int row(int y) const { return std::clamp(y, 0, tones_.rows() - 1); }
  int column(int x) const { return std::clamp(x, 0, tones_.columns() - 1); }

  /// The narrow eye's weight on an axis of the page.
  static int64_t mass(int at_place, int length) {
    int64_t sum = 0;
    for (int j = 0; j < length; ++j) sum += at(search::form::kEye, j - at_place);
    return sum;
  }

  int64_t near(int y, int x) const {
    int64_t sum = 0;
    for (int dy = -3; dy <= 3; ++dy) {
      int64_t across = 0;
      for (int dx = -3; dx <= 3; ++dx) {
        across += at(search::form::kEye, dx) * mass(x + dx, tones_.columns()) *
                  tone(row(y + dy), column(x + dx));
      }
      sum += at(search::form::kEye, dy) * mass(y + dy, tones_.rows()) * ((across + 8192) >> 14);
    }
    return (sum + 128) >> 8;
  }

  template <typename Table>
  int64_t wide(const Table& table, int y, int x) const {
    int64_t sum = 0;
    for (int dy = -16; dy <= 16; ++dy) {
      int64_t across = 0;
      for (int dx = -16; dx <= 16; ++dx) {
        if (tones_.has(y + dy, x + dx)) across += at(table, dx) * tone(y + dy, x + dx);
      }
      sum += at(table, dy) * ((across + 8) >> 4);
    }
    return (sum + 128) >> 8;
  }

  int64_t dot(int y, int x) const {
    bool paper = true, solid = true;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (!tones_.has(y + dy, x + dx)) continue;
        paper = paper && tone(y + dy, x + dx) == 0;
        solid = solid && tone(y + dy, x + dx) == 4096;
      }
    }
    if (paper || solid) return 0;
    int64_t sum = 0;
    for (int dy = -6; dy <= 6; ++dy) {
      for (int dx = -6; dx <= 6; ++dx) {
        sum += at(search::form::kBlur, dy) * at(search::form::kBlur, dx) *
               tone(row(y + dy), column(x + dx));
      }
    }
    const auto around = static_cast<int>((sum + 32768) >> 16);
    return around <= 2048 ? at(search::form::kDot, around) : -at(search::form::kDot, 4096 - around);
  }

  Target target(int y, int x) const {
    return {
        near(y, x), wide(search::form::kMiddle, y, x) + wide(search::form::kFar, y, x), dot(y, x)};
  }

  /// The bits that Q sees.
  int64_t ink(int y, int x) const {
    int64_t sum = 0;
    for (int row = std::max(y - 16, 0); row <= std::min(y + 16, tones_.rows() - 1); ++row) {
      for (int column = std::max(x - 16, 0); column <= std::min(x + 16, tones_.columns() - 1);
           ++column) {
        if (bits_[tones_.index(row, column)] != 0) sum += all_q().at(row - y, column - x);
      }
    }
    return sum;
  }

  int64_t first_error() const {
    const auto squared = [](int place, int length) {
      int64_t sum = 0;
      for (int outside = -3; outside < length + 3; ++outside) {
        if (std::clamp(outside, 0, length - 1) != place) continue;
        sum += mass(outside, length) * mass(outside, length);
      }
      return sum;
    };
    int64_t sum = 0;
    for (int y = how_.settled; y < tones_.rows(); ++y) {
      for (int x = 0; x < tones_.columns(); ++x) {
        const Target& target = targets_[tones_.index(y, x)];
        if (bits_[tones_.index(y, x)] != 0) sum += c(y, x) - target.all();
        const int64_t t = tone(y, x);
        sum += t * t * squared(y, tones_.rows()) * squared(x, tones_.columns()) >> 34;
        sum += t * (target.wide + 2 * target.dot) >> 12;
      }
    }
    return sum;
  }

  /// Calls `visit` with the first row, of the area, and column of each cell.
  template <typename Visit>
  void for_cells_of(int group, Visit&& visit) {
    const int last_row = how_.first_row + tones_.rows();
    for (int cell_row = group / 2; cell_row * how_.cell < last_row; cell_row += 2) {
      for (int left = group % 2 * how_.cell; left < tones_.columns(); left += 2 * how_.cell) {
        visit(cell_row * how_.cell - how_.first_row, left);
      }
    }
  }

  bool visit_cell(int top, int left) {
    bool changed = false;
    for (int y = std::max(top, how_.settled); y < std::min(top + how_.cell, tones_.rows()); ++y) {
      for (int x = left; x < std::min(left + how_.cell, tones_.columns()); ++x) {
        changed = (stage_ == "moves" ? move(y, x) : search_window(y, x)) || changed;
      }
    }
    return changed;
  }

  bool move(int y, int x) {
    uint8_t& own = bits_[tones_.index(y, x)];
    const int sign = own == 0 ? 1 : -1;
    const int64_t own_c = c(y, x);
    int64_t least = q(0, 0) + 2 * sign * own_c;
    uint8_t* with = nullptr;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (!tones_.has(y + dy, x + dx) || y + dy < how_.settled) continue;
        uint8_t& other = bits_[tones_.index(y + dy, x + dx)];
        if (other == own) continue;
        const int64_t change = 2 * (q(0, 0) - q(dy, dx)) + 2 * sign * (own_c - c(y + dy, x + dx));
        if (change >= least) continue;
        least = change;
        with = &other;
      }
    }
    if (least >= 0) return false;
    own ^= 1;
    if (with != nullptr) *with ^= 1;
    error_ += least;
    return true;
  }

  bool search_window(int y, int x) {
    const bool is_even = (how_.first_row + y) % 2 == 0 && x % 2 == 0;
    if (stage_ == "every second window" && !is_even) return false;
    if (open_.erase({y, x}) == 0) return false;
    int64_t cs[16] = {};
    uint32_t current = 0, absent = 0;
    for (int i = 0; i < 16; ++i) {
      const int row = y + i / 4, column = x + i % 4;
      const uint32_t bit = 1U << (15 - i);
      if (!tones_.has(row, column)) {
        absent |= bit;
      } else {
        cs[i] = c(row, column);
        current |= bits_[tones_.index(row, column)] != 0 ? bit : 0;
      }
    }
    const auto [pattern, change] = best(cs, current, how_.windows, absent);
    if (pattern == current) return false;
    error_ += change;
    for (int i = 0; i < 16; ++i) {
      if (!has(pattern ^ current, i)) continue;
      bits_[tones_.index(y + i / 4, x + i % 4)] ^= 1;
      open_around(y + i / 4, x + i % 4);
    }
    if (how_.windows == NaiveWindows::kAll) open_.erase({y, x});
    return true;
  }

  /// Windows with a pixel at most 3 rows and columns from this one.
  void open_around(int y, int x) {
    for (int row = y - 6; row <= y + 3; ++row) {
      for (int column = x - 6; column <= x + 3; ++column) {
        const bool exists =
            row >= how_.settled && row < last_row_ && column >= 0 && column < last_column_;
        if (exists) open_.insert({row, column});
      }
    }
  }

  Tones tones_;
  NaiveBits bits_;
  NaiveFormSettings how_;
  int last_row_, last_column_;  ///< one past those that windows begin in
  std::vector<Target> targets_;
  std::set<std::pair<int, int>> open_;  ///< windows
  std::string stage_;
  int64_t error_ = 0;
};

}  // namespace mezzo::test
