// mezzotint-lab bench: without a subcommand it measures kernels and whole runs; its subcommands
// repeat the tables and figures of the papers behind the methods.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command. The references must outlive its action.
void add_bench_command(cli::Command& program, const cli::CommonOptions& common);

}  // namespace mezzo::bench
