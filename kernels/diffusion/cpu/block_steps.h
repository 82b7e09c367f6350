// Some of the blocks of a band on a team: the CPU's part of a band that it shares with a GPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/diffusion/cpu/block_kernel.h"

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

/// Runs the range, whose rows above and steps before are done already. A member takes a block row
/// and goes along it, `lag` blocks behind the row above, so that members meet at no barrier. After
/// each block of the last block row `on_last_row(x)` is called with its block column, in order; it
/// may throw.
template <Rule R, typename OnLastRow>
void run_block_range(const BlockBand<R>& band,
                     const BlockRange& range,
                     Team& team,
                     const OnLastRow& on_last_row) {
  struct alignas(64) Progress {
    std::atomic<int> columns{0};
  };
  const BlockGrid& grid = band.grid;
  // The block rows that have a block in the range.
  int top = range.first_row, bottom = range.last_row;
  while (top < bottom && range.begin(grid, top) == range.end(grid, top)) ++top;
  while (top < bottom && range.begin(grid, bottom - 1) == range.end(grid, bottom - 1)) --bottom;
  if (top == bottom) return;
  std::vector<Progress> done(static_cast<size_t>(bottom - top));
  for (int y = top; y < bottom; ++y) {
    done[static_cast<size_t>(y - top)].columns = range.begin(grid, y);
  }
  const auto wait_for = [&](int y, int columns) {
    constexpr int kSpins = 4096;
    const std::atomic<int>& reached = done[static_cast<size_t>(y - top)].columns;
    for (int spins = 0; reached.load(std::memory_order_acquire) < columns; ++spins) {
      if (spins > kSpins) std::this_thread::yield();  // more threads than processors
    }
  };
  for_each_index(team, static_cast<uint32_t>(bottom - top), [&](uint32_t index) {
    const int y = top + static_cast<int>(index);
    for (int x = range.begin(grid, y); x < range.end(grid, y); ++x) {
      if (y > top) wait_for(y - 1, std::min(x + grid.lag(), grid.block_columns()));
      run_block(band, y, x);
      done[index].columns.store(x + 1, std::memory_order_release);
      if (y + 1 == range.last_row) on_last_row(x);
    }
  });
}

template <Rule R>
void run_block_range(const BlockBand<R>& band, const BlockRange& range, Team& team) {
  run_block_range(band, range, team, [](int) {});
}

}  // namespace mezzo::diffusion
