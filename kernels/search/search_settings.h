// The settings of a search that all its engines share, and the rows that it works on at a time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mezzo::search {

inline constexpr uint32_t kOverlapRows = 48;
inline constexpr uint32_t kLeastSlabRows = 16;

enum class Start { kFloydSteinberg, kRandom };

/// The condition to end rounds, beside their number and the budget. A round without changes is the
/// last.
enum class Until {
  kConverged,  ///< nothing can be improved any more
  kSettled,    ///< a round made the error less than half a percent smaller
};

struct SearchSettings {
  Start start = Start::kFloydSteinberg;
  uint32_t seed = 1;  ///< of a random start
  Until until = Until::kConverged;
  uint32_t rounds = 0;        ///< at most; 0: no limit
  double budget_seconds = 0;  ///< for each plane, or slab of one; 0: no limit
  uint32_t slab_rows = 0;     ///< at least kLeastSlabRows; 0: the whole plane
  uint32_t eye_radius = 0;    ///< half of the reach of a pixel; at most kOverlapRows / 2

  /// Rows around a slab that its search reads at most.
  uint32_t context_rows() const { return slab_rows > 0 ? kOverlapRows : 0; }
};

/// The rows that the search of a slab works on: settled ones, the slab, and some below.
struct SlabRows {
  /// Of a slab of `slab` rows from row `slab_first` of the page on, which has `below` rows more.
  SlabRows(const SearchSettings& settings, uint32_t slab_first, uint32_t slab, uint32_t below)
      : settled(std::min(slab_first, 2 * settings.eye_radius)),
        first(slab_first - settled),
        count(settled + slab + std::min(below, settings.context_rows())),
        kept(slab_first + slab - std::min(slab_first + slab, 2 * settings.eye_radius) - first) {}

  uint32_t settled;
  uint32_t first;  ///< of the page
  uint32_t count;
  uint32_t kept;  ///< of these rows the one that those of the next slab begin with
};

}  // namespace mezzo::search
