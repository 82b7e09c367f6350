// The cost of blocks of 32 x 32 on the CPU and on the GPU, and the best division of a band between
// them: the calibrated settings of `handover` and `hybrid`.
//
// The model. A step with k blocks takes ceil(k / threads) cpu_block on the CPU, and gpu_step + k
// gpu_block on the GPU. Samples travel at bytes_per_second while the CPU is at work; every other
// copy over the bus costs a `transfer`, waiting included. Samples count as a byte each.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/diffusion/cpu/block_grid.h"

namespace mezzo::diffusion {

/// Seconds.
struct BlockCosts {
  double cpu_block = 0;  ///< a block on one thread
  double gpu_step = 0;   ///< a step, however many blocks it has
  double gpu_block = 0;  ///< and each of its blocks
  double transfer = 0;   ///< a small copy, and waiting for it
  double bytes_per_second = 1e9;
};

/// The steps [0, n), n at most half of all, rounded up, that the CPU best takes at either end of a
/// band; half is the CPU alone.
int best_handover_steps(const BlockGrid& grid, uint32_t threads, const BlockCosts& costs);

/// The block rows from the top that the CPU best takes of a band, 0 to all of them.
int best_cpu_block_rows(const BlockGrid& grid, uint32_t threads, const BlockCosts& costs);

/// "measured: 3.1 us a block on the CPU, 2.4 us + 0.01 us a block for a step on the GPU".
std::string to_text(const BlockCosts& costs);

}  // namespace mezzo::diffusion
