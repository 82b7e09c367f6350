// Visits of cells, compiled once for each SIMD target. Most visits change nothing: the pixels of a row
// of a cell are looked at together, in floating point, and only those that may have something to gain
// are decided, exactly, one by one (colour_choice.h).
//
// That look may err, but only to let a pixel through. Half of dE is a sum of terms v c with |v c| <=
// 2^42, below 2^45 in all (colour_dbs.h), in some 30 operations that round by 2^-24 of that at most: it
// is off by less than 2^26.

#include <algorithm>
#include <bit>

#include "kernels/search/colour/cpu/colour_board.h"
#include "kernels/search/colour/cpu/colour_choice.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/colour/cpu/colour_visits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::colour::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;
using Float = hn::Vec<Floats>;
using Int = hn::Vec<Ints>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Floats()));

constexpr float kDoubt = 1 << 26;
constexpr int kSide = static_cast<int>(kCell);
/// Columns of a row: a cell's with one on either side, in whole vectors and one more.
constexpr int kColumns = 48;
static_assert(kSide + 2 + kLanes <= kColumns);

/// What pixels of a row of a cell, and those beside it, are and would gain.
struct Row {
  float c[kMostChannels][kColumns];
  float value[kColourChannels][kColumns];              ///< V of the state
  float change[kMostInks][kColourChannels][kColumns];  ///< v of each ink by itself
  float alone[kMostInks][kColumns];                    ///< half of its dE
  int32_t state[kColumns];                             ///< outside of the page 0
  int32_t freedom[kColumns];
};

/// Numbers of states, for lookups.
struct Tables {
  explicit Tables(const Board& board) {
    const auto half_cost = [&](int channel, int v) {
      return static_cast<float>(times(v, v * board.product(Channels::eye(channel), 0, 0))) / 2;
    };
    for (uint32_t s = 0; s < static_cast<uint32_t>(board.channels.states()); ++s) {
      for (int i = 0; i < kColourChannels; ++i) value[i][s] = static_cast<float>(board.value(i, s));
      for (int k = 0; k < board.channels.inks; ++k) {
        cost[k][s] = half_cost(kColourChannels, kInkValue);
        for (int i = 0; i < kColourChannels; ++i) {
          const int v = board.value(i, s ^ 1U << k) - board.value(i, s);
          change[k][i][s] = static_cast<float>(v);
          cost[k][s] += half_cost(i, v);
        }
      }
      norm[s] = 0;
      for (int i = 0; i < board.channels.count(); ++i) norm[s] += half_cost(i, board.value(i, s));
    }
  }

  float value[kColourChannels][kMostStates];
  float change[kMostInks][kColourChannels][kMostStates];
  float cost[kMostInks][kMostStates];  ///< half of v^2 C(0) of an ink's change
  float norm[kMostStates];             ///< half of V^2 C(0), of all channels
};

class Visitor {
 public:
  Visitor(Board& board, dbs::Tally& tally) : board_(board), tally_(tally), tables_(board) {
    for (int eye = 0; eye < 2; ++eye) {
      for (int i = 0; i < dbs::kSteps; ++i) {
        products_[eye][i] =
            static_cast<float>(board.product(eye, dbs::kStep[i].dy, dbs::kStep[i].dx));
      }
      own_product_[eye] = static_cast<float>(board.product(eye, 0, 0));
    }
  }

  void visit(const dbs::Box& cell) {
    left_ = cell.left;
    const int columns = cell.right - cell.left;
    const uint32_t all = (1U << columns) - 1;
    std::fill_n(read_row_, 3, kNoRow);
    for (int y = cell.top; y < cell.bottom; ++y) {
      uint32_t rest = all;  // columns that have not been visited
      while (rest != 0) {
        read_stale(y);
        uint32_t hopeful = find_gains(y, columns) & rest;
        bool changed = false;
        for (; hopeful != 0 && !changed; hopeful &= hopeful - 1) {
          const int column = std::countr_zero(hopeful);
          const Change change = choose(board_, y, left_ + column, groups_of(column));
          changed = change.gain < 0;
          if (changed) make(y, left_ + column, change);
          rest = all & (~0U << column << 1);
        }
        if (!changed) break;
      }
    }
  }

