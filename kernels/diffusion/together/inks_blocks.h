// Inks together in slanted blocks (cpu/block_kernel.h), for any rule: `ed` on one core and `blocks`
// on many. In a block each row is done plane after plane, before the next row.
//
// Accounts reach no further than errors do, so blocks of one step still touch nothing in common. Of
// a field (row_accounts.h) block (y, x) of width w reads columns up to x w + w and writes those up to
// x w + w - 1; the block of the same step above it begins at x w + w + 1 (block_kernel.h).
#pragma once

#include <cstring>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/blocks.h"
#include "kernels/diffusion/together/row_accounts.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::diffusion::together {

/// The data that the blocks of a band of several inks share. Owns nothing.
template <Rule R>
struct InksBlockBand {
  std::vector<BlockBand<R>> planes;  ///< of one grid, whose slope is 2; darkest first, no texture
  OwedRows* owed;
  LightTones light;
};

/// Runs a block, as run_block() does for a plane alone.
template <Rule R>
void run_inks_block(const InksBlockBand<R>& band, int block_row, int block_column) {
  const BlockGrid& grid = band.planes.front().grid;
  EarlierInks earlier(static_cast<size_t>(grid.block_width));
  for (int i = 0; i < grid.rows_of(block_row); ++i) {
    const int begin = grid.column(block_column * grid.block_width, i);
    earlier.begin(begin);
    for (uint32_t k = 0; k < band.planes.size(); ++k) {
      const BlockBand<R>& plane = band.planes[k];
      with_accounts_of(k, [&](auto accounts) {
        const RowAccounts<R, accounts> others(*band.owed, k, earlier, band.light, begin);
        plane.in.bytes_per_sample == 1
            ? run_row_of_block<R, uint8_t>(plane, block_row, block_column, i, others)
            : run_row_of_block<R, uint16_t>(plane, block_row, block_column, i, others);
      });
    }
  }
}

/// The state from band to band: sums (SumsState) and accounts.
struct InksState final : HalftonerState {
  InksState(uint32_t width_px, uint32_t inks) : sums(inks), owed(width_px, inks) {
    for (auto& of_plane : sums) of_plane.resize(width_px);
  }
  std::vector<std::vector<int32_t>> sums;
  OwedRows owed;
};

/// Clears the bits of all planes of a band.
inline void clear_bits(const mezzo::together::InksBand& band) {
  for (const BitBand& out : band.out) {
    for (uint32_t i = 0; i < out.rows; ++i) std::memset(out.row(i), 0, bit_row_bytes(out.width_px));
  }
}

template <Rule R>
class InksBlockDiffusion final : public mezzo::together::InksHalftoner {
 public:
  /// On at most so many threads of the team.
  InksBlockDiffusion(const R& rule, LightTones light, uint32_t most_threads = UINT32_MAX)
      : rule_(rule), light_(light), most_threads_(most_threads) {}

  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override {
    return std::make_unique<InksState>(width_px, inks);
  }

  void run(const mezzo::together::InksBand& band,
           HalftonerState* state,
           Team& team) const override {
    static_assert(slope(R::kPattern) <= kBlockSlope);
    clear_bits(band);
    InksState& own = *static_cast<InksState*>(state);
    const SampleBand& first = band.in.front();
    const uint32_t threads = std::min(team.size(), most_threads_);
    const BlockGrid grid = grid_for_team(first.width_px, first.rows, kBlockSlope, threads);
    std::vector<std::vector<int32_t>> left(band.in.size(), std::vector<int32_t>(3 * first.rows));
    InksBlockBand<R> inks{{}, &own.owed, light_};
    for (size_t k = 0; k < band.in.size(); ++k) {
      SampleBand in = band.in[k];
      in.texture = 0;
      const uint16_t* tones = band.curves[k]->table().data();
      inks.planes.push_back(
          {rule_, in, tones, band.out[k], grid, own.sums[k].data(), left[k].data()});
    }
    const auto run_block = [&](int row, int column) { run_inks_block(inks, row, column); };
    SoloTeam solo;
    for_each_block(grid, threads == 1 ? solo : team, run_block);
  }

 private:
  R rule_;
  LightTones light_;
  uint32_t most_threads_;
};

}  // namespace mezzo::diffusion::together
