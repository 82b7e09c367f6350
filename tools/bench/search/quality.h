// Table II of Kouge et al.: how near searches come to the images.
#pragma once

#include "tools/bench/search/session.h"

namespace mezzo::bench {

void measure_quality(SearchBench& bench);

}  // namespace mezzo::bench
