#include "kernels/search/colour/colour_area.h"

#include <cmath>

#include "kernels/search/colour/channels.h"

namespace mezzo::search::colour {

dbs::DbsArea area_of(const Page& page) {
  const Area plane{page.width_px, page.rows, 0, 0, 0, nullptr, nullptr};
  return {kEyeRadius, kCell, plane};
}

double of_255(const dbs::DbsArea& area, uint64_t error) {
  constexpr double kWhite = 1023.0 * kWeight;  // f of paper where there should be none
  const double points = static_cast<double>(area.point_rows()) * area.point_columns();
  return 255 * std::sqrt(static_cast<double>(error) / points) / kWhite;
}

}  // namespace mezzo::search::colour
