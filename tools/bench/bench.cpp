// mezzotint bench: alone it measures kernels and whole runs; its subcommands repeat the tables and
// figures of the papers that the schedules come from, or measure what engine 'auto' goes by.

#include "tools/bench/bench.h"

#include <CLI/CLI.hpp>

namespace mezzo::bench {

void add_bench_command(CLI::App& app, const commands::CommonOptions& common, int& status) {
  CLI::App* command =
      app.add_subcommand("bench", "Measure kernels and whole runs; medians, with ratios");
  command->require_subcommand(0, 1);
  add_bench_kernels(*command, common, status);
  const std::vector<CLI::Option*> of_kernels = command->get_options();
  add_bench_diffusion(*command, common, status);
  add_bench_pinwheel(*command, common, status);
  add_bench_search(*command, common, status);
  add_bench_gpus(*command, common, status);
  add_bench_handover(*command, common, status);
  add_bench_hybrid(*command, common, status);
  add_bench_cluster(*command, common, status);
  add_bench_calibrate(*command, common, status);
  // `bench --repetitions 9 diffusion` would set what diffusion does not read.
  for (CLI::App* part : command->get_subcommands([](const auto*) { return true; })) {
    for (CLI::Option* option : of_kernels) {
      if (option != command->get_help_ptr()) part->excludes(option);
    }
  }
}

}  // namespace mezzo::bench
