// Table II of Kouge et al.: the average errors of searches.
#pragma once

#include "tools/bench/search/session.h"

namespace mezzo::bench {

void measure_quality(SearchBench& bench);

}  // namespace mezzo::bench
