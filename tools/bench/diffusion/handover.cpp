// mezzotint bench handover: figures 11 and 12 of Deshpande et al. The CPU takes the first and the
// last steps of the wavefront, where few blocks can run at once, and the GPU those between.

#include <memory>

#include "kernels/diffusion/cpu/block_grid.h"
#include "tools/bench/sweep.h"

namespace mezzo::bench {
namespace {

/// 0 to half of all steps, in 16 points or fewer.
std::vector<double> step_counts(const PlaneSize& size) {
  constexpr int kPoints = 16;
  // The blocks of Kasagi et al., with the slope of Floyd-Steinberg.
  const diffusion::BlockGrid grid = {.width_px = static_cast<int>(size.width_px),
                                     .rows = static_cast<int>(size.height_px),
                                     .block_width = 32,
                                     .block_height = 32,
                                     .slope = 2};
  const int half = grid.steps() / 2;
  std::vector<double> counts;
  for (int i = 0; i < kPoints; ++i) {
    const int count = half * i / (kPoints - 1);
    if (counts.empty() || count != counts.back()) counts.push_back(count);
  }
  return counts;
}

}  // namespace

void add_bench_handover(cli::Command& bench, const commands::CommonOptions& common) {
  cli::Command& command = bench.command(
      "handover", "Steps given to the CPU at either end, as Deshpande et al. vary them");
  auto options = std::make_shared<SweepOptions>();
  add_sweep_options(command, *options);
  command.runs([options, &common] {
    const Sweep sweep = {.engine = Engine::kHandover,
                         .command = "handover",
                         .parameter = "handover_steps",
                         .title = "CPU, then GPU, then CPU",
                         .axis = "wavefront steps on the CPU at either end",
                         .sizes = {{1024, 768}, {6042, 3298}, {8192, 8192}},
                         .values = step_counts};
    return bench_sweep(sweep, *options, common.json);
  });
}

}  // namespace mezzo::bench
