// Visits of cells, compiled once for each SIMD target. Most visits change nothing: some pixels of a
// row are looked at together, and only those with something to gain are decided, one by one.

#include <algorithm>
#include <bit>

#include "kernels/search/cpu/dbs_board.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/search/cpu/dbs_visits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::search::dbs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<int32_t, 16>;
using Vector = hn::Vec<Tag>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
static_assert(kLanes <= DbsField::kSpare);

/// The best that can be done to a pixel.
struct Choice {
  int32_t gain;  ///< dE
  int move;
};

/// `adds`: the pixel had bit 0.
void change_c(DbsBoard& board, int y, int x, int move, bool adds) {
  const Tag d;
  const DbsMoves& moves = board.moves;
  const size_t columns = moves.stride();
  for (int dy = -moves.edge(); dy <= moves.edge(); ++dy) {
    const int32_t* const change = moves.change(move, dy);
    int32_t* const row = board.field.at(y + dy, x - moves.edge());
    for (size_t i = 0; i < columns; i += kLanes) {
      const Vector old = hn::LoadU(d, row + i), by = hn::LoadU(d, change + i);
      hn::StoreU(adds ? hn::Add(old, by) : hn::Sub(old, by), d, row + i);
    }
  }
}

void toggle_on_target(DbsBoard& board, int y, int x) {
  uint8_t* const bit = board.bit(y, x);
  change_c(board, y, x, kToggle, *bit == 0);
  *bit ^= 1;
}

class Visitor {
 public:
  Visitor(DbsBoard& board, Tally& tally)
      : board_(board),
        tally_(tally),
        bit_stride_(static_cast<ptrdiff_t>(board.bit_stride)),
        c_stride_(static_cast<ptrdiff_t>(board.field.stride())) {}

  void visit(const Box& cell) {
    for (int y = cell.top; y < cell.bottom; ++y) {
      for (int x = cell.left; x < cell.right;) {
        const uint32_t hopeful = find_gains(y, x);
        x += hopeful == 0 ? kLanes : std::countr_zero(hopeful);
        if (hopeful == 0 || x >= cell.right) continue;
        make(y, x, choose(y, x));
        ++x;
      }
    }
  }

 private:
  static Vector load_bits(const uint8_t* bits) {
    const hn::Rebind<uint8_t, Tag> bytes;
    return hn::PromoteTo(Tag(), hn::LoadU(bytes, bits));
  }

  /// The pixels from x on that have a move with dE < 0, the first in the lowest bit; of pixels
  /// outside the page it says nothing of use. Of a swap's dE it takes the half.
  uint32_t find_gains(int y, int x) const {
    const Tag d;
    const uint8_t* const bits = board_.bit(y, x);
    const int32_t* const c = board_.field.at(y, x);
    const Vector one = hn::Set(d, 1), own_bit = load_bits(bits);
    const Vector own_c = hn::LoadU(d, c);
    const Vector turns = hn::Neg(own_bit);  // -1 turns a sign: (v ^ -1) - -1 = -v
    const auto turned = [&](Vector v) { return hn::Sub(hn::Xor(v, turns), turns); };
    const Vector toggled = turned(own_c);
    auto gains = hn::Lt(hn::Add(hn::Set(d, board_.moves.cost(kToggle)), hn::Add(toggled, toggled)),
                        hn::Zero(d));
    for (int step = 0; step < kSteps; ++step) {
      const auto [dy, dx] = kStep[step];
      const Vector bit = load_bits(bits + bit_stride_ * dy + dx);
      const Vector other = hn::LoadU(d, c + c_stride_ * dy + dx);
      const auto differs = hn::Eq(hn::Xor(own_bit, bit), one);
      const Vector half =
          hn::Add(hn::Set(d, board_.moves.cost(step)), turned(hn::Sub(own_c, other)));
      gains = hn::Or(gains, hn::And(differs, hn::Lt(half, hn::Zero(d))));
    }
    uint8_t mask[8] = {};
    hn::StoreMaskBits(d, gains, mask);
    return mask[0] | static_cast<uint32_t>(mask[1]) << 8;
  }

  /// The first of the least.
  Choice choose(int y, int x) const {
    const uint8_t* const bit = board_.bit(y, x);
    const int32_t* const c = board_.field.at(y, x);
    const int a = *bit == 0 ? 1 : -1;
    Choice best{board_.moves.cost(kToggle) + 2 * a * *c, kToggle};
    for (int step = 0; step < kSteps; ++step) {
      const auto [dy, dx] = kStep[step];
      if (bit[bit_stride_ * dy + dx] != 1 - *bit) continue;
      const int32_t gain = 2 * board_.moves.cost(step) + 2 * a * (*c - c[c_stride_ * dy + dx]);
      if (gain < best.gain) best = {gain, step};
    }
    return best;
  }

  void make(int y, int x, const Choice& choice) {
    uint8_t* const bit = board_.bit(y, x);
    const bool adds = *bit == 0;
    *bit ^= 1;
    if (choice.move != kToggle)
      bit[bit_stride_ * kStep[choice.move].dy + kStep[choice.move].dx] ^= 1;
    change_c(board_, y, x, choice.move, adds);
    tally_.changed += choice.move == kToggle ? 1 : 2;
    tally_.gain += choice.gain;
    board_.mark_stale(y, x);
  }

  DbsBoard& board_;
  Tally& tally_;
  const ptrdiff_t bit_stride_;
  const ptrdiff_t c_stride_;
};

Tally visit_cells_on_target(DbsBoard& board, int cell_row, int first_column) {
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

}  // namespace mezzo::search::dbs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::search::dbs {

HWY_EXPORT(visit_cells_on_target);
HWY_EXPORT(toggle_on_target);

Tally visit_cells(DbsBoard& board, int cell_row, int first_column) {
  return HWY_DYNAMIC_DISPATCH(visit_cells_on_target)(board, cell_row, first_column);
}

void toggle(DbsBoard& board, int y, int x) {
  HWY_DYNAMIC_DISPATCH(toggle_on_target)(board, y, x);
}

}  // namespace mezzo::search::dbs
#endif
