// The codecs of plates, ours beside libtiff's, on one core.
#pragma once

#include <string>
#include <vector>

#include "tools/lab/bench/benchmark.h"

namespace mezzo::bench {

/// Adds groups whose names begin with "encode" and "decode". Plates of `size` are made when it is their
/// turn, and their files in `folder`.
void add_codecs(const PlaneSize& size, const std::string& folder, std::vector<Benchmark>& all);

}  // namespace mezzo::bench
