// mezzotint-lab bench: without a subcommand it measures kernels and whole runs; its subcommands
// repeat the tables and figures of the papers behind the methods.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command and its subcommands. The references must outlive its action, here and below.
void add_bench_command(cli::Command& program, const cli::CommonOptions& common);

/// Plain `bench` (kernels.cpp): how fast this machine is, kernel by kernel and from file to file,
/// with the ratio to the first of a group.
void add_bench_kernels(cli::Command& bench, const cli::CommonOptions& common);

/// bench gpus (gpus.cpp): planes from page-locked memory through all GPUs and back, band by band as
/// the pipeline sends them, but without files and codecs: the most that the way to the GPUs and
/// their work allow together.
void add_bench_gpus(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
