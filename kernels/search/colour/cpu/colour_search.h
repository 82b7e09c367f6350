// Colour direct binary search on the CPU.
#pragma once

#include <memory>

#include "kernels/band/team.h"
#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/search.h"
#include "kernels/together/ink_colours.h"

namespace mezzo::search::colour {

/// Begins a search of `page`, whose inks are those of `colours`, at most kMostInks. error() is E.
std::unique_ptr<Search> make_search(const together::InkColours& colours,
                                    const Page& page,
                                    Team& team);

}  // namespace mezzo::search::colour
