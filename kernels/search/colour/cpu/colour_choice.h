// The exact decision of a visit in colour direct binary search.
#pragma once

#include <cstdint>

#include "kernels/search/colour/cpu/colour_board.h"

namespace mezzo::search::colour {

/// What can be done to a pixel.
struct Change {
  int64_t gain = 0;   ///< dE; 0: nothing
  uint8_t state = 0;  ///< the pixel's, then
  int step = -1;      ///< of dbs::kStep, to the neighbour that changes, too; -1: none does
  uint8_t other = 0;  ///< its state, then
};

/// Changes of a pixel that belong together, a bit each: bit i the swaps by step i of dbs::kStep, and
/// kStates those of the pixel alone.
using ChangeGroups = uint32_t;
inline constexpr ChangeGroups kStates = 1U << dbs::kSteps;

/// The first of the changes in these groups with the least dE, if that is negative.
Change choose(Board& board, int y, int x, ChangeGroups groups);

}  // namespace mezzo::search::colour
