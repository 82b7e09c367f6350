#include "kernels/search/cpu/dbs_area.h"

#include <cmath>

#include "kernels/base/error.h"

namespace mezzo::search::dbs {

DbsArea::DbsArea(const DbsSettings& settings, const Area& area)
    : DbsArea(settings.eye.radius(), settings.cell, area) {}

DbsArea::DbsArea(int eye_radius, uint32_t cell_side, const Area& area)
    : radius(eye_radius),
      width(static_cast<int>(area.width_px)),
      rows(static_cast<int>(area.rows)),
      first_free(static_cast<int>(area.settled_rows)),
      cell(static_cast<int>(cell_side)),
      top_cell((area.first_row + area.settled_rows) / cell_side),
      cell_top(static_cast<int>(int64_t{top_cell} * cell - area.first_row)),
      cell_rows((rows - cell_top + cell - 1) / cell),
      cell_columns((width + cell - 1) / cell) {
  MZ_ASSERT(radius >= 1 && radius <= static_cast<int>(kMostEyeRadius));
  MZ_ASSERT(cell_side >= least_dbs_cell(static_cast<uint32_t>(radius)));
  MZ_ASSERT(cell_side <= kMostDbsCell);
  MZ_ASSERT(width > 0 && first_free < rows);
  MZ_ASSERT(area.first_row == 0 || first_free >= 2 * radius);
}

double DbsArea::of_255(uint64_t error) const {
  const double points = static_cast<double>(point_rows()) * point_columns();
  return 255 * std::sqrt(static_cast<double>(error) / points) / kEyeSum;
}

}  // namespace mezzo::search::dbs
