// The value of a method's parameter, as a manifest and the command line write it: a number, with or
// without its unit, a percentage, or the name of a choice. The registry has the list of parameters.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/method_info.h"
#include "manifests/fields.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {

/// The values that are allowed: "a whole number from 1 to 6", "a number from 0 s to 60 s", "spiral
/// or serpentine".
std::string expected(const ParameterInfo& parameter);

/// A way to write a unit: a value with this text behind it is `factor` of the unit.
struct UnitSpelling {
  std::string_view text;
  double factor = 1;
};

/// The ways to write a unit such as "lpi", its own name first. Longer ones come before their ends.
std::vector<UnitSpelling> spellings_of(std::string_view unit);

/// "( ?(lpi|l/cm))?", for a pattern of the schema: the unit behind a number, which may be left out.
std::string unit_pattern(std::string_view unit);

/// The unit that a key's number may be written with, or empty.
std::string_view unit_of(const Field& field);

/// The text without the unit behind it, and what the number before it is to be multiplied by.
std::pair<std::string_view, double> without_unit(std::string_view text, std::string_view unit);

/// The value, read as the parameter's kind. The caller checks its range.
Parsed<double> parse_parameter(const ParameterInfo& parameter, std::string_view text);

}  // namespace mezzo::manifests
