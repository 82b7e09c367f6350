#include "kernels/diffusion/hybrid/block_costs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace mezzo::diffusion {
namespace {

int blocks_in(const BlockGrid& grid, int step) {
  return std::max(0, grid.last_row(step) - grid.first_row(step));
}

double upload_seconds(const BlockGrid& grid, const BlockCosts& costs) {
  return double{1} * grid.width_px * grid.rows / costs.bytes_per_second;
}

/// Bits and sums.
double download_seconds(const BlockGrid& grid, const BlockCosts& costs) {
  return upload_seconds(grid, costs) / 8 + 2 * costs.transfer;
}

double rounds(int blocks, uint32_t threads) {
  const int64_t team = threads, whole = (blocks + team - 1) / team;
  return static_cast<double>(whole);
}

/// The first of 0 .. most for which `total` is least.
template <typename Total>
int least(int most, const Total& total) {
  int best = 0;
  double best_seconds = total(0);
  for (int n = 1; n <= most; ++n) {
    const double seconds = total(n);
    if (seconds < best_seconds) best = n, best_seconds = seconds;
  }
  return best;
}

}  // namespace

int best_handover_steps(const BlockGrid& grid, uint32_t threads, const BlockCosts& costs) {
  constexpr int kExtraTransfers = 5;  // sums, errors and bits to the GPU; errors back; the wait
  const int steps = grid.steps(), half = (steps + 1) / 2;
  // Seconds of the steps before each, on either processor.
  std::vector<double> cpu(static_cast<size_t>(steps) + 1), gpu(cpu.size());
  for (int step = 0; step < steps; ++step) {
    const auto i = static_cast<size_t>(step);
    const int blocks = blocks_in(grid, step);
    cpu[i + 1] = cpu[i] + rounds(blocks, threads) * costs.cpu_block;
    gpu[i + 1] = gpu[i] + (blocks > 0 ? costs.gpu_step + blocks * costs.gpu_block : 0);
  }
  const auto total = [&](int n) {
    const auto begin = static_cast<size_t>(n), end = static_cast<size_t>(steps - n);
    if (begin >= end) return cpu.back();
    return std::max(cpu[begin], upload_seconds(grid, costs)) + (gpu[end] - gpu[begin]) +
           (cpu.back() - cpu[end]) + download_seconds(grid, costs) +
           (n > 0 ? kExtraTransfers * costs.transfer : 0);
  };
  return least(half, total);
}

int best_cpu_block_rows(const BlockGrid& grid, uint32_t threads, const BlockCosts& costs) {
  const int all = grid.block_rows(), columns = grid.block_columns(), lag = grid.lag();
  const auto seconds_on_gpu = [&](double steps, double blocks) {
    return steps * costs.gpu_step + blocks * costs.gpu_block;
  };
  const auto total = [&](int rows) {
    const int at_once = static_cast<int>(std::min<int64_t>(rows, threads));
    // The CPU: rows follow each other at a lag, as many at once as there are threads.
    double cpu = 0;
    if (rows > 0) {
      cpu = (rounds(rows, threads) * columns + lag * (at_once - 1)) * costs.cpu_block;
    }
    if (rows == all) return cpu;
    cpu += rows > 0 ? columns * costs.gpu_step : 0;  // the last row's thread starts the GPU's steps
    // The GPU: cannot begin before the first block row reached it, nor end before the last of the
    // CPU has, and all rows below it have followed.
    const int below = all - rows;
    double last_blocks = 0;
    for (int y = 1; y < below; ++y) last_blocks += std::min(lag * y, columns);
    const double upload = upload_seconds(grid, costs) * below / all;
    const double begun = std::max(rows > 0 ? lag * rows * costs.cpu_block : 0, upload);
    const double work = seconds_on_gpu(columns + lag * (below - 1), double{1} * columns * below);
    const double tail = seconds_on_gpu(lag * (below - 1), last_blocks);
    return std::max(begun + work, std::max(cpu, upload) + tail) +
           download_seconds(grid, costs) * below / all;
  };
  return least(all, total);
}

std::string to_text(const BlockCosts& costs) {
  std::array<char, 160> text{};
  std::snprintf(text.data(),
                text.size(),
                "measured: %.2g us a block on the CPU, %.2g us + %.2g us a block for a step on the "
                "GPU",
                costs.cpu_block * 1e6,
                costs.gpu_step * 1e6,
                costs.gpu_block * 1e6);
  return text.data();
}

}  // namespace mezzo::diffusion
