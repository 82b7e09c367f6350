// Lines that return at equal distances, as seams between bands, blocks or tiles do.
//
// Given is the power of the blurred error of every row (or column) of the page. Each is divided by
// the median of the up to 33 rows around it, itself in the middle (1/1000 of the page's mean is
// added to both, so that a blank row counts as 1), which removes slow changes of the picture. For
// every period of 2 to 512 rows that the page has at least 8 times, rows are folded: of the n
// returns of a phase, the line's ratio is the value that k = ceil(3 n / 4) of them reach, so that
// edges of the picture, which do not return, do not count. If q is the share of all rows of the
// page that reach the ratio (to 1e-9 of it), chance makes that so with at most C(n, k) q^k. The
// phase and period for which this is least are the seam, when the ratio is at least 1.25 and the
// chance, times the number of phases tried, is below 1e-6. (Of equals, the first.) Periodic lines
// of the contone itself, such as lines of text, can be found too.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/team.h"

namespace mezzo::quality {

struct Seam {
  uint32_t period_px = 0;  ///< 0: none stands out
  double ratio = 1;        ///< power of the line over its surroundings', 1 when there is none
};

/// Looks through the rows of a page, in order. `power` >= 0.
Seam find_seam(const std::vector<double>& power, Team& team);

}  // namespace mezzo::quality
