// Blocks on many cores: the schedule of Deshpande et al. section 3.2, for any rule. The band is cut
// into slanted blocks; in each step the blocks that need nothing of each other (a knight's move
// apart) are shared out among the team, each run by one thread like a small page.
#pragma once

#include <cstring>

#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/block_kernel.h"
#include "kernels/diffusion/cpu/sequential.h"

namespace mezzo::diffusion {

/// The cut of a band for so many threads, each at least 1: about as many blocks a step as threads,
/// and a few more. One thread gets whole rows, which makes it `ed`.
BlockGrid grid_for_team(uint32_t width_px, uint32_t rows, int slope, uint32_t threads);

/// Calls `run(block_row, block_column)` for all blocks, step by step.
template <typename Run>
void for_each_block(const BlockGrid& grid, Team& team, const Run& run) {
  for (int step = 0; step < grid.steps(); ++step) {
    const int first = grid.first_row(step);
    const int blocks = std::max(0, grid.last_row(step) - first);
    for_each_index(team, static_cast<uint32_t>(blocks), [&](uint32_t index) {
      const int row = first + static_cast<int>(index);
      run(row, step - grid.lag() * row);
    });
  }
}

/// Runs all blocks of the band.
template <Rule R>
void run_blocks(const BlockBand<R>& band, Team& team) {
  for_each_block(band.grid, team, [&](int row, int column) { run_block(band, row, column); });
}

template <Rule R>
class BlockDiffusion final : public Halftoner {
 public:
  explicit BlockDiffusion(const R& rule) : rule_(rule) {}

  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    return std::make_unique<SumsState>(width_px);
  }
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    for (uint32_t i = 0; i < in.rows; ++i) std::memset(out.row(i), 0, bit_row_bytes(in.width_px));
    std::vector<int32_t> left(size_t{3} * in.rows);
    run_blocks(BlockBand<R>{rule_,
                            in,
                            curve.table().data(),
                            out,
                            grid_for_team(in.width_px, in.rows, slope(R::kPattern), team.size()),
                            static_cast<SumsState*>(state)->sums.data(),
                            left.data()},
               team);
  }

 private:
  R rule_;
};

}  // namespace mezzo::diffusion
