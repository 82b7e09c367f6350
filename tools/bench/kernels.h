// Plain `mezzotint-lab bench`: the speed of this machine, kernel by kernel and from file to file,
// with the ratio to the first of a group.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_kernels(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
