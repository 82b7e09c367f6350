// mezzotint-lab bench: alone it measures kernels and whole runs; its subcommands repeat the tables
// and figures of the papers that the methods come from.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

using cli::CommonOptions;

/// Adds the command. The references must outlive its action.
void add_bench_command(cli::Command& program, const CommonOptions& common);

// Its parts, by file.
void add_bench_kernels(cli::Command& bench, const CommonOptions& common);    // kernels
void add_bench_gpus(cli::Command& bench, const CommonOptions& common);       // gpus
void add_bench_diffusion(cli::Command& bench, const CommonOptions& common);  // diffusion/diffusion
void add_bench_sweeps(cli::Command& bench, const CommonOptions& common);     // diffusion/sweep
void add_bench_pinwheel(cli::Command& bench, const CommonOptions& common);   // pinwheel/pinwheel
void add_bench_search(cli::Command& bench, const CommonOptions& common);     // search/search
void add_bench_cluster(cli::Command& bench, const CommonOptions& common);    // cluster/cluster

}  // namespace mezzo::bench
