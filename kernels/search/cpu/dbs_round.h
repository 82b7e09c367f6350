// A round over the cells of a plane, spread over threads.
#pragma once

#include <functional>

#include "kernels/search/cpu/dbs_board.h"

namespace mezzo::search::dbs {

/// Searches every other cell of a row of cells, from column 0 or 1 on, and changes bits and c of the
/// board as visit_cells() does.
struct RowVisit {
  std::function<Tally(int cell_row, int first_column)> visit;
  int64_t pixels_a_pause;  ///< that a thread visits in some tenths of a second
};

/// Visits all rows of cells, group by group, from any thread of the team; `pause` as in
/// Search::round(). Exceptions of `pause` end it, with the board in order; `done` has been told of
/// all that was changed until then.
void visit_groups(const DbsArea& area,
                  Team& team,
                  const RowVisit& visits,
                  const std::function<void(const Tally& tally)>& done,
                  const std::function<void(double part)>& pause);

}  // namespace mezzo::search::dbs
