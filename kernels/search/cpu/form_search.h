// A search with the tone form (form.h) on the CPU: moves of direct binary search (dbs.h), and then
// windows of 4 x 4 pixels, where each window gets the best of its 65,536 patterns (form_window.h).
//
// Order. Cells and their groups are those of dbs.h, for moves and for windows. A cell has the
// windows whose first pixel it holds; they go in raster order. With cells of kLeastCell the cells of
// a group do not see each other. Windows lie in the free part of the page; where that is lower or
// narrower than a window, it sticks out.
//
// Windows are open at the beginning, and closed by their search (those of kSameInk only if they stay
// as they are). A changed pixel opens all windows with a pixel up to kReach from it, in rows and in
// columns. Only open windows are searched. The stages are those of stages.h.
#pragma once

#include <memory>

#include "kernels/search/cpu/form_window.h"
#include "kernels/search/form.h"
#include "kernels/search/search.h"

namespace mezzo::search {

/// Begins a search of the rows of `area` below its settled ones. Of those there are at least
/// form::kRadius, or none; they are only looked at. error() is E of form.h, not below 0; of_255()
/// the root of its mean. `find` is called by any thread of the team.
std::unique_ptr<Search> make_form_search(const FormSettings& settings,
                                         const Area& area,
                                         Team& team,
                                         form::FindPattern find = form::best_pattern);

}  // namespace mezzo::search
