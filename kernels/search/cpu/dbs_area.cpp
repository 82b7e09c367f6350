#include "kernels/search/cpu/dbs_area.h"

#include <cmath>

#include "kernels/base/error.h"

namespace mezzo::search::dbs {

DbsArea::DbsArea(const DbsSettings& settings, const Area& area)
    : radius(settings.eye.radius()),
      width(static_cast<int>(area.width_px)),
      rows(static_cast<int>(area.rows)),
      first_free(static_cast<int>(area.settled_rows)),
      cell(static_cast<int>(settings.cell)),
      top_cell((area.first_row + area.settled_rows) / settings.cell),
      cell_top(static_cast<int>(int64_t{top_cell} * cell - area.first_row)),
      cell_rows((rows - cell_top + cell - 1) / cell),
      cell_columns((width + cell - 1) / cell) {
  MZ_ASSERT(radius >= 1 && radius <= static_cast<int>(kMostEyeRadius));
  MZ_ASSERT(settings.cell >= least_dbs_cell(static_cast<uint32_t>(radius)));
  MZ_ASSERT(settings.cell <= kMostDbsCell);
  MZ_ASSERT(width > 0 && first_free < rows);
  MZ_ASSERT(area.first_row == 0 || first_free >= 2 * radius);
}

double DbsArea::of_255(uint64_t error) const {
  const double points = static_cast<double>(point_rows()) * point_columns();
  return 255 * std::sqrt(static_cast<double>(error) / points) / kEyeSum;
}

}  // namespace mezzo::search::dbs
