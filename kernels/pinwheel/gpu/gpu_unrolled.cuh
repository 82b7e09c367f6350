// The walk of a whole block, compiled: every pixel's place, targets and weights are constants, and
// what is handed on stays in registers.
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

/// Adds the phase's inner blocks of `size` to the stream. One function a size, each in a file of
/// its own, as they take long to compile.
template <int kSize>
void launch_unrolled(const Phase& phase, const InnerBlocks& blocks, cudaStream_t stream);

#define MZ_FOR_EACH_UNROLLED_SIZE(do) \
  do (2) do(4) do(6) do(8) do(10) do(12) do(14) do(16)

}  // namespace mezzo::pinwheel
