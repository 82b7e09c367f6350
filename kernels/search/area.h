// The part of a plane that a search works on.
#pragma once

#include <cstdint>

namespace mezzo::search {

/// Rows of a plane that a search works on: all of them, or a slab with some settled rows above it.
/// The caller keeps the memory; rows follow each other without gaps.
struct Area {
  uint32_t width_px = 0;
  uint32_t rows = 0;
  uint32_t first_row = 0;  ///< of the page; where it is not 0, rows above are done
  /// Rows of the area whose bits are settled and may not change: none at the page's top, else at
  /// least twice the radius of the eye, so that errors of the row `radius` above the first free one
  /// can be told.
  uint32_t settled_rows = 0;
  uint32_t plane = 0;
  const uint16_t* tones = nullptr;  ///< Q12
  uint8_t* bits = nullptr;          ///< 0 or 1 a pixel: the start image, and then the result
};

}  // namespace mezzo::search
