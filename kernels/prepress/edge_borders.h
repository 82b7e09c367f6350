// The plate pixels on the two sides of borders, for scaling by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/prepress/edge_planes.h"

namespace mezzo::prepress {

/// The rows of the plates on a row of page pixels, and their columns on a tile.
struct EdgePlates {
  const uint32_t* firsts;           ///< EdgeTable::firsts, from the tile's first page pixel on
  const uint32_t* offsets;          ///< EdgeTable::offsets
  std::span<const uint32_t> downs;  ///< EdgeAxis::offset() of each row; Ratio::kMostUp + 1 at most
  std::span<int16_t* const> rows;   ///< plane by plane; they have the samples of cubic scaling
};

/// Makes the pixels that a row of the tile does not leave to cubic scaling.
void make_borders(const EdgePlanes& tile, ptrdiff_t row, const EdgePlates& plates);

}  // namespace mezzo::prepress
