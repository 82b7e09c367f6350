#include "kernels/search/colour/cpu/colour_board.h"

namespace mezzo::search::colour {
namespace {

/// What can be done to a pixel.
struct Change {
  int64_t gain = 0;   ///< dE
  uint8_t state = 0;  ///< the pixel's, then
  int step = -1;      ///< to the neighbour that changes, too; -1: none does
  uint8_t other = 0;  ///< its state, then
};

class Visitor {
 public:
  Visitor(Board& board, Tally& tally)
      : board_(board), tally_(tally), count_(board.channels.count()) {}

  void visit(const dbs::Box& cell) {
    for (int y = cell.top; y < cell.bottom; ++y) {
      for (int x = cell.left; x < cell.right; ++x) {
        if (*board_.free_inks(y, x) == 0) continue;
        const Change change = choose(y, x);
        if (change.gain < 0) make(y, x, change);
      }
    }
  }

 private:
  int value(int channel, uint32_t state) const { return board_.channels.values[channel][state]; }

  /// The sum over channels of (V(s1) - V(s)) c.
  int64_t slope(const int32_t* c, uint32_t s, uint32_t s1) const {
    int64_t sum = 0;
    for (int i = 0; i < count_; ++i) {
      sum += int64_t{value(i, s1) - value(i, s)} * c[i * board_.c_stride()];
    }
    return sum;
  }

  /// dE of state s becoming s1 by itself.
  int64_t alone(const int32_t* c, uint32_t s, uint32_t s1) const {
    return board_.products.cost(s, s1) + 2 * slope(c, s, s1);
  }

  /// The sum over channels of u v C(d).
  int64_t shared(const dbs::Step& step, uint32_t s, uint32_t s1, uint32_t q, uint32_t q1) const {
    int64_t sum = 0;
    for (int i = 0; i < count_; ++i) {
      const int64_t both = int64_t{value(i, s1) - value(i, s)} * (value(i, q1) - value(i, q));
      sum += both * board_.products.at(Channels::eye(i), step.dy, step.dx);
    }
    return sum;
  }

  Change choose(int y, int x) const {
    const uint32_t s = *board_.state(y, x), free = *board_.free_inks(y, x);
    const int32_t* const c = board_.c(0, y, x);
    Change best;
    for (uint32_t s1 = 0; s1 < static_cast<uint32_t>(board_.channels.states()); ++s1) {
      if (s1 == s || ((s ^ s1) & ~free) != 0) continue;
      const int64_t gain = alone(c, s, s1);
      if (gain < best.gain) best = {gain, static_cast<uint8_t>(s1), -1, 0};
    }
    for (int i = 0; i < dbs::kSteps; ++i) {
      const auto [dy, dx] = dbs::kStep[i];
      const uint32_t q = *board_.state(y + dy, x + dx);
      if (q == Board::kNoState || q == s) continue;
      const int32_t* const other = board_.c(0, y + dy, x + dx);
      const uint32_t differ = s ^ q, both_free = free & *board_.free_inks(y + dy, x + dx);
      const auto consider = [&](uint32_t inks) {
        if ((inks & ~both_free) != 0) return;
        const uint32_t s1 = s ^ inks, q1 = q ^ inks;
        const int64_t gain =
            alone(c, s, s1) + alone(other, q, q1) + 2 * shared(dbs::kStep[i], s, s1, q, q1);
        if (gain < best.gain) best = {gain, static_cast<uint8_t>(s1), i, static_cast<uint8_t>(q1)};
      };
      consider(differ);
      if ((differ & (differ - 1)) == 0) continue;
      for (uint32_t rest = differ; rest != 0; rest &= rest - 1) consider(rest & (0 - rest));
    }
    return best;
  }

  void make(int y, int x, const Change& change) {
    set(y, x, change.state);
    if (change.step >= 0) {
      set(y + dbs::kStep[change.step].dy, x + dbs::kStep[change.step].dx, change.other);
    }
    tally_.changed += change.step >= 0 ? 2 : 1;
    tally_.gain += change.gain;
    board_.mark_stale(y, x);
  }

  void set(int y, int x, uint8_t state) {
    constexpr int kReach = Products::kReach;
    uint8_t& own = *board_.state(y, x);
    for (int i = 0; i < count_; ++i) {
      const int v = value(i, state) - value(i, own);
      if (v == 0) continue;
      for (int dy = -kReach; dy <= kReach; ++dy) {
        const int32_t* const by = board_.products.row(Channels::eye(i), dy);
        int32_t* const c = board_.c(i, y + dy, x - kReach);
        for (size_t j = 0; j < Products::kRow; ++j) c[j] += v * by[j];
      }
    }
    own = state;
  }

  Board& board_;
  Tally& tally_;
  const int count_;
};

}  // namespace

Tally visit_cells(Board& board, int cell_row, int first_column) {
  Tally tally;
  Visitor visitor(board, tally);
  for (int column = first_column; column < board.area.cell_columns; column += 2) {
    uint8_t& stale = board.stale(cell_row, column);
    if (stale == 0) continue;
    stale = 0;
    visitor.visit(board.area.pixels_of(cell_row, column));
  }
  return tally;
}

}  // namespace mezzo::search::colour