 private:
  int inks() const { return board_.channels.inks; }

  /// The row that row y of the page is read into, and stays in from line to line.
  Row& row(int y) { return rows_[place_of(y)]; }
  const Row& row(int y) const { return rows_[place_of(y)]; }
  static int place_of(int y) { return (y + 3) % 3; }

  /// Reads row y, and those above and below it, if they have changed since.
  void read_stale(int y) {
    for (int row = y - 1; row <= y + 1; ++row) {
      int& read_row = read_row_[place_of(row)];
      if (read_row != row) read(row, rows_[place_of(row)]);
      read_row = row;
    }
  }

  /// Fills `row` by the pixels of row y from the one left of the cell on.
  void read(int y, Row& row) const {
    const Floats d;
    const Ints n;
    const hn::Rebind<uint8_t, Ints> bytes;
    const hn::Rebind<uint16_t, Ints> shorts;
    const uint8_t* const states = board_.state(y, left_ - 1);
    const uint16_t* const freedom = board_.freedom(y, left_ - 1);
    const int32_t* const c = board_.c(0, y, left_ - 1);
    const Int outside = hn::Set(n, Board::kNoState);
    for (int x = 0; x < kSide + 2; x += kLanes) {
      const Int read_state = hn::PromoteTo(n, hn::LoadU(bytes, states + x));
      const Int state = hn::IfThenZeroElse(hn::Eq(read_state, outside), read_state);
      hn::StoreU(state, n, row.state + x);
      hn::StoreU(hn::PromoteTo(n, hn::LoadU(shorts, freedom + x)), n, row.freedom + x);
      for (int i = 0; i < board_.channels.count(); ++i) {
        const Int from = hn::LoadU(n, c + i * board_.c_stride() + x);
        hn::StoreU(hn::ConvertTo(d, from), d, row.c[i] + x);
      }
      for (int i = 0; i < kColourChannels; ++i) {
        hn::StoreU(hn::GatherIndex(d, tables_.value[i], state), d, row.value[i] + x);
      }
      for (int k = 0; k < inks(); ++k) {
        Float sum = hn::GatherIndex(d, tables_.cost[k], state);
        for (int i = 0; i < kColourChannels; ++i) {
          const Float change = hn::GatherIndex(d, tables_.change[k][i], state);
          hn::StoreU(change, d, row.change[k][i] + x);
          sum = hn::MulAdd(change, hn::LoadU(d, row.c[i] + x), sum);
        }
        sum = hn::MulAdd(ink_change(state, k), hn::LoadU(d, row.c[kColourChannels + k] + x), sum);
        hn::StoreU(sum, d, row.alone[k] + x);
      }
    }
  }

  /// v of ink k's own channel when that ink of a state changes.
  static Float ink_change(Int state, int k) {
    const Floats d;
    const Ints n;
    const Int has = hn::And(state, hn::Set(n, 1 << k));
    return hn::IfThenElse(hn::RebindMask(d, hn::Ne(has, hn::Zero(n))),
                          hn::Set(d, static_cast<float>(-kInkValue)),
                          hn::Set(d, static_cast<float>(kInkValue)));
  }

  /// The columns of the cell's middle row that may have something to gain, the first in the lowest
  /// bit.
  uint32_t find_gains(int y, int columns) {
    const Floats d;
    const Ints n;
    uint32_t found = 0;
    for (int x = 0; x < columns; x += kLanes) {
      const int at = x + 1;
      const Int state = hn::LoadU(n, row(y).state + at),
                freedom = hn::LoadU(n, row(y).freedom + at);
      const Float worth = hn::Set(d, kDoubt);
      Float least = least_of_states(row(y), at, state, freedom);
      hn::StoreU(least, d, least_[dbs::kSteps] + x);
      for (int step = 0; step < dbs::kSteps; ++step) {
        const Float of_step = least_of_swaps(y, at, step, state, freedom);
        hn::StoreU(of_step, d, least_[step] + x);
        least = hn::Min(least, of_step);
      }
      uint8_t mask[8] = {};
      hn::StoreMaskBits(d, hn::Lt(least, worth), mask);
      found |= (mask[0] | static_cast<uint32_t>(mask[1]) << 8) << x;
    }
    return found;
  }

