// Tiles against their definition: any size, shift, curve, sample and place, on every SIMD target.

#include "kernels/screen/tile_halftoner.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tests/kernels/planes.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::tile_halftoner_test {
namespace {

using screen::InkScreens;
using screen::PlacedTile;
using screen::ThresholdTile;
using screen::TileHalftoner;

ThresholdTile random_tile(uint32_t width, uint32_t height, uint32_t shift, uint64_t seed) {
  std::mt19937_64 random(seed);
  ThresholdTile tile{width, height, shift, {}};
  for (uint32_t i = 0; i < width * height; ++i) {
    tile.thresholds.push_back(static_cast<uint16_t>(random() % kSolid));
  }
  return tile;
}

/// Curves that rise and fall, and those that leave thresholds above or below every tone.
std::vector<ToneCurve> curves(uint32_t max_sample) {
  const ToneSettings gamma{.gamma = 1.8};
  const ToneSettings narrow{.points = {{0, 10}, {100, 80}}};
  std::vector<ToneCurve> all;
  for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
    all.emplace_back(max_sample, polarity);
    all.emplace_back(max_sample, polarity, gamma);
    all.emplace_back(max_sample, polarity, narrow);
  }
  return all;
}

struct Depth {
  uint32_t bytes;
  uint32_t max_sample;
};
constexpr std::array<Depth, 5> kDepths = {{{1, 255}, {1, 15}, {2, 32640}, {2, 65535}, {2, 4095}}};

class Tile : public OnTarget {};
MZ_ON_EVERY_TARGET(Every, Tile);

void expect_as_defined(const ThresholdTile& tile, const ToneCurve& curve, Depth depth) {
  constexpr uint32_t kWidth = 301, kRows = 9, kFirstRow = 1'000'003, kX = 17, kY = 40;
  SamplePlane in(kWidth, kRows, depth.bytes);
  fill(in, Fill::kNoise, depth.max_sample, tile.width);
  for (uint32_t x = 0; x < 20; ++x) in.set(x, 0, x < 10 ? 0 : depth.max_sample);
  in.band.first_row = kFirstRow;
  BitPlane out(kWidth, kRows);
  const auto shared = std::make_shared<const ThresholdTile>(tile);
  const TileHalftoner method(InkScreens{[&](uint32_t texture) {
                                          EXPECT_EQ(texture, 0U);
                                          return PlacedTile{shared, kX, kY};
                                        },
                                        tile.width,
                                        tile.height});
  SoloTeam team;
  method.run(in.band, curve, out.band, method.make_state(kWidth).get(), team);
  BitPlane expected(kWidth, kRows);
  for (uint32_t y = 0; y < kRows; ++y) {
    std::memset(expected.band.row(y), 0, bit_row_bytes(kWidth));
    for (uint32_t x = 0; x < kWidth; ++x) {
      const bool ink = curve[in.get(x, y)] > tile.at(x + kX, y + kFirstRow + kY);
      if (ink) expected.band.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
    }
  }
  EXPECT_TRUE(same_bits(expected.band, out.band))
      << tile.width << " x " << tile.height << " max " << depth.max_sample;
  EXPECT_TRUE(out.guards_intact());
}

TEST_P(Tile, HasTheBitsOfItsDefinition) {
  const std::array<std::array<uint32_t, 3>, 7> kShapes = {
      {{1, 1, 0}, {3, 2, 1}, {8, 8, 0}, {63, 5, 40}, {64, 3, 63}, {65, 4, 1}, {260, 7, 131}}};
  for (const Depth depth : kDepths) {
    for (const ToneCurve& curve : curves(depth.max_sample)) {
      for (const auto& [width, height, shift] : kShapes) {
        expect_as_defined(random_tile(width, height, shift, width), curve, depth);
      }
    }
  }
}

TEST(ThresholdTile, RepeatsInStripsThatMoveToTheRight) {
  const ThresholdTile tile{3, 1, 2, {10, 20, 30}};
  const std::array<std::array<uint16_t, 4>, 3> kRows = {
      {{10, 20, 30, 10}, {20, 30, 10, 20}, {30, 10, 20, 30}}};
  for (uint32_t y = 0; y < 3; ++y) {
    for (uint32_t x = 0; x < 4; ++x) EXPECT_EQ(tile.at(x, y), kRows[y][x]) << x << ", " << y;
  }
}

}  // namespace
}  // namespace mezzo::test::tile_halftoner_test
