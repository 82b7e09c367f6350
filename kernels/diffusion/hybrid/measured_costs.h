// The costs of block_costs.h, measured on this machine for a rule.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/block_kernel.h"
#include "kernels/diffusion/hybrid/block_costs.h"

namespace mezzo::gpu {
class Context;
}

namespace mezzo::diffusion {

/// Measures all but cpu_block, on the first GPU, in some milliseconds. Throws Error, kDevice in a
/// build without CUDA. Defined for the rules of rules.h.
template <Rule R>
void measure_gpu_costs(const R& rule, gpu::Context& context, BlockCosts& costs);

/// Seconds a block of noise on this thread: the best of a few block rows.
template <Rule R>
double measure_cpu_block(const R& rule) {
  constexpr uint32_t kWidth = 1024;
  std::mt19937 random(1);
  std::vector<std::byte> samples(size_t{kWidth} * kBlockSide);
  for (std::byte& sample : samples) sample = static_cast<std::byte>(random() & 0xFF);
  std::vector<uint8_t> bits(bit_row_bytes(kWidth) * kBlockSide);
  std::vector<int32_t> sums(kWidth), left(size_t{3} * kBlockSide);
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  const BlockBand<R> band{rule,
                          {samples.data(), kWidth, kBlockSide, kWidth, 0, 1},
                          curve.table().data(),
                          {bits.data(), kWidth, kBlockSide, bit_row_bytes(kWidth), 0},
                          gpu_block_grid(kWidth, kBlockSide),
                          sums.data(),
                          left.data()};
  const int columns = band.grid.block_columns();
  double best = 1;
  for (int round = 0; round < 5; ++round) {
    std::ranges::fill(bits, uint8_t{0});
    std::ranges::fill(left, 0);
    const auto begin = std::chrono::steady_clock::now();
    for (int x = 0; x < columns; ++x) run_block(band, 0, x);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / columns);
  }
  return best;
}

/// Measured once a process, for all contexts, as they depend on the machine alone. Throws Error.
template <Rule R>
const BlockCosts& measured_costs(const R& rule, gpu::Context& context) {
  static const BlockCosts kCosts = [&] {
    BlockCosts fresh;
    fresh.cpu_block = measure_cpu_block(rule);
    measure_gpu_costs(rule, context, fresh);
    return fresh;
  }();
  return kCosts;
}

}  // namespace mezzo::diffusion
