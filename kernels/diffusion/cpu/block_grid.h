// The parallelogram blocks that a plane is cut into where blocks, not pixels, are the unit of work
// (Kasagi et al. section III; Deshpande et al. section 3.2). Geometry only, for CPU and GPU.
//
// Rows of a block row are slanted: row i of a block stands slope * i columns further left than its
// row 0. In skewed columns c = x + slope * i everything that a pixel needs lies in columns c - 3 to
// c - 1 of its own block row (slope 2) and in the row above it, so the pixels of one skewed column
// are independent, and a block needs of its left neighbour three skewed columns alone.
//
// Block (y, x) covers rows [y h, y h + h) and skewed columns [x w, x w + w). Its top row needs the
// row above up to one column beyond its end, which lies in block (y - 1, x + lag - 1) at the
// latest; so block (y, x) runs in step x + lag * y, and the blocks of one step are independent.
// With h = w = 32 and slope 2 the lag is 3, with w >= 2 h it is 2, the knight's move.
//
// A virtual column at x = width_px, whose residue is 0 by definition, is covered too: when a block
// has passed it, the sums of the last column are complete.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"

namespace mezzo::diffusion {

/// The blocks of the GPU, and of a CPU that shares a band with it.
inline constexpr int kBlockSide = 32;  ///< rows, and skewed columns, of a block: a warp's lanes
inline constexpr int kBlockSlope = 2;  ///< right for every pattern

struct BlockGrid {
  int width_px;  ///< of the plane
  int rows;
  int block_width;   ///< w, in skewed columns
  int block_height;  ///< h
  int slope;

  MZ_HD constexpr int skew_columns() const { return slope * (block_height - 1); }
  MZ_HD constexpr int block_rows() const { return (rows + block_height - 1) / block_height; }
  MZ_HD constexpr int block_columns() const {
    return (width_px + 1 + skew_columns() + block_width - 1) / block_width;
  }
  /// Rows of the band that a block row has.
  MZ_HD constexpr int rows_of(int block_row) const {
    const int left = rows - block_row * block_height;
    return left < block_height ? left : block_height;
  }
  /// Steps that a block stays behind the block above it.
  MZ_HD constexpr int lag() const { return 2 + skew_columns() / block_width; }
  MZ_HD constexpr int steps() const { return block_columns() + lag() * (block_rows() - 1); }

  /// The block rows [first, last) that have a block in this step; block (y, step - lag() * y).
  MZ_HD constexpr int first_row(int step) const {
    const int late = step - (block_columns() - 1);
    return late <= 0 ? 0 : (late + lag() - 1) / lag();
  }
  MZ_HD constexpr int last_row(int step) const {
    const int rows_begun = step / lag() + 1;
    return rows_begun < block_rows() ? rows_begun : block_rows();
  }

  /// The column of the plane of skewed column c in row i of a block row; may lie outside the plane.
  MZ_HD constexpr int column(int skewed, int i) const { return skewed - slope * i; }
};

/// A plane or band in the blocks of the GPU.
MZ_HD constexpr BlockGrid gpu_block_grid(uint32_t width_px, uint32_t rows) {
  return {static_cast<int>(width_px), static_cast<int>(rows), kBlockSide, kBlockSide, kBlockSlope};
}

}  // namespace mezzo::diffusion
