// The screens of a job's inks: a tile for each, the same or another, at a place of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "kernels/screen/tile.h"

namespace mezzo::screen {

/// The screen of one ink: a tile, and the pixel of it where the page begins.
struct PlacedTile {
  std::shared_ptr<const ThresholdTile> tile;
  uint32_t x = 0;
  uint32_t y = 0;
};

/// The screens of all inks.
struct InkScreens {
  /// Of the ink with this texture (ink_texture.h); may be called from any thread.
  std::function<PlacedTile(uint32_t texture)> of_ink;
  uint32_t width;             ///< of the largest tile
  uint32_t height;            ///< of the largest tile
  uint64_t making_bytes = 0;  ///< memory while of_ink() makes one, see making.h
};

/// The same tile for every ink.
inline InkScreens same_for_all(ThresholdTile tile) {
  const uint32_t width = tile.width, height = tile.height;
  const auto shared = std::make_shared<const ThresholdTile>(std::move(tile));
  return {[shared](uint32_t) { return PlacedTile{shared}; }, width, height};
}

}  // namespace mezzo::screen
