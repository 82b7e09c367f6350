// mezzotint-lab bench gpus: planes from page-locked memory through all GPUs and back, band by band
// as the pipeline sends them, but without files and codecs: the highest speed of transfers and GPU
// work together.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_gpus(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
