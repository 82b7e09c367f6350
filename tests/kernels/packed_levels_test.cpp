// Levels in one band against their bits, and the settings that are refused.

#include "kernels/packed_levels.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/kernels/level_planes.h"

namespace mezzo::test::packed_levels_test {
namespace {

std::vector<double> drops_of(size_t count) {
  std::vector<double> drops;
  for (size_t i = 0; i < count; ++i) drops.push_back(static_cast<double>(i));
  return drops;
}

TEST(PackedLevels, AreTheLevels) {
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  for (const char* method : {"floyd-steinberg", "bayer"}) {
    for (const size_t count : {size_t{3}, size_t{4}, size_t{5}, size_t{16}}) {
      for (uint32_t width = 1; width < 20; ++width) {
        SamplePlane in(width, 9, 1);
        fill(in, Fill::kNoise, 255, width);
        const HalftoneSettings settings{.method = method,
                                        .levels = LevelSettings{.drops = drops_of(count)}};
        const uint32_t bits = bits_per_pixel(settings);
        BitPlane memory(width * bits, 9);
        const BitBand out{memory.band.data, width, 9, memory.stride, 0, bits};
        SoloTeam solo;
        run_in_bands(
            *make_halftoner(complete(settings)).halftoner, in.band, curve, out, {2, 4}, solo);
        EXPECT_TRUE(memory.guards_intact());
        const auto levels = levels_by_bit(settings, in.band, curve);
        for (uint32_t y = 0; y < 9; ++y) {
          for (uint32_t x = 0; x < width; ++x) ASSERT_EQ(out.level(x, y), levels[y][x]);
          const uint32_t used = width * bits % 8;
          const uint32_t padding = used == 0 ? 0 : 0xFFU >> used;
          ASSERT_EQ(out.row(y)[bit_row_bytes(width, bits) - 1] & padding, 0U);
        }
      }
    }
  }
}

TEST(PackedLevels, PutTheLeftPixelIntoTheHighestBits) {
  // Tones 0, 1/3, 2/3 and 1 of four equal levels; order 1 of Bayer is exact there.
  SamplePlane in(4, 1, 1);
  for (uint32_t x = 0; x < 4; ++x) in.set(x, 0, 85 * x);
  uint8_t byte = 0xFF;
  const auto halftoner = make_halftoner(
      complete({.method = "bayer", .levels = LevelSettings{.drops = {0, 85, 170, 255}}}));
  run_whole(*halftoner.halftoner,
            in.band,
            ToneCurve(255, Polarity::kMaxIsInk),
            BitBand{&byte, 4, 1, 1, 0, 2});
  EXPECT_EQ(byte, 0b00'01'10'11);
}

TEST(PackedLevels, OfTheCpuStayOnNoGpu) {
  const auto halftoner =
      make_halftoner(complete({.method = "bayer", .levels = LevelSettings{.drops = drops_of(8)}}))
          .halftoner;
  EXPECT_EQ(halftoner->on_gpu(), nullptr);
}

std::string refusal_of(const HalftoneSettings& settings) {
  try {
    make_halftoner(complete(settings));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(PackedLevels, AreRefusedByName) {
  const LevelSettings levels{.drops = {0, 1, 2}};
  EXPECT_EQ(refusal_of({.method = "dbs", .levels = levels}).substr(0, 44),
            "method 'dbs' has no levels; these have: floy");
  EXPECT_EQ(
      refusal_of({.schedule = "wavefront", .levels = levels}),
      "schedule 'wavefront' of method 'floyd-steinberg' has no levels; leave the schedule out");
  EXPECT_EQ(refusal_of({.levels = LevelSettings{.drops = {0, 2, 1}}}),
            "the volumes of levels must rise from one to the next");
}

}  // namespace
}  // namespace mezzo::test::packed_levels_test
