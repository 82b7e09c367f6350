#include <algorithm>

#include "kernels/quality/tile.h"

namespace mezzo::quality {
namespace {

/// round(255 ink / max_ink), halves upwards.
uint32_t level_of(uint32_t ink, uint32_t max_ink) {
  return static_cast<uint32_t>((2 * uint64_t{ink} * (kLevels - 1) + max_ink) /
                               (2 * uint64_t{max_ink}));
}

/// Isolated dots and holes in row `y` of the tile: a pixel whose kind occurs once in its 3 x 3.
void count_isolated(const Window& window, const Rect& tile, uint32_t y, Counts& counts) {
  const uint32_t top = y == 0 ? 0 : y - 1;
  const uint32_t bottom = std::min(y + 1, window.height_px() - 1);
  const uint32_t rows = bottom - top + 1;
  const uint32_t width_px = window.width_px();
  const auto dots_at = [&](uint32_t x) {
    uint32_t dots = 0;
    for (uint32_t row = top; row <= bottom; ++row) dots += window.bits(row)[x];
    return dots;
  };
  const uint8_t* bits = window.bits(y);
  // Dots of a column of three, for the columns to the left, here and to the right.
  uint32_t left = tile.x == 0 ? 0 : dots_at(tile.x - 1);
  uint32_t here = dots_at(tile.x);
  for (uint32_t x = tile.x; x < tile.x + tile.width_px; ++x) {
    const uint32_t right = x + 1 < width_px ? dots_at(x + 1) : 0;
    const uint32_t columns = 1 + (x > 0 ? 1U : 0U) + (x + 1 < width_px ? 1U : 0U);
    const uint32_t dots = left + here + right;
    counts.isolated_dots += bits[x] != 0 && dots == 1 ? 1 : 0;
    counts.isolated_holes += bits[x] == 0 && rows * columns - dots == 1 ? 1 : 0;
    left = here;
    here = right;
  }
}

}  // namespace

void Counts::add(const Counts& other) {
  for (uint32_t i = 0; i < kLevels; ++i) {
    levels[i].pixels += other.levels[i].pixels;
    levels[i].dots += other.levels[i].dots;
    levels[i].ink += other.levels[i].ink;
  }
  isolated_dots += other.isolated_dots;
  isolated_holes += other.isolated_holes;
  startup_dots += other.startup_dots;
  startup_ink += other.startup_ink;
}

void count_tile(const Window& window, const Rect& tile, Counts& counts) {
  for (uint32_t y = tile.y; y < tile.y + tile.height_px; ++y) {
    const uint16_t* ink = window.ink(y);
    const uint8_t* bits = window.bits(y);
    for (uint32_t x = tile.x; x < tile.x + tile.width_px; ++x) {
      Counts::Level& level = counts.levels[level_of(ink[x], window.max_ink())];
      ++level.pixels;
      level.dots += bits[x];
      level.ink += ink[x];
      if (y < kStartupRows) {
        counts.startup_dots += bits[x];
        counts.startup_ink += ink[x];
      }
    }
    count_isolated(window, tile, y, counts);
  }
}

}  // namespace mezzo::quality
