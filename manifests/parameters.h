// The value of a method's parameter, as a manifest and the command line write it: a number, with or
// without its unit, a percentage, or the name of a choice. The registry has the list of parameters.
#pragma once

#include <string>
#include <string_view>

#include "kernels/method_info.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {

/// The values that are allowed: "a whole number from 1 to 6", "a number from 0 s to 60 s", "spiral
/// or serpentine".
std::string expected(const ParameterInfo& parameter);

/// The value, read as the parameter's kind. The caller checks its range.
Parsed<double> parse_parameter(const ParameterInfo& parameter, std::string_view text);

}  // namespace mezzo::manifests
