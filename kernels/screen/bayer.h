// Ordered dither with Bayer's matrix (Bayer 1973): a regular dispersed-dot screen.
//
// The matrix of side 2n is [4M, 4M + 2; 4M + 3, 4M + 1] from M of side n. A cell of rank m among
// side^2 takes ink when the tone exceeds (m + 1/2) / side^2 of solid, so paper stays paper, solid
// stays solid, and there are side^2 + 1 levels. Inks with a texture (ink_texture.h) have the matrix at
// an offset of their own. At exactly one half there are only two patterns, so of three inks two have
// the same.
#pragma once

#include <array>

#include "kernels/base/noise.h"
#include "kernels/screen/tile_halftoner.h"

namespace mezzo::screen {

struct Bayer {
  static constexpr std::string_view kName = "bayer";
  static constexpr std::string_view kSummary = "ordered dither, dispersed dots in a regular matrix";
  static constexpr std::array<ParameterInfo, 1> kParameters = {{
      {.name = "order",
       .summary = "the matrix has 2^order cells a side",
       .minimum = 1,
       .maximum = 6,
       .default_value = 3,
       .integer = true},
  }};

  static InkScreens screens(const HalftoneSettings& settings) {
    const auto order = static_cast<uint32_t>(settings.parameters.find("order")->second);
    const uint32_t side = 1U << order;
    ThresholdTile tile{side, side, 0, {}};
    for (uint32_t y = 0; y < side; ++y) {
      for (uint32_t x = 0; x < side; ++x) {
        tile.thresholds.push_back(threshold_of_rank(rank(x, y, order), side * side));
      }
    }
    const auto shared = std::make_shared<const ThresholdTile>(std::move(tile));
    const auto of_ink = [shared](uint32_t texture) {
      const uint32_t offset = texture == 0 ? 0 : mix_bits(texture + kSalt);
      return PlacedTile{shared, offset % kMostSide, offset / kMostSide % kMostSide};
    };
    return {of_ink, side, side};
  }

 private:
  static constexpr uint32_t kMostSide = 64;  // of the matrix
  // With it cyan and magenta, and yellow and black, have opposite patterns at one half.
  static constexpr uint32_t kSalt = 158;

  /// The recursion, unrolled over bits: the lowest bits of x and y choose the quadrant that weighs
  /// most.
  static uint32_t rank(uint32_t x, uint32_t y, uint32_t order) {
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < order; ++bit) {
      const uint32_t right = x >> bit & 1, low = y >> bit & 1;
      const uint32_t quadrant = (right ^ low) << 1 | low;  // 0 2 / 3 1
      result = result << 2 | quadrant;
    }
    return result;
  }
};

}  // namespace mezzo::screen
