// Fixed threshold: ink where the tone reaches a level. For line art and type, where halftone dots
// are not wanted, and as the smallest complete method.
#pragma once

#include <array>
#include <cmath>

#include "kernels/screen/tile_halftoner.h"

namespace mezzo::screen {

struct Threshold {
  static constexpr std::string_view kName = "threshold";
  static constexpr std::string_view kSummary = "ink where coverage reaches a fixed level";
  static constexpr std::array<ParameterInfo, 1> kParameters = {{
      {.name = "level",
       .summary = "lowest coverage that becomes ink",
       .minimum = 0.1,
       .maximum = 100,
       .default_value = 50,
       .percent = true},
  }};

  static InkScreens screens(const HalftoneSettings& settings) {
    const double level = settings.parameters.find("level")->second;
    // 4 .. 4096: paper (0) stays paper, solid stays solid.
    const auto least = static_cast<uint16_t>(std::lround(level / 100 * kSolid));
    return same_for_all({.thresholds = {static_cast<uint16_t>(least - 1)}});
  }
};

}  // namespace mezzo::screen
