#include "manifests/schema_values.h"

#include "kernels/registry.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/parameters.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

/// A number with its unit behind it, or without: digits alone, a text cannot be held against a
/// range.
Json with_unit(const ParameterInfo& parameter) {
  const std::string sign = parameter.minimum < 0 ? "-?" : "";
  const std::string digits = parameter.integer ? schema::kWholePattern : schema::kNumberPattern;
  return schema::either(
      schema::range(parameter.integer ? "integer" : "number", parameter.minimum, parameter.maximum),
      schema::pattern("^" + sign + digits + unit_pattern(parameter.unit) + "$",
                      expected(parameter)));
}

/// What an editor shows of a value: the title in bold, and the rest below it.
Json described(std::string_view title,
               std::string_view meaning,
               const std::string& rule,
               const std::string& default_text,
               const Json& value) {
  std::string below = rule;
  if (!default_text.empty()) below += (rule.empty() ? "" : "; ") + ("default: " + default_text);
  Json result = {{"title", title},
                 {"description", std::string(meaning) + (below.empty() ? "" : "\n\n") + below}};
  result.update(value);
  return result;
}

/// The rule of a field, where an editor does not show it by itself.
std::string shown_rule(const Field& field) {
  return kind_of(field).is_rule_shown ? "" : expected(field);
}

/// The default as a manifest has it: with its unit where it might be read in another.
Json default_of(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return choice_name(parameter, parameter.default_value);
  if (!parameter.percent) return schema::number(parameter.default_value);
  return plain_number(parameter.default_value) + "%";
}

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Json field_schema(const Field& field) {
  Json value = kind_of(field).schema(field, expected(field));
  std::string default_text;
  if (!field.default_json.empty()) {
    value["default"] = Json::parse(field.default_json);
    default_text = as_text(value["default"]);
  }
  return described(field.name, field.summary, shown_rule(field), default_text, value);
}

Json parameter_schema(const ParameterInfo& parameter, std::string_view meaning) {
  Json value = !parameter.choices.empty() ? Json{{"enum", parameter.choices}}
               : parameter.percent
                   ? schema::percent(parameter.minimum, parameter.maximum, expected(parameter))
               : !parameter.unit.empty() ? with_unit(parameter)
                                         : schema::range(parameter.integer ? "integer" : "number",
                                                         parameter.minimum,
                                                         parameter.maximum);
  value["default"] = default_of(parameter);
  return described(parameter.name,
                   meaning,
                   parameter.choices.empty() ? expected(parameter) : "",
                   as_text(value["default"]),
                   value);
}

}  // namespace mezzo::manifests
