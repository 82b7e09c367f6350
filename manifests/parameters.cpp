#include "manifests/parameters.h"

#include <cmath>

#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {

namespace {

struct Spelling {
  std::string_view unit;
  UnitSpelling spelling;
};
/// Rulings are given in lines per centimetre where inches are not used.
constexpr double kCmPerInch = 2.54;
constexpr Spelling kSpellings[] = {
    {"lpi", {"l/cm", kCmPerInch}},
    {"lpi", {"L/cm", kCmPerInch}},
    {"lpi", {"lpcm", kCmPerInch}},
    {"degrees", {"degree"}},
    {"degrees", {"deg"}},
    {"degrees", {"\u00B0"}},
    {"dpi", {"ppi"}},
};

/// Without the rounding of a factor: 70 l/cm is 177.8 lpi.
double product(double value, double factor) {
  constexpr double kSteps = 1e6;
  return factor == 1 ? value : std::round(value * factor * kSteps) / kSteps;
}

}  // namespace

std::vector<UnitSpelling> spellings_of(std::string_view unit) {
  std::vector<UnitSpelling> spellings = {{unit}};
  for (const Spelling& one : kSpellings) {
    if (one.unit == unit) spellings.push_back(one.spelling);
  }
  return spellings;
}

std::string unit_pattern(std::string_view unit) {
  std::string texts;
  for (const UnitSpelling& spelling : spellings_of(unit)) {
    texts += (texts.empty() ? "" : "|") + std::string(spelling.text);
  }
  return "( ?" + (texts == unit ? texts : "(" + texts + ")") + ")?";
}

std::string_view unit_of(const Field& field) {
  return field.name == "dpi" || field.name.ends_with("resolution") ? "dpi" : "";
}

std::pair<std::string_view, double> without_unit(std::string_view text, std::string_view unit) {
  if (unit.empty()) return {text, 1};
  for (const UnitSpelling& spelling : spellings_of(unit)) {
    if (!text.ends_with(spelling.text)) continue;
    text.remove_suffix(spelling.text.size());
    if (text.ends_with(' ')) text.remove_suffix(1);
    return {text, spelling.factor};
  }
  return {text, 1};
}

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
  const auto [number, factor] = without_unit(text, parameter.unit);
  Parsed<double> parsed = parse_number_from(parameter.minimum, parameter.integer, number);
  if (parsed.value) parsed.value = product(*parsed.value, factor);
  if (parsed.value || parameter.unit.empty()) return parsed;
  return Parsed<double>::bad(
      "must be " + expected(parameter) + ", found " + in_quotes(text),
      parsed.hint.empty() ? "its unit is " + std::string(parameter.unit) : parsed.hint);
}

}  // namespace mezzo::manifests
