// Local searches whose windows can be watched. They are put together from the pieces of a local
// search, as a halftoner does not report its windows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/search/cpu/local_search.h"
#include "tools/lab/bench/search/points.h"

namespace mezzo::bench {

/// The point's search of a window, LES or PES, by `search`.
search::SearchWindow window_search(const SearchPoint& point, search::SearchWindow search);

/// The paper's search, with a function of one's own for windows.
std::unique_ptr<Halftoner> make_local(const SearchPoint& point,
                                      const search::SearchWindow& search_window,
                                      uint32_t rounds = 0);

/// The windows that a local search searches, counted by a run on the CPU.
struct SearchWindows {
  std::vector<uint64_t> of_round;  ///< windows that are searched, from round 1
  PlaneBits bits;
  uint64_t all() const;
};
SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team);

}  // namespace mezzo::bench
