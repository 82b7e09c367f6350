// Judges the plates of a page against its contone planes, in colour: one pass over the page, in memory
// that grows with its width and not with its height.
//
// Tiles of 512 x 512 px are judged each with its surroundings, and their sums added in the order of the
// tiles: the report is the same to the last bit for any number of threads.
#pragma once

#include <span>

#include "kernels/quality/colour/colour_report.h"
#include "kernels/quality/page_pair.h"
#include "kernels/quality/quality.h"

namespace mezzo::quality {

/// Tiles in which inks are moved out of register.
inline constexpr uint32_t kRegisterTiles = 8;

enum class RegisterError { kSkipped, kJudged };

/// The report of 1 .. kMostColourInks inks: a pair of planes for each, all of one size, in the order of
/// print.colours.solids; dpi x distance of `viewing` as for judge(). Holds 3 x (512 + 2 m) bytes for each
/// ink and pixel of width, m = 103 when dpi x distance is 3500 and in proportion otherwise, and
/// 60 MiB for each member of the team; it uses fewer members where that would come to more than 1 GiB.
/// Throws only the errors of `inks`.
ColourReport judge_colour(std::span<PagePair* const> inks,
                          const Print& print,
                          const Viewing& viewing,
                          RegisterError register_error,
                          Team& team);

}  // namespace mezzo::quality
