// Green noise: error diffusion whose dots gather into clusters (rules/feedback_rule.h), for presses
// that do not hold single pixels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/diffusion/rules/feedback_rule.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

struct GreenNoise {
  static constexpr std::string_view kName = "green-noise";
  static constexpr std::string_view kSummary =
      "error diffusion with feedback: dots in clusters, for presses that lose single pixels";
  static constexpr std::array<ParameterInfo, 2> kParameters = {{
      {.name = "dot_size",
       .summary = "mean size of the clusters in highlights, in pixels",
       .minimum = 1,
       .maximum = 5,
       .default_value = 3,
       .integer = true,
       .unit = "px"},
      {.name = "seed",
       .summary = "seed of the noise",
       .minimum = 0,
       .maximum = UINT32_MAX,
       .default_value = 0,
       .integer = true},
  }};

  static FeedbackRule rule(const HalftoneSettings& settings) {
    // Measured: so much feedback, in Q12, gives clusters of that mean size in a tint of 5 %, pixels
    // joined by their sides.
    constexpr int kFeedback[] = {640, 1376, 2240, 2976, 3840};
    const auto value = [&](const char* name) { return settings.parameters.at(name); };
    return {kFeedback[static_cast<size_t>(value("dot_size")) - 1],
            static_cast<uint32_t>(value("seed"))};
  }
};

}  // namespace mezzo::diffusion
