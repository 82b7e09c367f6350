// A rectangle of pixels.
#pragma once

#include <cstdint>

namespace mezzo {

/// Columns [x, x + width_px) of rows [y, y + height_px).
struct Rect {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width_px = 0;
  uint32_t height_px = 0;

  bool operator==(const Rect&) const = default;
};

}  // namespace mezzo
