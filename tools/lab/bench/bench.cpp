#include "tools/lab/bench/bench.h"

#include "tools/lab/bench/cluster/cluster.h"
#include "tools/lab/bench/diffusion/diffusion.h"
#include "tools/lab/bench/pinwheel/pinwheel.h"
#include "tools/lab/bench/search/search.h"

namespace mezzo::bench {

void add_bench_command(cli::Command& program, const cli::CommonOptions& common) {
  cli::Command& command =
      program.command("bench", "Measure kernels and whole runs; medians, with ratios");
  add_bench_kernels(command, common);
  add_bench_diffusion(command, common);
  add_bench_pinwheel(command, common);
  add_bench_search(command, common);
  add_bench_gpus(command, common);
  add_bench_sweeps(command, common);
  add_bench_cluster(command, common);
}

}  // namespace mezzo::bench
