// Fixed threshold: ink where the tone reaches a level. For line art and type, where halftone dots
// are not wanted, and as the smallest complete method.
#pragma once

#include <array>
#include <cmath>

#include "kernels/screen/point_method.h"

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

  explicit Threshold(const HalftoneSettings& settings)
      : level_(static_cast<uint32_t>(
            std::lround(settings.parameters.find("level")->second / 100 * kSolid))) {}

  bool ink(uint32_t tone, PixelPlace) const { return tone >= level_; }

 private:
  uint32_t level_;  // 4 .. 4096: paper (0) stays paper, solid stays solid
};

}  // namespace mezzo::screen
