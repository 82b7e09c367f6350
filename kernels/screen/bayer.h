// Ordered dither with Bayer's matrix (Bayer 1973): a regular dispersed-dot screen.
//
// The matrix of side 2n is [4M, 4M + 2; 4M + 3, 4M + 1] from M of side n. A cell of rank m among
// side^2 takes ink when the tone exceeds (m + 1/2) / side^2 of solid, so paper stays paper, solid
// stays solid, and there are side^2 + 1 levels.
#pragma once

#include <array>

#include "kernels/screen/point_method.h"

namespace mezzo {

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

  explicit Bayer(const HalftoneSettings& settings)
      : order_(static_cast<uint32_t>(settings.parameters.find("order")->second)) {}

  bool ink(uint32_t tone, uint32_t x, uint32_t y) const {
    // tone / solid > (2 rank + 1) / (2 * 4^order), in integers
    return (tone << (2 * order_ + 1)) > (2 * rank(x, y) + 1) * kSolid;
  }

 private:
  /// The recursion, unrolled over bits: the lowest bits of x and y choose the quadrant that weighs
  /// most.
  uint32_t rank(uint32_t x, uint32_t y) const {
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < order_; ++bit) {
      const uint32_t right = x >> bit & 1, low = y >> bit & 1;
      const uint32_t quadrant = (right ^ low) << 1 | low;  // 0 2 / 3 1
      result = result << 2 | quadrant;
    }
    return result;
  }

  uint32_t order_;
};

}  // namespace mezzo
