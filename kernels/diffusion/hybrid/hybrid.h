// Schedule `hybrid` (Deshpande et al., section 4.2): the CPU and the GPU work on one plane at the
// same time, on either side of a boundary that is fixed in the image; the sums that cross it lie in
// page-locked host memory that the GPU reads over the bus, without copies.
//
// The paper's boundary is a line from top to bottom: the CPU left of it, the GPU right of it.
// Errors then cross it both ways, and the two have to meet twice a step. Here it lies between two
// block rows, the CPU above it, the GPU below it. Errors then only go down, 32 sums a step. So the
// CPU never waits; it runs ahead as far as it can, and each block that it completes of its last
// block row frees one more step of the GPU, which is launched at once. The GPU waits only for its
// launch, which also makes the sums visible to it: neither side polls.
#pragma once

#include <cmath>

#include "kernels/diffusion/cpu/block_steps.h"
#include "kernels/diffusion/hybrid/cpu_gpu_diffusion.h"

namespace mezzo::diffusion {

/// The sums that the CPU's last block row hands to the GPU's first, as they become complete, and
/// the steps of the GPU that they free.
class HybridBorder {
 public:
  /// `grid` of the whole band, `steps` of the GPU's part of it.
  HybridBorder(const BlockGrid& grid, int steps, const int32_t* sums, BlockDevice& gpu)
      : grid_(grid), steps_(steps), sums_(sums), border_(gpu.border()), gpu_(gpu) {}

  /// There is no CPU row above: all sums are complete.
  void open() {
    std::copy_n(sums_, grid_.width_px, border_);
    start(steps_);
  }

  /// Block x of the last block row, all 32 rows of it, was completed.
  void after_block(int x) {
    // By block_kernel.h the block leaves 32 sums, from a column before its bottom row on.
    const int begin = grid_.column(x * grid_.block_width, grid_.block_height - 1) - 1;
    const int first = std::clamp(begin, 0, grid_.width_px);
    const int last = std::clamp(begin + grid_.block_width, 0, grid_.width_px);
    std::copy_n(sums_ + first, last - first, border_ + first);
    // Block (y, t) waits for block (y - 1, t + lag - 1), or the last one.
    start(x + 1 == grid_.block_columns() ? steps_ : x + 2 - grid_.lag());
  }

 private:
  void start(int steps) {
    if (steps > started_) {
      gpu_.start_steps(started_, steps);
      started_ = steps;
    }
  }

  BlockGrid grid_;
  int steps_;
  const int32_t* sums_;
  int32_t* border_;
  BlockDevice& gpu_;
  int started_ = 0;
};

template <Rule R>
class HybridDiffusion final : public CpuGpuDiffusion<R> {
 public:
  /// `cpu_share` of a band's block rows for the CPU, 0 .. 1; below 0: calibrated.
  HybridDiffusion(CpuGpuParts<R> parts, double cpu_share)
      : CpuGpuDiffusion<R>(std::move(parts)), cpu_share_(cpu_share) {}

 private:
  /// Block rows from the top for the CPU.
  int rows_for(const BlockGrid& grid, uint32_t threads) const {
    if (cpu_share_ < 0) return best_cpu_block_rows(grid, threads, this->costs());
    return static_cast<int>(std::lround(cpu_share_ * grid.block_rows()));
  }

  std::string describe_split(const BlockGrid& grid, uint32_t threads) const override {
    const int on_cpu = rows_for(grid, threads), all = grid.block_rows();
    const std::string count = std::to_string(all) + (all == 1 ? " block row" : " block rows");
    const std::string who =
        on_cpu == 0     ? "the GPU takes all of " + count
        : on_cpu == all ? "the CPU takes all of " + count
                        : "the CPU takes the top " + std::to_string(on_cpu) + " of " + count;
    return who + " of a band" + this->reason(cpu_share_ < 0);
  }

  void share(const BlockBand<R>& band,
             const ToneCurve& curve,
             CpuGpuState& plane,
             Team& team) const override {
    const BlockGrid& grid = band.grid;
    const int on_cpu = rows_for(grid, team.size());
    const BlockRange top_rows{0, on_cpu, 0, grid.steps()};
    if (on_cpu == grid.block_rows()) {
      run_block_range(band, top_rows, team);
      return;
    }
    const auto top = static_cast<uint32_t>(on_cpu * kBlockSide);
    const SampleBand in = band.in.slice(top, band.in.rows - top);
    BlockDevice& gpu = this->device_of(plane, in.width_px);
    gpu.begin(in, curve);
    HybridBorder border(grid, gpu_block_grid(in.width_px, in.rows).steps(), band.sums, gpu);
    if (on_cpu == 0) {
      border.open();
    } else {
      run_block_range(band, top_rows, team, [&](int x) { border.after_block(x); });
    }
    gpu.fetch(band.sums, nullptr, band.out.slice(top, in.rows));
  }

  double cpu_share_;
};

}  // namespace mezzo::diffusion
