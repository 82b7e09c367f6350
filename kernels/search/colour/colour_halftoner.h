// Colour direct binary search as a halftoning method of several inks: where it starts, and when it
// stops.
#pragma once

#include <functional>
#include <memory>

#include "kernels/band/team.h"
#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/search.h"
#include "kernels/search/search_settings.h"
#include "kernels/together/ink_colours.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::search::colour {

/// Begins a search; throws Error kOutOfMemory where a device has no room for it.
using MakeSearch = std::function<std::unique_ptr<Search>(
    const together::InkColours& colours, const Page& page, Team& team)>;

/// The search to run.
struct Engine {
  MakeSearch make;
  MakeSearch fall_back = {};  ///< where `make` finds no room; may be empty
  bool on_device = false;     ///< of `make`
};

/// Starts from overlap accounts (diffusion/together/account.h), or at random. Needs whole planes, so
/// `settings.slab_rows` is 0. Throws Error kUnsupported for more than
/// kMostInks.
std::unique_ptr<together::InksHalftoner> make_halftoner(const SearchSettings& settings,
                                                        const together::InkColours& colours,
                                                        Engine engine);

}  // namespace mezzo::search::colour
