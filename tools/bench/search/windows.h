// What windows of a local search cost, and what partial search misses. These searches are put
// together from the pieces of a local search, as a halftoner does not report its windows.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/bench/search/points.h"

namespace mezzo::bench {

class SearchBench;

/// What a local search looks at, found by running it on the CPU.
struct SearchWindows {
  std::vector<uint64_t> of_round;  ///< windows that are searched, from round 1
  PlaneBits bits;
  uint64_t all() const;
};
SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team);

/// Branch and bound against taking every pattern in turn.
void measure_bounds(SearchBench& bench);

/// Partial search against exhaustive search of each of its windows.
void measure_misses(SearchBench& bench);

}  // namespace mezzo::bench
