// mezzotint bench hybrid: figures 14 and 15 of Deshpande et al. CPU and GPU work on the page at the
// same time, and the CPU's share of it is varied.

#include <memory>

#include "tools/bench/sweep.h"

namespace mezzo::bench {
namespace {

/// 0 to 1 in 12 points, close together where the CPU gets little.
std::vector<double> shares(const PlaneSize&) {
  return {0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1};
}

}  // namespace

void add_bench_hybrid(cli::Command& bench, const commands::CommonOptions& common) {
  cli::Command& command =
      bench.command("hybrid", "The CPU's share of a page, as Deshpande et al. vary it");
  auto options = std::make_shared<SweepOptions>();
  add_sweep_options(command, *options);
  command.runs([options, &common] {
    const Sweep sweep = {.engine = Engine::kHybrid,
                         .command = "hybrid",
                         .parameter = "cpu_share",
                         .title = "CPU and GPU at once",
                         .axis = "share of the page that the CPU takes",
                         .sizes = {{6042, 3298}, {1024, 2048}, {8192, 8192}},
                         .values = shares};
    return bench_sweep(sweep, *options, common.json);
  });
}

}  // namespace mezzo::bench
