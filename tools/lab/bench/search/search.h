// mezzotint-lab bench search: tables I and II of Kouge et al. (kouge_table.h) on this machine, with
// questions that the paper left open: the savings of bounds, the misses of partial search, and
// large pages, with direct binary search. Times are of Halftoner::run() by the clock on the wall,
// from memory to memory, so that a GPU's transfers count.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::bench {

/// Adds the command to `bench`. The references must outlive its action.
void add_bench_search(cli::Command& bench, const cli::CommonOptions& common);

}  // namespace mezzo::bench
