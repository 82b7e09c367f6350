#include "manifests/parameters.h"

#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {

namespace {

/// The text without the unit at its end, and without a space before that.
std::string_view without_unit(std::string_view text, std::string_view unit) {
  if (unit.empty() || !text.ends_with(unit)) return text;
  text.remove_suffix(unit.size());
  if (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string expected(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return alternatives(parameter.choices);
  const std::string unit = parameter.percent         ? "%"
                           : !parameter.unit.empty() ? " " + std::string(parameter.unit)
                                                     : "";
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
  if (parameter.percent) return parse_percent(text);
  const std::string_view number = without_unit(text, parameter.unit);
  Parsed<double> parsed = parse_number_from(parameter.minimum, parameter.integer, number);
  if (parsed.value || parameter.unit.empty()) return parsed;
  return Parsed<double>::bad(
      "must be " + expected(parameter) + ", found " + in_quotes(text),
      parsed.hint.empty() ? "its unit is " + std::string(parameter.unit) : parsed.hint);
}

}  // namespace mezzo::manifests
