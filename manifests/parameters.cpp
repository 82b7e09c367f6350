#include "manifests/parameters.h"

#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo {

std::string expected(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return alternatives(parameter.choices);
  const std::string unit = parameter.percent ? "%" : "";
  return std::string(parameter.integer   ? "a whole number"
                     : parameter.percent ? "a percentage"
                                         : "a number") +
         " from " + plain_number(parameter.minimum) + unit + " to " +
         plain_number(parameter.maximum) + unit;
}

Parsed<double> parse_parameter(const ParameterInfo& parameter, std::string_view text) {
  if (!parameter.choices.empty()) {
    const auto parsed = parse_choice(parameter.choices, text);
    if (!parsed.value) return Parsed<double>::bad(parsed.problem, parsed.hint);
    return Parsed<double>::good(static_cast<double>(*parsed.value));
  }
  return parameter.percent ? parse_percent(text)
                           : parse_number_from(parameter.minimum, parameter.integer, text);
}

}  // namespace mezzo
