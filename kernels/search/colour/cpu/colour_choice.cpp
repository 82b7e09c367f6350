#include "kernels/search/colour/cpu/colour_choice.h"

#include <bit>

namespace mezzo::search::colour {
namespace {

class Chooser {
 public:
  Chooser(Board& board, int y, int x)
      : board_(board),
        y_(y),
        x_(x),
        s_(*board.state(y, x)),
        freedom_(*board.freedom(y, x)),
        c_(board.pixel_c(y, x)) {
    for (int k = 0; k < board_.channels.inks; ++k) of_ink_[k] = of_ink(board_, c_, s_, k);
  }

  Change choose(ChangeGroups groups) {
    if ((groups & kStates) != 0) look_at_states();
    for (int step = 0; step < dbs::kSteps; ++step) {
      if ((groups >> step & 1) != 0) look_at_swaps(step);
    }
    return best_;
  }

 private:
  void look_at_states() {
    for (uint32_t s1 = 0; s1 < static_cast<uint32_t>(board_.channels.states()); ++s1) {
      const uint32_t altered = s_ ^ s1;
      if (altered == 0 || (altered & ~loose_inks(freedom_)) != 0) continue;
      int64_t gain = of_light(board_, c_, s_, s1);
      for (uint32_t rest = altered; rest != 0; rest &= rest - 1) {
        gain += of_ink_[std::countr_zero(rest)];
      }
      consider({gain, static_cast<uint8_t>(s1), -1, 0});
    }
  }

  void look_at_swaps(int step) {
    const auto [dy, dx] = dbs::kStep[step];
    const uint32_t q = *board_.state(y_ + dy, x_ + dx), differ = s_ ^ q;
    const uint32_t fixed = ~free_inks(freedom_ & *board_.freedom(y_ + dy, x_ + dx));
    if (q == Board::kNoState || differ == 0) return;
    const PixelC other = board_.pixel_c(y_ + dy, x_ + dx);
    int64_t by_ink[kMostInks] = {}, by_inks = 0;
    const int64_t apart = between_inks(board_, dy, dx);
    for (uint32_t rest = differ; rest != 0; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      by_ink[k] = of_ink_[k] + of_ink(board_, other, q, k) + apart;
      by_inks += by_ink[k];
    }
    const auto consider_inks = [&](uint32_t inks, int64_t gain) {
      gain += of_light_of_both(board_, c_, other, dy, dx, s_, q, inks);
      consider({gain, static_cast<uint8_t>(s_ ^ inks), step, static_cast<uint8_t>(q ^ inks)});
    };
    if ((differ & fixed) == 0) consider_inks(differ, by_inks);
    if (std::has_single_bit(differ)) return;
    for (uint32_t rest = differ & ~fixed; rest != 0; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      consider_inks(1U << k, by_ink[k]);
    }
  }

  void consider(const Change& change) {
    if (change.gain < best_.gain) best_ = change;
  }

  Board& board_;
  const int y_, x_;
  const uint32_t s_, freedom_;
  const PixelC c_;
  int64_t of_ink_[kMostInks];
  Change best_;
};

}  // namespace

Change choose(Board& board, int y, int x, ChangeGroups groups) {
  return Chooser(board, y, x).choose(groups);
}

}  // namespace mezzo::search::colour
