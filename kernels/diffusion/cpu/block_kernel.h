// One block of a BlockGrid, on one core, and the data that the blocks of a band leave for each
// other.
//
// The data are those of Kasagi et al. section III (their arrays C and R), and are all that passes
// between blocks, on the CPU and on the GPU, so that either can go on where the other stopped:
//
//   sums  one number a column. Block (y, x) of width w reads in columns [x w, x w + w) what reached
//         its top row from above. Its bottom row i (h - 1, or the band's last row) has in this
//         block the columns [j, j + w), j = x w - slope i, and leaves in columns [j - 1, j + w - 1)
//         the sums F (row_kernel.h) for the row below. Columns outside the plane do not exist.
//         Columns [j + w - 1, x w + w) mean nothing until the next block of this block row has
//         been: rows between top and bottom put their own sums there.
//   left  three numbers a row: the residues one, two and three skewed columns before the first one
//         that the row has not done yet; 0 outside the plane. Their tones are read again.
//
// Blocks of one step touch nothing in common. Of `sums`, block (y, x) stays within columns
// [x w - skew - 1, x w + w), and the block of the same step above it begins at column
// (x + lag) w - skew - 1. Since lag w = 2 w + floor(skew / w) w >= w + skew + 1, that is x w + w at
// the earliest. Bytes of `out` are shared with the neighbours to the left and right alone, which
// run in other steps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/diffusion/cpu/block_grid.h"
#include "kernels/diffusion/cpu/row_kernel.h"

namespace mezzo::diffusion {

/// The data that the blocks of a band share. Owns nothing.
template <Rule R>
struct BlockBand {
  R rule;
  SampleBand in;          ///< at least 1 row
  const uint16_t* tones;  ///< tone curve: sample -> tone
  BitBand out;            ///< rows that were cleared
  BlockGrid grid;         ///< of in.width_px by in.rows
  int32_t* sums;          ///< width_px
  int32_t* left;          ///< 3 a row of the band; all 0 before the first block of a row
};

/// One row's part of a block.
template <Rule R, typename Sample>
class BlockRow {
 public:
  /// Row i of the band, its columns from `begin` (which may be outside the plane) on.
  BlockRow(const BlockBand<R>& band, RowView<Sample> row, int i, int begin)
      : rule_(band.rule),
        row_(row),
        left_(band.left + 3 * i),
        width_(band.grid.width_px),
        begin_(begin) {}

  /// Decides `count` columns, plane or not, and leaves residues and sums behind. `others` is as
  /// NoOthers.
  template <typename Others = NoOthers>
  void run(int count, const Others& others = {}) {
    const int end = begin_ + count;
    const int first = std::clamp(begin_, 0, width_), last = std::clamp(end, 0, width_);
    RowFront front = front_at_begin();
    diffuse_row(rule_, row_, first, last, front, others);
    // Past the right edge residues are 0. The first such column completes the sum of the last one.
    if (begin_ <= width_ && width_ < end) row_.sums[width_ - 1] = front.below;
    for (int x = std::max(begin_, width_); x < end && x < width_ + 3; ++x) push_none(front);
    std::ranges::copy(front.residues, left_);
  }

  /// Puts down the sum of the column two before `begin`, which the block to the left completed: a
  /// row below of slope 2 starts there. To be called before run().
  void restore_sum_at_slope_2() {
    const int x = begin_ - 2;
    if (x < 0 || x >= width_) return;
    row_.sums[x] = shares(2).down + shares(1).down_left + shares(3).down_right;
  }

 private:
  /// The shares of the pixel `back` columns before `begin`; none outside the plane.
  Shares shares(int back) const {
    const int x = begin_ - back;
    if (x < 0 || x >= width_) return {};
    return rule_.shares(left_[back - 1], row_.tones[row_.samples[x]]);
  }

  RowFront front_at_begin() const {
    const Shares before = shares(1);
    return {{left_[0], left_[1], left_[2]},
            before.right,
            before.down + shares(2).down_right,
            before.down_right};
  }

  static void push_none(RowFront& front) {
    front.residues[2] = front.residues[1];
    front.residues[1] = front.residues[0];
    front.residues[0] = 0;
  }

  const R& rule_;
  RowView<Sample> row_;
  int32_t* left_;
  int width_;
  int begin_;
};

/// Row i of a block, of the band's samples.
template <Rule R, typename Sample, typename Others = NoOthers>
void run_row_of_block(
    const BlockBand<R>& band, int block_row, int block_column, int i, const Others& others = {}) {
  const BlockGrid& grid = band.grid;
  const int top = block_row * grid.block_height;
  const auto in_band = static_cast<uint32_t>(top + i);
  const RowView<Sample> view{reinterpret_cast<const Sample*>(band.in.row(in_band)),
                             band.tones,
                             band.out.row(in_band),
                             band.sums,
                             band.in.first_row + in_band,
                             band.in.plane,
                             band.in.texture};
  BlockRow<R, Sample> row(band, view, top + i, grid.column(block_column * grid.block_width, i));
  if (grid.slope == 2 && i + 1 < grid.rows_of(block_row)) row.restore_sum_at_slope_2();
  row.run(grid.block_width, others);
}

/// Runs block (block_row, block_column) of the grid, on the calling thread. The blocks of earlier
/// steps must be complete.
template <Rule R, typename Sample>
void run_typed_block(const BlockBand<R>& band, int block_row, int block_column) {
  const int rows = band.grid.rows_of(block_row);
  for (int i = 0; i < rows; ++i) run_row_of_block<R, Sample>(band, block_row, block_column, i);
}

template <Rule R>
void run_block(const BlockBand<R>& band, int block_row, int block_column) {
  if (band.in.bytes_per_sample == 1) {
    run_typed_block<R, uint8_t>(band, block_row, block_column);
  } else {
    run_typed_block<R, uint16_t>(band, block_row, block_column);
  }
}

}  // namespace mezzo::diffusion
