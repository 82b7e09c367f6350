// The layout of an area in direct binary search: its free rows, its points and its cells. For the
// CPU and GPUs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/search/area.h"
#include "kernels/search/cpu/dbs_settings.h"

namespace mezzo::search::dbs {

/// The neighbours that a pixel can be swapped with, in raster order.
struct Step {
  int dy;
  int dx;
};
inline constexpr int kSteps = 8;
inline constexpr Step kStep[kSteps] = {
    {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

/// A bit that is not there to be swapped: outside the page, or settled.
inline constexpr uint8_t kNoBit = 2;

/// Pixels top <= y < bottom, left <= x < right.
struct Box {
  int top;
  int left;
  int bottom;
  int right;
};

/// Rows y of the area and columns x are signed, as points lie outside of it too.
struct DbsArea {
  /// Where c reaches 2 `radius`, as that of an eye does; `cell` is a cell's side.
  DbsArea(int radius, uint32_t cell, const Area& area);
  DbsArea(const DbsSettings& settings, const Area& area);

  int free_rows() const { return rows - first_free; }
  /// The reach of a visit's changes of c.
  int edge() const { return 2 * radius + 1; }

  // Points of the domain: rows first_point_row() .. rows + radius - 1, columns -radius .. width +
  // radius - 1.
  int first_point_row() const { return first_free - radius; }
  int point_rows() const { return rows + radius - first_point_row(); }
  int point_columns() const { return width + 2 * radius; }

  /// The free pixels of a cell.
  Box pixels_of(int cell_row, int cell_column) const {
    const int top = cell_top + cell_row * cell, left = cell_column * cell;
    return {
        std::max(top, first_free), left, std::min(top + cell, rows), std::min(left + cell, width)};
  }

  /// Cells that read bits or c which a toggle of pixel (y, x), or its swap with a neighbour,
  /// changes: c changes up to edge() away, and is read up to 1 outside a cell.
  Box cells_that_see(int y, int x) const {
    const int far = edge() + 1;
    return {std::max(y - far - cell_top, 0) / cell,
            std::max(x - far, 0) / cell,
            std::min((y + far - cell_top) / cell + 1, cell_rows),
            std::min((x + far) / cell + 1, cell_columns)};
  }

  /// The error as people read it: per point, of 255.
  double of_255(uint64_t error) const;

  int radius;  ///< of the eye: half of the reach of C
  int width;
  int rows;
  int first_free;     ///< row
  int cell;           ///< side
  uint32_t top_cell;  ///< row of cells on the page that the first free row is in
  int cell_top;       ///< first row of the area, or row above it, of that row of cells
  int cell_rows;      ///< rows of cells with free rows
  int cell_columns;
};

}  // namespace mezzo::search::dbs
