// Packed rows for tests of codecs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "tests/kernels/planes.h"

namespace mezzo::test {

inline void set_ink(const BitBand& rows, uint32_t x, uint32_t y, bool ink) {
  const auto bit = static_cast<uint8_t>(0x80U >> x % 8);
  uint8_t& byte = rows.row(y)[x / 8];
  byte = static_cast<uint8_t>(ink ? byte | bit : byte & ~bit);
}

inline void clear(BitPlane& plane) {
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    std::fill_n(plane.band.row(y), bit_row_bytes(plane.band.width_px), uint8_t{0});
  }
}

/// Runs of random lengths; in every other plane rows like the one above but for a few pixels.
inline void fill_with_runs(const BitBand& rows, std::mt19937& random) {
  const auto mean_run = 1 + random() % (random() % 2 == 0 ? 8 : 5000);
  const auto flip = 1 + random() % 200;
  const bool likes_above = random() % 2 == 0;
  for (uint32_t y = 0; y < rows.rows; ++y) {
    bool ink = random() % 2 == 0;
    for (uint32_t x = 0; x < rows.width_px; ++x) {
      if (likes_above && y > 0) {
        ink = rows.ink(x, y - 1) != (random() % flip == 0);
      } else if (random() % mean_run == 0) {
        ink = !ink;
      }
      set_ink(rows, x, y, ink);
    }
  }
}

}  // namespace mezzo::test
