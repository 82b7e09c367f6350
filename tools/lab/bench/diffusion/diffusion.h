// mezzotint-lab bench diffusion: Table I of Kasagi et al. (kasagi_table.h) on this machine, with
// the schedules that the paper does not have beside it. GPU schedules are timed with the samples
// already on the GPU, as the paper's are; CPU schedules by the clock on the wall.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_diffusion(cli::Command& bench, const cli::CommonOptions& common);

/// bench handover and bench hybrid (sweep.cpp): one parameter of an engine of both processors,
/// swept over its range, as in the figures of Deshpande et al., "Hybrid implementation of error
/// diffusion dithering".
void add_bench_sweeps(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
