// Tiles of users against the definition of their values.

#include "kernels/screen/tile_method.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/base/error.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::tile_method_test {
namespace {

using screen::TileValues;

TileValues random_tile(uint32_t width, uint32_t height, uint32_t bits) {
  std::mt19937 random(width * 1000 + height + bits);
  TileValues tile{width, height, bits, 0, {}};
  for (uint32_t i = 0; i < width * height; ++i) {
    tile.values.push_back(static_cast<uint16_t>(random() >> (32 - bits)));
  }
  return tile;
}

/// The text of the Error that these settings are refused with, or empty.
std::string refusal(const HalftoneSettings& settings) {
  try {
    make_halftoner(complete(settings));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return {};
}

TEST(TileMethod, InksWhereCoverageExceedsTheValue) {
  for (const uint32_t bits : {8U, 16U}) {
    const auto tile = std::make_shared<const TileValues>(random_tile(13, 7, bits));
    SamplePlane in(256, 50, 1);
    for (uint32_t y = 0; y < 50; ++y) {
      for (uint32_t x = 0; x < 256; ++x) in.set(x, y, x);
    }
    BitPlane out(256, 50);
    const auto method = make_reference(complete(
        {.method = "tile", .parameters = {{"shift", 4}}, .tile = {.path = "t", .values = tile}}));
    run_whole(*method, in.band, ToneCurve(255, Polarity::kMaxIsInk), out.band);
    for (uint32_t y = 0; y < 50; ++y) {
      for (uint32_t x = 0; x < 256; ++x) {
        const uint32_t column = (x + 13 * 13 - 4 * (y / 7)) % 13;
        const double value = tile->values[y % 7 * 13 + column];
        const double threshold = std::floor((value + 0.5) / std::exp2(bits) * 4096);
        const double tone = std::round(x * 4096.0 / 255);
        ASSERT_EQ(out.band.ink(x, y), tone > threshold) << x << " " << y;
      }
    }
  }
}

TEST(TileMethod, RefusesToRunWithoutAFileOrWithAShiftBeyondIt) {
  EXPECT_EQ(refusal({.method = "tile"}),
            "method 'tile': the file of its thresholds is missing; give 'file', a grey TIFF of 8 "
            "or 16 bits");
  EXPECT_EQ(refusal({.method = "tile", .tile = {.path = "house.tif"}}),
            "method 'tile': the values of house.tif have not been read");
  const auto values = std::make_shared<const TileValues>(random_tile(8, 8, 8));
  EXPECT_EQ(refusal({.method = "tile",
                     .parameters = {{"shift", 8}},
                     .tile = {.path = "house.tif", .values = values}}),
            "method 'tile': 'shift' is 8 px, and must be below the width of the tile, 8 px");
}

TEST(TileMethod, IsOneWithAnotherOfItsFileAndDigest) {
  const auto values = std::make_shared<const TileValues>(random_tile(8, 8, 8));
  const TileFile read{.path = "a", .digest = "1", .values = values};
  EXPECT_EQ(read, (TileFile{.path = "a", .digest = "1"}));
  EXPECT_NE(read, (TileFile{.path = "a", .digest = "2"}));
  EXPECT_NE(read, (TileFile{.path = "b", .digest = "1"}));
}

}  // namespace
}  // namespace mezzo::test::tile_method_test