  /// Those that may have the least dE of a column: the difference of two is off by twice kDoubt.
  ChangeGroups groups_of(int column) const {
    float least = least_[0][column];
    for (const auto& group : least_) least = std::min(least, group[column]);
    ChangeGroups groups = 0;
    for (int i = 0; i <= dbs::kSteps; ++i) {
      if (least_[i][column] <= least + 2 * kDoubt) groups |= 1U << i;
    }
    return groups;
  }

  static Float nothing() { return hn::Set(Floats(), 1e30F); }

  /// Half of the least dE of other states: that of state s1 is h(s1) - h(s), with h(s1) half of the
  /// sum over channels of V(s1)^2 C(0), plus that of V(s1) (c - V(s) C(0)).
  Float least_of_states(const Row& row, int at, Int state, Int freedom) const {
    const Floats d;
    const Ints n;
    Float slopes[kMostChannels];
    for (int i = 0; i < board_.channels.count(); ++i) {
      const Float own = hn::Set(d, -own_product_[Channels::eye(i)]);
      const Float value = i < kColourChannels ? hn::LoadU(d, row.value[i] + at)
                                              : ink_value(state, i - kColourChannels);
      slopes[i] = hn::MulAdd(own, value, hn::LoadU(d, row.c[i] + at));
    }
    const Int fixed = hn::AndNot(hn::ShiftRight<8>(freedom), hn::Set(n, (1 << inks()) - 1));
    Float least = nothing(), present = hn::Zero(d);
    for (int s = 0; s < board_.channels.states(); ++s) {
      Float h = hn::Set(d, tables_.norm[s]);
      for (int i = 0; i < kColourChannels; ++i) {
        h = hn::MulAdd(hn::Set(d, tables_.value[i][s]), slopes[i], h);
      }
      for (int k = 0; k < inks(); ++k) {
        if ((s >> k & 1) == 0) continue;
        const Float ink = hn::Set(d, static_cast<float>(kInkValue));
        h = hn::MulAdd(ink, slopes[kColourChannels + k], h);
      }
      const Int differ = hn::Xor(state, hn::Set(n, s));
      const auto is_own = hn::RebindMask(d, hn::Eq(differ, hn::Zero(n)));
      const auto may = hn::RebindMask(d, hn::Eq(hn::And(differ, fixed), hn::Zero(n)));
      present = hn::IfThenElse(is_own, h, present);
      least = hn::Min(least, hn::IfThenElse(hn::AndNot(is_own, may), h, nothing()));
    }
    return hn::Sub(least, present);
  }

  static Float ink_value(Int state, int k) {
    const Floats d;
    const Ints n;
    const Int has = hn::And(state, hn::Set(n, 1 << k));
    return hn::IfThenElseZero(hn::RebindMask(d, hn::Ne(has, hn::Zero(n))),
                              hn::Set(d, static_cast<float>(kInkValue)));
  }

