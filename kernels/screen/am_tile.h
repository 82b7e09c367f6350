// The thresholds of an AM screen: dots that grow evenly from paper to solid.
//
// The cells of a tile meet the pixels differently, so pixels sorted by the spot function alone give
// dots of uneven size, and tints a pattern. Here all dots of a light tint have n or n + 1 pixels,
// whatever their cell, and those that have one more are spread by void and cluster (blue_noise.h); the
// holes of a dark tint likewise, seen from the corners of the cells. Where neither is whole, in the
// middle, the spot function alone decides.
//
// All of it is integers, and a tile the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/screen/cells.h"
#include "kernels/screen/spots.h"
#include "kernels/screen/tile.h"

namespace mezzo::screen {

struct AmScreen {
  Cell cell = {};  ///< without fault_of()
  Dot dot = Dot::kEuclidean;
  /// px, 1 .. most_minimum_dot(): dots of light tints and holes of dark ones have at least so many;
  /// lighter and darker ones have fewer of them.
  uint32_t minimum_dot = 1;

  bool operator==(const AmScreen&) const = default;
};

/// The largest minimum_dot: a quarter of a cell.
uint32_t most_minimum_dot(const Cell& cell);

/// Width, height and shift of the tile of filled(cell), its thresholds all 0.
ThresholdTile strip_of(const Cell& cell);

/// The place of each cell of filled(cell), row by row, in the order in which cells take a pixel more.
std::vector<uint32_t> order_of_cells(const Cell& cell);

/// The rank of each pixel of the strip, 0 .. pixels_of(filled(cell)) - 1: its place in the order in
/// which they take ink.
std::vector<uint32_t> am_ranks(const AmScreen& screen);

/// The screen. Of a tile of the largest size it takes a fraction of a second.
ThresholdTile am_tile(const AmScreen& screen);

}  // namespace mezzo::screen
