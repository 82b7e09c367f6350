#include "kernels/diffusion/cpu/blocks.h"

namespace mezzo::diffusion {

BlockGrid grid_for_team(uint32_t width_px, uint32_t rows, int slope, uint32_t threads) {
  const auto width = static_cast<int>(width_px), height = static_cast<int>(rows);
  if (threads == 1) return {width, height, width + 1, 1, slope};
  // With blocks at least `slope` times as wide as high the lag is 2, so a band of 4 t columns of
  // blocks can have 2 t in a step once 2 t block rows are at work. Smaller blocks than these cost
  // more to share out than they save; larger ones stop paying.
  constexpr int kLeastWidth = 64, kMostWidth = 4096, kLeastHeight = 8, kMostHeight = 64;
  const auto team = static_cast<int>(std::min(threads, 1024U));
  const int block_width = std::clamp(width / (4 * team), kLeastWidth, kMostWidth);
  const int most_height = std::min(kMostHeight, block_width / slope);
  const int block_height = std::clamp(height / (2 * team), kLeastHeight, most_height);
  return {width, height, block_width, block_height, slope};
}

}  // namespace mezzo::diffusion
