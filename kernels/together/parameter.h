// The parameter by which users ask for inks that are halftoned together.
#pragma once

#include <string_view>

#include "kernels/method_info.h"

namespace mezzo::together {

inline constexpr std::string_view kInksChoices[] = {"apart", "together"};

/// Of methods with MethodInfo::make_together.
inline constexpr ParameterInfo kInksParameter = [] {
  ParameterInfo inks = choice_parameter(
      "inks",
      "together: the dots of each ink are placed in the sight of the darker inks of the sheet that "
      "have the same settings, for smoother colour; apart: each ink by itself",
      kInksChoices);
  inks.unnamed_default = true;
  inks.source = ParameterInfo::Source::kSheet;
  return inks;
}();

/// Whether the settings ask for it.
inline bool are_together(const HalftoneSettings& settings) {
  const auto inks = settings.parameters.find(kInksParameter.name);
  return inks != settings.parameters.end() && inks->second == 1;
}

}  // namespace mezzo::together
