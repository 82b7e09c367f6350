// Judges a halftone against its contone: one pass over the page, in memory that grows with its
// width and not with its height.
//
// The page is cut into tiles of 512 x 512 px that do not depend on the team or on how rows are
// read. Each tile yields sums, and these are added in the order of the tiles: the report is the
// same to the last bit for any number of threads.
#pragma once

#include "kernels/quality/page_pair.h"
#include "kernels/quality/quality.h"

namespace mezzo::quality {

/// dpi x distance that judge() takes: its eye reaches 1 to 256 px.
inline constexpr double kMinSight = 100;
inline constexpr double kMaxSight = 38'000;

/// The report. Holds about 3 x (512 + 2 R) bytes for each pixel of width (R = 23 when dpi x
/// distance is 3500) and 16 MiB for each member of the team. Throws only the errors of `pages`.
Report judge(PagePair& pages, const Viewing& viewing, Team& team);

}  // namespace mezzo::quality
