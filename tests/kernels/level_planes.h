// Planes of several levels for the kernel tests.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "tests/kernels/planes.h"

namespace mezzo::test {

inline const std::vector<std::vector<double>> kDrops = {{0, 1},
                                                        {0, 7, 14, 21},
                                                        {0, 40, 70, 100},
                                                        {0, 1, 21},
                                                        {0, 1, 2, 3, 9},
                                                        {0, 1, 2, 4, 7, 8, 9, 10}};

/// The level of each pixel, from the bits that the halftoner of each bit gives.
inline std::vector<std::vector<uint32_t>> levels_by_bit(HalftoneSettings settings,
                                                        const SampleBand& in,
                                                        const ToneCurve& curve) {
  std::vector<std::vector<uint32_t>> levels(in.rows, std::vector<uint32_t>(in.width_px));
  settings.levels->format = LevelFormat::kPlanes;
  for (uint32_t bit = 0; bit < drop_bits(settings.levels->drops.size()); ++bit) {
    settings.levels->bit = bit;
    BitPlane out(in.width_px, in.rows);
    run_whole(*make_halftoner(complete(settings, kPlate)).halftoner, in, curve, out.band);
    EXPECT_TRUE(out.guards_intact());
    for (uint32_t y = 0; y < in.rows; ++y) {
      for (uint32_t x = 0; x < in.width_px; ++x) {
        levels[y][x] |= uint32_t{out.band.ink(x, y)} << bit;
      }
    }
  }
  return levels;
}

/// The tones of drops in doubles, as drop_levels.h defines them.
inline std::vector<int> tones_of(const std::vector<double>& drops) {
  std::vector<int> tones;
  for (const double drop : drops) {
    tones.push_back(static_cast<int>(std::lround(4096 * drop / drops.back())));
  }
  return tones;
}

}  // namespace mezzo::test
