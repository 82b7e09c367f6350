// The layout of a page in colour direct binary search.
#pragma once

#include <cstdint>

#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/cpu/dbs_area.h"

namespace mezzo::search::colour {

/// The cells and the reach of a search; those of one ink's direct binary search.
dbs::DbsArea area_of(const Page& page);

/// The error for people: the root of the mean of E over the points, of 255, as if it were luminance.
double of_255(const dbs::DbsArea& area, uint64_t error);

}  // namespace mezzo::search::colour
