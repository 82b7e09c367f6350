// The common parts of the GPU schedules with one launch per wavefront of blocks (BWED and BWEC,
// Kasagi et al. section III; block_grid.h for the geometry), and the entrance for engines that do
// some of the blocks on the CPU: gpu_block_device.cpp runs the GPU's, and gpu_block_costs.cpp
// measures what they cost.
#pragma once

#include "kernels/diffusion/cpu/block_grid.h"
#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/gpu/launch.cuh"

namespace mezzo::diffusion {

inline BlockGrid block_grid(const DeviceBand& band) {
  return gpu_block_grid(band.width_px, band.rows);
}

/// A band, and the data that its blocks leave for each other (the paper's arrays C and R), all on
/// the GPU. Residues and shares of pixels outside the plane are 0.
///
/// `sums` has a number a column and is used in place by all block rows. The top row of block (y, x)
/// collects sums[c] at columns c in [32 x, 32 x + 32); its last row in the band, which begins at
/// column j, leaves at columns [j - 1, j + 31) what it hands to the row below. At first `sums` is
/// the band's `above`, in the end its `below`. Where `border` is given, the first block row
/// collects from there instead, in the same way; it may lie in host memory that the GPU reads
/// through the bus, and its numbers be put down any time before the launch of the step that reads
/// them.
///
/// `left` has three numbers a row, plane by plane: left[k * rows + i] is the residue at skewed column
/// c - 1 - k of row i, where c is the first that is not done. At first all are 0.
///
/// The rule is asked about pixels outside the plane too: for decisions that are not used, and for
/// the shares of a residue of 0, which must be 0.
///
/// A word of bits is written by the block that has its first pixel, with zeros for later blocks,
/// and added to by the block to the right.
template <Rule R>
struct BlockArrays {
  R rule;
  DeviceBand band;
  int* sums;
  int* left;
  const int* border = nullptr;
};

/// Adds the steps [first, last) of error collection by block_grid(arrays.band) to the stream. With
/// kBesidePrevious the last work of the stream must be earlier steps of the same band. Defined in
/// bwec.cuh, for all rules of rules.h by gpu_diffusion.cu.
template <Rule R>
void launch_bwec_steps(const BlockArrays<R>& arrays,
                       int first,
                       int last,
                       cudaStream_t stream,
                       gpu::Start start = gpu::Start::kAfterPrevious);

/// The blocks of one launch: block (first_row + n, step - lag * (first_row + n)) is CUDA block n.
struct BlockStep {
  int step;
  int first_row;
};

/// Launches `kernel(arrays, step)` for the steps [first, last), `threads` for each block, as a
/// chain of gpu/launch.cuh.
template <typename Arrays>
void launch_block_steps(const char* doing,
                        void (*kernel)(Arrays, BlockStep),
                        uint32_t threads,
                        const Arrays& arrays,
                        int first,
                        int last,
                        cudaStream_t stream,
                        gpu::Start start = gpu::Start::kAfterPrevious) {
  const BlockGrid grid = block_grid(arrays.band);
  for (int step = first; step < last; ++step) {
    const int first_row = grid.first_row(step);
    const int blocks = grid.last_row(step) - first_row;
    if (blocks <= 0) continue;  // so it happens in planes narrower than the lag
    gpu::launch(doing,
                kernel,
                dim3(static_cast<uint32_t>(blocks)),
                threads,
                stream,
                start,
                arrays,
                BlockStep{step, first_row});
    start = gpu::Start::kBesidePrevious;
  }
}

}  // namespace mezzo::diffusion
