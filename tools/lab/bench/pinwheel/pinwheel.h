// mezzotint-lab bench pinwheel: Table 1 and figure 4 of Zhang et al. (zhang_table.h) on this
// machine, with questions that the paper left open: the loop against the unrolled walk, larger
// blocks, and the effect of blocks, weights and noise on the picture. GPU schedules are timed with
// the samples already on the GPU; CPU schedules by the clock on the wall.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_pinwheel(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
