// The way of samples from the page cache to the halftoner, step by step, on one thread.
#pragma once

#include <string>
#include <vector>

#include "tools/lab/bench/benchmark.h"

namespace mezzo::bench {

/// Adds groups whose names begin with "read". The first row of an uncompressed page moves the file's
/// bytes into a buffer that stays in the cache, and does nothing else: the most that a reader can
/// reach. Pages of `size` are written to `folder` when it is their turn.
void add_reading(const std::string& folder, const PlaneSize& size, std::vector<Benchmark>& all);

}  // namespace mezzo::bench