  /// Half of the least dE of swaps with the neighbour of a step.
  Float least_of_swaps(int y, int at, int step, Int state, Int freedom) const {
    const Floats d;
    const Ints n;
    const auto [dy, dx] = dbs::kStep[step];
    const Row &own = row(y), &other = row(y + dy);
    const int there = at + dx;
    const Int differ = hn::Xor(state, hn::LoadU(n, other.state + there));
    const Int both_free =
        hn::And(hn::And(freedom, hn::Set(n, 0xFF)), hn::LoadU(n, other.freedom + there));
    // All inks: with w the difference of values, w^2 (C(0) - C(d)) + w (c(m) - c(m1)).
    Float whole = hn::Zero(d), least = nothing();
    for (int i = 0; i < board_.channels.count(); ++i) {
      const int eye = Channels::eye(i), k = i - kColourChannels;
      const Float apart = hn::Set(d, own_product_[eye] - products_[eye][step]);
      const Float w =
          k < 0 ? hn::Sub(hn::LoadU(d, other.value[i] + there), hn::LoadU(d, own.value[i] + at))
                : hn::Sub(ink_value(hn::Xor(state, differ), k), ink_value(state, k));
      const Float slope = hn::Sub(hn::LoadU(d, own.c[i] + at), hn::LoadU(d, other.c[i] + there));
      whole = hn::MulAdd(w, hn::MulAdd(w, apart, slope), whole);
    }
    const auto no_ink = hn::Eq(differ, hn::Zero(n));
    const auto may = hn::AndNot(no_ink, hn::Eq(hn::AndNot(both_free, differ), hn::Zero(n)));
    least = hn::IfThenElse(hn::RebindMask(d, may), whole, least);
    const Int can = hn::And(differ, both_free);
    for (int k = 0; k < inks(); ++k) {
      const float of_ink = -static_cast<float>(kInkValue * kInkValue) * products_[1][step];
      Float gain =
          hn::Add(hn::Set(d, of_ink),
                  hn::Add(hn::LoadU(d, own.alone[k] + at), hn::LoadU(d, other.alone[k] + there)));
      for (int i = 0; i < kColourChannels; ++i) {
        const Float v = hn::Mul(hn::LoadU(d, own.change[k][i] + at),
                                hn::Set(d, products_[Channels::eye(i)][step]));
        gain = hn::MulAdd(v, hn::LoadU(d, other.change[k][i] + there), gain);
      }
      const auto has = hn::Ne(hn::And(can, hn::Set(n, 1 << k)), hn::Zero(n));
      least = hn::Min(least, hn::IfThenElse(hn::RebindMask(d, has), gain, nothing()));
    }
    return least;
  }

  void make(int y, int x, const Change& change) {
    set(y, x, change.state);
    if (change.step >= 0) {
      set(y + dbs::kStep[change.step].dy, x + dbs::kStep[change.step].dx, change.other);
    }
    tally_.changed += change.step >= 0 ? 2 : 1;
    tally_.gain += change.gain;
    board_.mark_stale(y, x);
    std::fill_n(read_row_, 3, kNoRow);
  }

  /// Rows are added in whole vectors, C being 0 past its reach.
  void set(int y, int x, uint8_t state) {
    const Ints n;
    constexpr int kReach = Products::kReach;
    uint8_t& own = *board_.state(y, x);
    for (int i = 0; i < board_.channels.count(); ++i) {
      const int v = board_.channels.values[i][state] - board_.channels.values[i][own];
      if (v == 0) continue;
      const Int times = hn::Set(n, v);
      for (int dy = -kReach; dy <= kReach; ++dy) {
        const int32_t* const by = board_.products.row(Channels::eye(i), dy);
        int32_t* const c = board_.c(i, y + dy, x - kReach);
        for (int j = 0; j < static_cast<int>(Products::kRow); j += kLanes) {
          const Int sum = hn::Add(hn::LoadU(n, c + j), hn::Mul(times, hn::LoadU(n, by + j)));
          hn::StoreU(sum, n, c + j);
        }
      }
    }
    own = state;
  }

  Board& board_;
  dbs::Tally& tally_;
  const Tables tables_;
  float products_[2][dbs::kSteps];       ///< C(d) of each eye
  float own_product_[2];                 ///< C(0)
  int left_ = 0;                         ///< the cell's
  Row rows_[3];                          ///< above, at and below the pixels that are looked at
  float least_[dbs::kSteps + 1][kSide];  ///< of each of ChangeGroups, by column: half of dE
  static constexpr int kNoRow = -9;
  int read_row_[3];  ///< of the page, in each of rows_
};

dbs::Tally visit_cells_on_target(Board& board, int cell_row, int first_column) {
  dbs::Tally tally;
  Visitor visitor(board, tally);
  for (int column = first_column; column < board.area.cell_columns; column += 2) {
    uint8_t& stale = board.stale(cell_row, column);
    if (stale == 0) continue;
    stale = 0;
    visitor.visit(board.area.pixels_of(cell_row, column));
  }
  return tally;
}

}  // namespace mezzo::search::colour::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search::colour {

HWY_EXPORT(visit_cells_on_target);

dbs::Tally visit_cells(Board& board, int cell_row, int first_column) {
  return HWY_DYNAMIC_DISPATCH(visit_cells_on_target)(board, cell_row, first_column);
}

}  // namespace mezzo::search::colour
#endif
