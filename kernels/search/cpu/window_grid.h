// The windows of a local search on its area, for the CPU and for GPUs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/search/area.h"

namespace mezzo::search {

inline constexpr uint32_t kMostWindow = 5;
inline constexpr uint32_t kMostWindowRadius = 6;

/// Windows of an area. All rows count from the area's first.
struct WindowGrid {
  WindowGrid(const Area& area, uint32_t window, uint32_t cell_size, uint32_t eye_radius)
      : height(std::min(window, area.rows - area.settled_rows)),
        width(std::min(window, area.width_px)),
        radius(eye_radius),
        cell(cell_size),
        top(area.settled_rows > 0 ? area.settled_rows - eye_radius : 0),
        first(area.settled_rows),
        rows(area.rows - area.settled_rows - height + 1),
        columns(area.width_px - width + 1),
        page_row(area.first_row),
        first_cell_row((area.first_row + first) / cell),
        cell_rows((area.first_row + first + rows - 1) / cell - first_cell_row + 1),
        cell_columns((columns + cell - 1) / cell) {}

  /// Rows [begin, end) of windows in a row of cells, which count from the first that has any.
  MZ_HD uint32_t begin_of(uint32_t cell_row) const {
    const uint32_t row = (first_cell_row + cell_row) * cell;
    return (row > page_row + first ? row : page_row + first) - page_row;
  }
  MZ_HD uint32_t end_of(uint32_t cell_row) const {
    const uint32_t row = (first_cell_row + cell_row + 1) * cell;
    return row - page_row < first + rows ? row - page_row : first + rows;
  }

  uint32_t height, width;  ///< of a window
  uint32_t radius;
  uint32_t cell;
  uint32_t top;            ///< the first row whose errors count
  uint32_t first;          ///< the first row of windows
  uint32_t rows, columns;  ///< of windows
  uint32_t page_row;       ///< the page's row of row 0
  uint32_t first_cell_row, cell_rows, cell_columns;
};

}  // namespace mezzo::search
