// The values of a user's tile, as the file has them, and the thresholds that they stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/screen/tile.h"

namespace mezzo::screen {

struct TileValues {
  uint32_t width = 1;   ///< px
  uint32_t height = 1;  ///< px; width * height is at most kMostTile
  uint32_t bits = 8;    ///< of a value, 1 .. 16
  uint32_t shift =
      0;  ///< as the file says, px, below width: of each strip against the one above it
  std::vector<uint16_t> values = {0};  ///< by rows, below 2^bits

  bool operator==(const TileValues&) const = default;
};

/// Ink where coverage exceeds (v + 1/2) / 2^bits: the lowest value takes ink first.
ThresholdTile tile_of_thresholds(const TileValues& values, uint32_t shift);

/// The order of the values counts alone, so that a tint t has round(t C) of the C pixels. Equal
/// values take ink in an order that scatters them, the same every time.
ThresholdTile tile_of_ranks(const TileValues& values, uint32_t shift);

/// How the thresholds of a tile are spread over tones.
struct TileFigures {
  uint32_t levels = 0;  ///< that tints have, paper included
  /// The most by which the share of a tile's pixels with ink differs from the tint: percent.
  double most_tone_error = 0;
};
TileFigures figures_of(const ThresholdTile& tile);

}  // namespace mezzo::screen
