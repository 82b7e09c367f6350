// mezzotint-lab bench cluster: the limits of a cluster's scaling, by formula and by simulation
// (model.h). It measures nothing: the speeds of machines are its options.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_cluster(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
