// mezzotint bench: alone it measures kernels and whole runs; its subcommands repeat the tables and
// figures of the papers that the schedules come from, or measure what engine 'auto' goes by.

#include "tools/bench/bench.h"

namespace mezzo::bench {

void add_bench_command(cli::Program& program, const commands::CommonOptions& common) {
  cli::Command& command =
      program.command("bench", "Measure kernels and whole runs; medians, with ratios");
  add_bench_kernels(command, common);
  add_bench_diffusion(command, common);
  add_bench_pinwheel(command, common);
  add_bench_search(command, common);
  add_bench_gpus(command, common);
  add_bench_handover(command, common);
  add_bench_hybrid(command, common);
  add_bench_cluster(command, common);
  add_bench_calibrate(command, common);
}

}  // namespace mezzo::bench
