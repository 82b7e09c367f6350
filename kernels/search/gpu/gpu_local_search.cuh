// The arguments of the kernels of local search.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/search/cpu/window_grid.h"

namespace mezzo::search {

inline constexpr uint32_t kWarpSize = 32;
inline constexpr uint32_t kChildren = 16;  ///< patterns of a quad, four pixels
inline constexpr uint32_t kMostQuadsOnSide = (kMostWindow + 1) / 2;

/// Two errors in a word, the left one in the lower half.
using Pair = uint32_t;

/// A window in quads of 2 x 2 pixels, as many as the largest window of its size has: where its
/// sides are odd or a page is smaller, some are not all there. The region is as large as the quads
/// want it, a row of pairs after another.
struct QuadGrid {
  uint32_t radius;   ///< of the eye
  uint32_t on_side;  ///< quads on a side: 1 .. kMostQuadsOnSide

  uint32_t quads() const { return on_side * on_side; }
  uint32_t pairs_across() const { return on_side + radius; }
  uint32_t pairs() const { return 2 * pairs_across() * pairs_across(); }
};

/// One group of cells of an area, in the memory of a GPU.
struct CellGroup {
  WindowGrid grid;
  QuadGrid quad;
  uint32_t width_px, area_rows;
  size_t stride;    ///< from row to row of errors
  int16_t* errors;  ///< of the area's first pixel
  uint8_t* bits;
  uint8_t* is_open;  ///< a window's, from the grid's first
  const Pair*
      footprints;  ///< kChildren x pairs of a quad's region: what a pattern adds to what is seen
  const Pair* remaining;  ///< (quads + 1) x pairs: what is seen of the quads from this one on
  uint32_t first_row, first_column;  ///< of the group's cells; every second one from there
  uint32_t rows, columns;            ///< of the group's cells
  bool partial;
  uint32_t* next_cell;
  unsigned long long* changed;
  unsigned long long* saved;
};

/// A search of the group's cells, by branch and bound. `multiprocessors` of the GPU.
void launch_bounds(const CellGroup& group, uint32_t multiprocessors, cudaStream_t stream);

}  // namespace mezzo::search
