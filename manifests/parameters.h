// The value of a method's parameter, as a manifest and the command line write it: a number, with or
// without its unit, a percentage, or the name of a choice. What parameters there are, the registry
// says.
#pragma once

#include <string>
#include <string_view>

#include "kernels/method_info.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {

/// What a value must be: "a whole number from 1 to 6", "a number from 0 s to 60 s", "spiral or
/// serpentine".
std::string expected(const ParameterInfo& parameter);

/// The value, read as the parameter's kind. Whether it lies in the parameter's range is the
/// caller's matter.
Parsed<double> parse_parameter(const ParameterInfo& parameter, std::string_view text);

}  // namespace mezzo::manifests
