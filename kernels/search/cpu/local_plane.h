// The geometry of a local search: cells and borders. The same on every engine.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/search/area.h"
#include "kernels/search/cpu/window.h"
#include "kernels/search/cpu/window_grid.h"

namespace mezzo::search {

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
