// Screens for PostScript interpreters: a tile of thresholds as a halftone dictionary of type 16.
//
// Ghostscript inks a pixel of grey g, 0 .. 255, where 257 g is below the threshold there, give or take:
// it makes thresholds of 8 bits of those of some screens. Ours lie in the middle between the two
// greys that our rule tells apart, so that pages of 8 bits get the very dots that they get here, and a
// screen has 256 levels at most. Oracle: tests/stages/screen/gs_oracle.py.
#pragma once

#include <cstdint>
#include <ostream>

#include "kernels/screen/tile.h"

namespace mezzo::screen {

/// The threshold of type 16 for one of ours, below kSolid.
uint16_t postscript_threshold(uint16_t threshold);

/// The longest side that Ghostscript takes, and the most thresholds that it reads within half a minute.
inline constexpr uint64_t kMostPostscriptSide = 32767, kMostPostscript = 1ULL << 24;

/// Writes PostScript that makes the tile the screen of all that is drawn behind it, until the next
/// setpagedevice. A tile with a shift becomes the rectangle in which it repeats. Throws
/// Error(kUnsupported) where that is beyond these limits.
void write_postscript(const ThresholdTile& tile, std::ostream& out);

}  // namespace mezzo::screen
