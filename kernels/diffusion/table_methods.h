// Error diffusions with weights by tone (table_rule.h, tone_rule.h).
#pragma once

#include <array>

#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tables/tables.h"
#include "kernels/diffusion/rules/tables/tone_table.h"
#include "kernels/diffusion/rules/tone_rule.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

struct Ostromoukhov {
  static constexpr std::string_view kName = "ostromoukhov";
  static constexpr std::string_view kSummary =
      "error diffusion, weights by tone: even grain where Floyd-Steinberg makes patterns; rows run "
      "from left to right, where the paper turns every other one";
  static constexpr std::array<ParameterInfo, 0> kParameters = {};

  static TableRule rule(const HalftoneSettings&) {
    return {.entries = ostromoukhov_entries(), .has_noise = false};
  }
};

struct ZhouFang {
  static constexpr std::string_view kName = "zhou-fang";
  static constexpr std::string_view kSummary =
      "error diffusion, weights and noise by tone: smooth midtones without patterns; rows run from "
      "left to right, where the paper turns every other one";
  static constexpr std::array<ParameterInfo, 1> kParameters = {{
      {.name = "seed",
       .summary = "seed of the noise",
       .minimum = 0,
       .maximum = UINT32_MAX,
       .default_value = 0,
       .integer = true},
  }};

  static TableRule rule(const HalftoneSettings& settings) {
    const double seed = settings.parameters.find("seed")->second;
    return {zhou_fang_entries(), static_cast<uint32_t>(seed)};
  }
};

struct ToneDependent {
  static constexpr std::string_view kName = "tone-dependent";
  static constexpr std::string_view kSummary =
      "error diffusion, weights and thresholds trained by tone: the neighbours of Floyd-Steinberg "
      "with fewer worms and an even start";
  static constexpr std::array<ParameterInfo, 1> kParameters = ZhouFang::kParameters;

  static ToneRule rule(const HalftoneSettings& settings) {
    const double seed = settings.parameters.find("seed")->second;
    return {tone_dependent_entries(), static_cast<uint32_t>(seed)};
  }
};

}  // namespace mezzo::diffusion
