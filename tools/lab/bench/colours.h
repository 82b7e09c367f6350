// Colours of a page to inks, and inks to a limit, on one thread.
#pragma once

#include <vector>

#include "tools/lab/bench/benchmark.h"

namespace mezzo::bench {

/// Adds groups whose names begin with "colour", for pages of RGB and CMYK as photos and as noise, to
/// 4 inks, and "ink limit". A repetition takes 1 megapixel, which is cut into rows as pages are.
void add_colours(std::vector<Benchmark>& all);

}  // namespace mezzo::bench
