#include "kernels/search/colour/cpu/colour_choice.h"

namespace mezzo::search::colour {
namespace {

class Chooser {
 public:
  explicit Chooser(Board& board) : board_(board) {}

  Change choose(int y, int x) {
    const uint32_t s = *board_.state(y, x), free = *board_.free_inks(y, x);
    const int32_t* const c = board_.c(0, y, x);
    for (uint32_t s1 = 0; s1 < static_cast<uint32_t>(board_.channels.states()); ++s1) {
      if (s1 == s || ((s ^ s1) & ~free) != 0) continue;
      consider({alone(c, s, s1), static_cast<uint8_t>(s1), -1, 0});
    }
    for (int i = 0; i < dbs::kSteps; ++i) {
      const auto [dy, dx] = dbs::kStep[i];
      const uint32_t q = *board_.state(y + dy, x + dx);
      if (q == Board::kNoState || q == s) continue;
      const uint32_t differ = s ^ q, fixed = ~(free & *board_.free_inks(y + dy, x + dx));
      const int32_t* const other = board_.c(0, y + dy, x + dx);
      if ((differ & fixed) == 0) swap(c, other, i, s, q, differ);
      if ((differ & (differ - 1)) == 0) continue;
      for (uint32_t rest = differ & ~fixed; rest != 0; rest &= rest - 1) {
        swap(c, other, i, s, q, rest & (0 - rest));
      }
    }
    return best_;
  }

 private:
  int value(int channel, uint32_t state) const { return board_.channels.values[channel][state]; }

  void consider(const Change& change) {
    if (change.gain < best_.gain) best_ = change;
  }

  void swap(
      const int32_t* c, const int32_t* other, int step, uint32_t s, uint32_t q, uint32_t inks) {
    const uint32_t s1 = s ^ inks, q1 = q ^ inks;
    int64_t shared = 0;  // the sum over channels of u v C(d)
    for (int i = 0; i < board_.channels.count(); ++i) {
      const int64_t both = int64_t{value(i, s1) - value(i, s)} * (value(i, q1) - value(i, q));
      shared +=
          both * board_.products.at(Channels::eye(i), dbs::kStep[step].dy, dbs::kStep[step].dx);
    }
    consider({alone(c, s, s1) + alone(other, q, q1) + 2 * shared,
              static_cast<uint8_t>(s1),
              step,
              static_cast<uint8_t>(q1)});
  }

  /// dE of state s becoming s1 by itself.
  int64_t alone(const int32_t* c, uint32_t s, uint32_t s1) const {
    int64_t slope = 0;  // the sum over channels of v c
    for (int i = 0; i < board_.channels.count(); ++i) {
      slope += int64_t{value(i, s1) - value(i, s)} * c[i * board_.c_stride()];
    }
    return board_.products.cost(s, s1) + 2 * slope;
  }

  Board& board_;
  Change best_;
};

}  // namespace

Change choose(Board& board, int y, int x) {
  return Chooser(board).choose(y, x);
}

}  // namespace mezzo::search::colour
