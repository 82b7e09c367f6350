// Local exhaustive search (LES) and partial exhaustive search (PES) on the CPU.
//
// H. Kouge, Y. Ito, K. Nakano: GPU-accelerated digital halftoning by the local exhaustive search.
// The image that the eye makes of the bits is to come close to the page: the sum of |error| over
// all pixels falls with every window whose best pattern replaces the one that it has.
//
// Order. Windows stand at every pixel. The plane is cut into cells of cell x cell pixels, and a
// cell has the windows whose first pixel it holds. Cells of even rows and columns go first, then
// those of even rows and odd columns, and so on: four groups. Cells of a group do not see each
// other, as cell >= 2 radius + window - 1, and so may go in any order or at once; in a cell,
// windows go row by row. Cells count from the page's first pixel.
//
// A window is searched again only when a pixel that it sees has changed since: until then its
// pattern is the best, and skipping it changes no bit.
//
// Borders. Errors count on the page alone, and ink beyond it is none; targets near a border are
// lowered to the part of the eye on the page.
#pragma once

#include <chrono>
#include <memory>

#include "kernels/search/cpu/window.h"
#include "kernels/search/search.h"

namespace mezzo::search {

struct LocalSettings {
  Square eye;
  uint32_t window = 4;  ///< 2 .. kMostWindow
  uint32_t cell = 9;    ///< at least least_cell()
  bool partial = false;
  /// The longest time from one call of round()'s `pause` to the next, but for the window that is searched
  /// when it is over.
  std::chrono::milliseconds between_pauses{300};
};

/// The smallest cells that do not see each other.
constexpr uint32_t least_cell(uint32_t radius, uint32_t window) {
  return 2 * radius + window - 1;
}

/// The error is the sum of |error| in parts of kEyeSum, over the area from `radius` rows above the
/// first free one. Each window gets the pattern that `search` finds, from any thread of the team;
/// without one window_search() in vectors.
std::unique_ptr<Search> make_local_search(const LocalSettings& settings,
                                          const Area& area,
                                          Team& team,
                                          SearchWindow search);
std::unique_ptr<Search> make_local_search(const LocalSettings& settings,
                                          const Area& area,
                                          Team& team);

}  // namespace mezzo::search
