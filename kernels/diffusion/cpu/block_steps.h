// Some of the blocks of a band on a team: the CPU's part of a band that it shares with a GPU.
#pragma once

#include <algorithm>

#include "kernels/diffusion/cpu/block_kernel.h"
#include "kernels/diffusion/cpu/follow.h"

namespace mezzo::diffusion {

/// The blocks of block rows [first_row, last_row) whose step lies in [first_step, last_step).
struct BlockRange {
  int first_row;
  int last_row;
  int first_step;
  int last_step;

  /// The block columns [begin, end) of block row y.
  int begin(const BlockGrid& grid, int y) const {
    return std::clamp(first_step - grid.lag() * y, 0, grid.block_columns());
  }
  int end(const BlockGrid& grid, int y) const {
    return std::clamp(last_step - grid.lag() * y, begin(grid, y), grid.block_columns());
  }
};

/// A block row of a range in work.
template <Rule R, typename OnLastRow>
class RangeRow final : public Follower {
 public:
  RangeRow(const BlockBand<R>& band,
           const BlockRange& range,
           int y,
           const OnLastRow& on_last_row,
           Progress* above,
           Progress& own_progress)
      : Follower(above, own_progress),
        band_(band),
        on_last_row_(on_last_row),
        y_(y),
        x_(range.begin(band.grid, y)),
        end_(range.end(band.grid, y)),
        is_last_(y + 1 == range.last_row) {
    own().reach(static_cast<uint32_t>(x_));
  }

  bool go_on() override {
    const int lag = band_.grid.lag();
    for (; x_ < end_; ++x_) {
      const uint32_t wanted = blocks(x_ + lag);
      if (above_reached() < wanted && !wait_for(wanted, blocks(x_ + lag + kSleepLead)))
        return false;
      run_block(band_, y_, x_);
      own().reach(static_cast<uint32_t>(x_ + 1));
      if (is_last_) on_last_row_(x_);
    }
    return true;
  }

 private:
  static constexpr int kSleepLead = 8;

  uint32_t blocks(int count) const {
    return static_cast<uint32_t>(std::min(count, band_.grid.block_columns()));
  }

  const BlockBand<R>& band_;
  const OnLastRow& on_last_row_;
  const int y_;
  int x_;  ///< the next block
  const int end_;
  const bool is_last_;
};

/// Runs the range, whose rows above and steps before are done already. A member takes a block row
/// and goes along it, `lag` blocks behind the row above, so that members meet at no barrier. After
/// each block of the last block row `on_last_row(x)` is called with its block column, in order; it
/// may throw.
template <Rule R, typename OnLastRow>
void run_block_range(const BlockBand<R>& band,
                     const BlockRange& range,
                     Team& team,
                     const OnLastRow& on_last_row) {
  const BlockGrid& grid = band.grid;
  // The block rows that have a block in the range.
  int top = range.first_row, bottom = range.last_row;
  while (top < bottom && range.begin(grid, top) == range.end(grid, top)) ++top;
  while (top < bottom && range.begin(grid, bottom - 1) == range.end(grid, bottom - 1)) --bottom;
  if (top == bottom) return;
  for_each_follower(
      team, static_cast<uint32_t>(bottom - top), [&](Progress* above, Progress& own, uint32_t i) {
        RangeRow row(band, range, top + static_cast<int>(i), on_last_row, above, own);
        follow(row);
      });
}

template <Rule R>
void run_block_range(const BlockBand<R>& band, const BlockRange& range, Team& team) {
  run_block_range(band, range, team, [](int) {});
}

}  // namespace mezzo::diffusion
