// Pictures for people, as plain values. Rows without gaps; both sides at least 1 where a picture is
// encoded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mezzo::report {

/// 8-bit grey; 0 is black.
struct GreyImage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  std::vector<uint8_t> pixels;
};

using Rgb = std::array<uint8_t, 3>;

struct ColourImage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  std::vector<Rgb> pixels;
};

/// Few colours: a pixel is an index of `palette`, which has 1 to 256.
struct IndexedImage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  std::vector<uint8_t> pixels;
  std::vector<Rgb> palette;
};

}  // namespace mezzo::report
