// The rounds of a search: when they end, and what is told of them. The same on every engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "kernels/halftoner_traits.h"
#include "kernels/search/search.h"
#include "kernels/search/search_settings.h"

namespace mezzo::search {

/// Of one area. Its time begins with this, before the search itself is made.
class Rounds {
 public:
  /// `on_round` as in HalftonerState, for the slab that begins at `first_row` of the page; may be
  /// empty. All outlive this.
  Rounds(const SearchSettings& settings,
         uint32_t first_row,
         const std::function<void(const RoundReport&)>& on_round)
      : settings_(settings), on_round_(on_round) {
    report_.first_row = first_row;
  }

  /// Rounds until the end, then finish(). Throws the errors of the search and of `on_round`.
  void run(Search& search, Team& team);

 private:
  using Clock = std::chrono::steady_clock;

  void tell();
  void pause(double part);

  const SearchSettings& settings_;
  const std::function<void(const RoundReport&)>& on_round_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point told_;
  RoundReport report_;
};

}  // namespace mezzo::search
