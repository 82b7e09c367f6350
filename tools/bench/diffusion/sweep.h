// mezzotint-lab bench handover and bench hybrid: one parameter of an engine of both processors,
// swept over its range, as in the figures of Deshpande et al., "Hybrid implementation of error
// diffusion dithering".
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_sweeps(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
