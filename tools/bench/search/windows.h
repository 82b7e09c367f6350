// The cost of windows of a local search, and the misses of partial search.
#pragma once

#include "tools/bench/search/session.h"

namespace mezzo::bench {

/// Branch and bound against taking every pattern in turn.
void measure_bounds(SearchBench& bench);

/// Partial search against exhaustive search of each of its windows.
void measure_misses(SearchBench& bench);

}  // namespace mezzo::bench
