// The geometry of a local search: windows, cells and borders. The same on every engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/base/host_device.h"
#include "kernels/search/cpu/window.h"
#include "kernels/search/search.h"

namespace mezzo::search {

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

/// The cells of one group: every second row and column of them.
struct CellsOfGroup {
  /// `group` 0 .. 3, in the order in which they go.
  CellsOfGroup(uint32_t group, const WindowGrid& grid)
      : first_row((grid.first_cell_row + group / 2) % 2),
        first_column(group % 2),
        rows((grid.cell_rows + 1 - first_row) / 2),
        columns((grid.cell_columns + 1 - first_column) / 2) {}

  uint32_t count() const { return rows * columns; }
  uint32_t row(uint32_t i) const { return first_row + 2 * (i / columns); }
  uint32_t column(uint32_t i) const { return first_column + 2 * (i % columns); }

  uint32_t first_row, first_column, rows, columns;
};

/// A sum of |error| over the area, for people: per pixel that counts, of 255.
double average_of_255(const Area& area, const WindowGrid& grid, uint64_t error);

/// Tables for windows at every place of an area: away from the borders all have the same.
class TablesOfArea {
 public:
  TablesOfArea(const Square& eye, const Area& area, const WindowGrid& grid);

  /// The tables of the window with that first pixel.
  const WindowTables& at(uint32_t row, uint32_t column) const {
    return tables_[row_kinds_[row - first_] * column_kinds_count_ + column_kinds_[column]];
  }

 private:
  uint32_t first_;
  std::vector<uint8_t> row_kinds_, column_kinds_;
  uint32_t column_kinds_count_ = 0;
  std::vector<WindowTables> tables_;
};

/// The part of the eye on the page, at every row and column.
class EyeOnPage {
 public:
  EyeOnPage(const Square& eye, const Area& area);

  /// Parts of kEyeSum.
  int32_t at(uint32_t row, uint32_t column) const;

  /// round(tone x at() / 4096): the eye's target.
  int32_t target(uint32_t row, uint32_t column, uint32_t tone) const {
    return (static_cast<int32_t>(tone) * at(row, column) + 2048) >> 12;
  }

 private:
  const Area& area_;
  int radius_;
  std::vector<int32_t> sums_;  ///< of all rows and columns up to this one, with a border of 0
};

}  // namespace mezzo::search
