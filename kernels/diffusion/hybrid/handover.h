// Schedule `handover` (Deshpande et al., section 4.1): the CPU takes the first and the last steps
// of the block wavefront, where few blocks can run at once, the GPU those between, one after the
// other.
//
// The first handover passes the sums, one a column; of each row that was begun, the last three
// residues; and the bits of those rows, as the GPU goes on in the middle of a word. The second passes
// the same back, with the bits of all the GPU's rows. Rows without a block for the GPU are not
// copied, neither samples nor bits; the samples are copied while the CPU takes its first steps.
#pragma once

#include "kernels/diffusion/cpu/block_steps.h"
#include "kernels/diffusion/hybrid/cpu_gpu_diffusion.h"

namespace mezzo::diffusion {

/// The steps [first, last) and block rows [first_row, last_row) of the GPU; none: both empty.
struct HandoverSplit {
  int first;
  int last;
  int first_row;
  int last_row;

  /// `count`: steps at either end for the CPU, at least 0.
  HandoverSplit(const BlockGrid& grid, int count)
      : first(std::min(count, (grid.steps() + 1) / 2)),
        last(std::max(first, grid.steps() - first)),
        first_row(first < last ? grid.first_row(first) : 0),
        last_row(first < last ? grid.last_row(last - 1) : 0) {
    if (first_row >= last_row) last = first, last_row = first_row = 0;  // steps without a block
  }
  bool has_gpu() const { return first < last; }
};

template <Rule R>
class HandoverDiffusion final : public CpuGpuDiffusion<R> {
 public:
  /// `steps` at either end on the CPU, at most half of all; below 0: calibrated.
  HandoverDiffusion(CpuGpuParts<R> parts, int steps)
      : CpuGpuDiffusion<R>(std::move(parts)), steps_(steps) {}

 private:
  int steps_for(const BlockGrid& grid, uint32_t threads) const {
    return steps_ >= 0 ? steps_ : best_handover_steps(grid, threads, this->costs());
  }

  std::string describe_split(const BlockGrid& grid, uint32_t threads) const override {
    const HandoverSplit split(grid, steps_for(grid, threads));
    const std::string all = std::to_string(grid.steps());
    const std::string who = !split.has_gpu() ? "the CPU takes all " + all + " steps"
                            : split.first == 0
                                ? "the GPU takes all " + all + " steps"
                                : "the CPU takes the first and last " +
                                      std::to_string(split.first) + " of " + all + " steps";
    return who + " of a band" + this->reason(steps_ < 0);
  }

  void share(const BlockBand<R>& band,
             const ToneCurve& curve,
             CpuGpuState& plane,
             Team& team) const override {
    const BlockGrid& grid = band.grid;
    const HandoverSplit split(grid, steps_for(grid, team.size()));
    const int all_rows = grid.block_rows();
    const BlockRange before{0, all_rows, 0, split.first};
    const BlockRange after{0, all_rows, split.last, grid.steps()};
    if (!split.has_gpu()) {
      run_block_range(band, {0, all_rows, 0, grid.steps()}, team);
      return;
    }
    // The GPU's rows are a band of their own, whose steps count from where its first row begins.
    const auto top = static_cast<uint32_t>(split.first_row * kBlockSide);
    const auto end = std::min(static_cast<uint32_t>(split.last_row * kBlockSide),
                              static_cast<uint32_t>(grid.rows));
    const int late = grid.lag() * split.first_row;
    const SampleBand in = band.in.slice(top, end - top);
    const BitBand out = band.out.slice(top, end - top);
    int32_t* left = band.left + size_t{3} * top;
    BlockDevice& gpu = this->device_of(plane, in.width_px);
    gpu.begin(in, curve);
    run_block_range(band, before, team);
    if (split.first == 0) {
      gpu.hand_over(band.sums, nullptr, out.slice(0, 0));
    } else {
      const auto begun = static_cast<uint32_t>(grid.last_row(split.first - 1) * kBlockSide);
      gpu.hand_over(band.sums, left, out.slice(0, std::clamp(begun, top, end) - top));
    }
    // Where a plane is narrower than the lag, the steps at either end may be empty.
    const int most = gpu_block_grid(in.width_px, in.rows).steps();
    gpu.start_steps(std::max(0, split.first - late), std::min(split.last - late, most));
    gpu.fetch(band.sums, split.first == 0 ? nullptr : left, out);
    run_block_range(band, after, team);
  }

  int steps_;
};

}  // namespace mezzo::diffusion
