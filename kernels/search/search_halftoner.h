// A search as a halftoning method: where it starts, when it stops, and pages in slabs.
//
// The whole plane is searched at once, or, where `slab_rows` says so, in slabs of so many rows. A
// slab is searched together with kOverlapRows rows below it, so that its last rows do not end at a
// border that the page does not have; the bits found there are the start of the next slab. The bits
// of the rows above are settled, and count. So no row is searched without its neighbours, and the
// slabs of a page depend on its settings and never on the machine.
#pragma once

#include <memory>

#include "kernels/halftoner.h"
#include "kernels/search/search.h"

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
  uint32_t eye_radius = 0;    ///< at most kOverlapRows / 2
};

/// The search to run.
struct SearchEngine {
  MakeSearch make;
  MakeSearch fall_back = {};   ///< where `make` finds no room; may be empty
  uint64_t bytes_a_pixel = 0;  ///< of this machine's memory, beside tones and bits
};

std::unique_ptr<Halftoner> make_search_halftoner(const SearchSettings& settings,
                                                 SearchEngine engine);

}  // namespace mezzo::search
