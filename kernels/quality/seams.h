// Lines that return at equal distances: what a seam between bands, blocks or tiles looks like.
//
// Given is the power of the blurred error of every row (or column) of the page. Each is divided by
// the median of the 33 rows around it (those of them that the page has; 1/1000 of the page's mean
// is added to both, so that blank rows count as 1), which takes out what the picture does slowly.
// For every period of 2 to 512 rows that the page has at least four times, rows are folded: of each
// phase the median over its returns, so that a line of the picture that occurs once does not count.
// How much the highest phase exceeds 1 is set against what chance would do, 1.25 d / sqrt(returns),
// d = 1.4826 x median |row - 1|, at least 0.01. The period that exceeds it most is the seam, if it
// does so 8 times and is 1.25 or higher. Work that the contone itself has in every so many rows,
// such as lines of text, can be found too.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/team.h"

namespace mezzo::quality {

struct Seam {
  uint32_t period_px = 0;  ///< 0: none stands out
  double ratio = 1;  ///< power of the line over that of its surroundings, 1 when there is none
};

/// Looks through the rows of a page, in order. `power` >= 0.
Seam find_seam(const std::vector<double>& power, Team& team);

}  // namespace mezzo::quality
