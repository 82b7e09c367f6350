#include "kernels/screen/tile_values.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/base/noise.h"

namespace mezzo::screen {
namespace {

/// The tile without its thresholds.
ThresholdTile shape_of(const TileValues& values, uint32_t shift) {
  MZ_ASSERT(shift < values.width);
  MZ_ASSERT(values.values.size() == size_t{values.width} * values.height);
  return {values.width, values.height, shift, std::vector<uint16_t>(values.values.size())};
}

}  // namespace

ThresholdTile tile_of_thresholds(const TileValues& values, uint32_t shift) {
  ThresholdTile tile = shape_of(values, shift);
  std::ranges::transform(values.values, tile.thresholds.begin(), [&](uint16_t value) {
    return static_cast<uint16_t>((2 * uint64_t{value} + 1) * kSolid >> (values.bits + 1));
  });
  return tile;
}

ThresholdTile tile_of_ranks(const TileValues& values, uint32_t shift) {
  ThresholdTile tile = shape_of(values, shift);
  const auto count = static_cast<uint32_t>(values.values.size());
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(
      order, {}, [&](uint32_t pixel) { return std::pair(values.values[pixel], mix_bits(pixel)); });
  for (uint32_t rank = 0; rank < count; ++rank) {
    tile.thresholds[order[rank]] = threshold_of_rank(rank, count);
  }
  return tile;
}

TileFigures figures_of(const ThresholdTile& tile) {
  std::array<uint32_t, kSolid> pixels{};
  for (const uint16_t threshold : tile.thresholds) ++pixels[threshold];
  const auto count = static_cast<int64_t>(tile.thresholds.size());
  uint32_t levels = 1;
  int64_t inked = 0, most = 0;  // in 1 / (count * kSolid)
  for (int64_t tone = 0; tone < kSolid; ++tone) {
    most = std::max(most, std::abs(inked * kSolid - tone * count));
    const uint32_t here = pixels[static_cast<size_t>(tone)];
    inked += here;
    levels += here > 0 ? 1 : 0;
  }
  return {levels, 100 * static_cast<double>(most) / static_cast<double>(count * kSolid)};
}

}  // namespace mezzo::screen
