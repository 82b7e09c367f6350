// The walk of a whole block, compiled: every pixel's place, targets and weights are constants, and
// errors handed on stay in registers.
//
// For the sizes of the paper's table and 16, spirals without noise; blocks at the page's borders,
// which have other walks, are left to the loop.
#pragma once

#include "kernels/pinwheel/gpu/gpu_phase.cuh"

namespace mezzo::pinwheel {

/// Whole blocks with neighbours on all sides: rows [first_row, first_row + rows) of blocks, but the
/// first and the last block of each.
struct InnerBlocks {
  uint32_t first_row = 0;
  uint32_t rows = 0;
};

/// Adds the phase's inner blocks of `size` to the stream.
template <int kSize>
void launch_unrolled(const Phase& phase, const InnerBlocks& blocks, cudaStream_t stream);

/// The sizes whose walks are compiled; the loop does the others. CMake reads this line, and makes a
/// source a size of gpu_unrolled.cu.in, as they take long.
#define MZ_FOR_EACH_UNROLLED_SIZE(DO) DO(2) DO(4) DO(6) DO(8) DO(10) DO(12) DO(14) DO(16)

}  // namespace mezzo::pinwheel
