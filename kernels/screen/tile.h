// Screens as arrays of thresholds: a pixel takes ink where its tone exceeds the threshold at its
// place. Bayer's matrix, masks of blue noise, and every AM screen whose cells repeat are such tiles.
//
// A tile that repeats along a slanted grid is kept as one strip (Holladay 1980): `width` x `height`
// thresholds that repeat to the right, and below themselves moved to the right by `shift`. So an AM
// screen takes as many thresholds as it has levels, and not the rectangle in which it repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/band/coverage.h"

namespace mezzo::screen {

struct ThresholdTile {
  uint32_t width = 1;   ///< px, 1 .. kMostTile
  uint32_t height = 1;  ///< px, 1 .. kMostTile
  uint32_t shift = 0;   ///< px, below width: of each strip against the one above it
  /// By rows, 0 .. kSolid - 1: ink where tone > threshold. So paper stays paper and solid solid.
  std::vector<uint16_t> thresholds = {0};

  /// The threshold of the pixel (x, y) of the page.
  uint16_t at(uint32_t x, uint32_t y) const {
    const uint64_t moved = uint64_t{y / height} * shift % width;
    const uint64_t column = (x % width + width - moved) % width;
    return thresholds[size_t{y % height} * width + column];
  }

  bool operator==(const ThresholdTile&) const = default;
};

/// The most thresholds of a tile: 512 KiB.
inline constexpr uint32_t kMostTile = 1U << 18;

/// The threshold of a pixel that is number `rank`, from 0, of `count` to take ink: half a pixel below
/// the share at which it does, so that a tint t has round(t count) pixels.
constexpr uint16_t threshold_of_rank(uint32_t rank, uint32_t count) {
  return static_cast<uint16_t>((2 * uint64_t{rank} + 1) * kSolid / (2 * uint64_t{count}));
}

}  // namespace mezzo::screen
