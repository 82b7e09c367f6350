#include "manifests/kinds/schema_parts.h"

#include "manifests/yaml_tree.h"

namespace mezzo::manifests::schema {
namespace {

constexpr const char* kUpTo100Pattern = "(100(\\.0+)?|[1-9]?[0-9](\\.[0-9]+)?)";

}  // namespace

Json number(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) return static_cast<int64_t>(value);
  return value;
}

Json range(const char* type, double minimum, double maximum) {
  return {{"type", type}, {"minimum", number(minimum)}, {"maximum", number(maximum)}};
}

Json pattern(const std::string& text, const std::string& rule) {
  return {{"type", "string"},
          {"maxLength", kMaxYamlTextBytes},
          {"pattern", text},
          {"patternErrorMessage", "must be " + rule}};
}

Json text() {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", kMaxYamlTextBytes}};
}

Json either(Json one, const Json& other) {
  const Json types = {one["type"], other["type"]};
  one.update(other);
  one["type"] = types;
  return one;
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json percent(double minimum, double maximum, const std::string& rule) {
  const std::string digits = maximum == 100 ? kUpTo100Pattern : kNumberPattern;
  const Json number_from = {{"type", "number"},
                            {minimum > 0 ? "exclusiveMinimum" : "minimum", 0},
                            {"maximum", number(maximum)}};
  Json schema = either(pattern("^" + digits + "( ?%)?$", rule), number_from);
  // Such a number might mean a fraction.
  schema["if"] = {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
  schema["then"] = {{"type", "string"},
                    {"errorMessage", "needs its sign: 0.5 could be 0.5 % or 50 %"}};
  return schema;
}

Json any_of(const Json& one, const Json& other) {
  return {{"anyOf", Json::array({one, other})}};
}

std::string definition_name(const Field& field) {
  if (field.inside == kInInk || field.inside == kInPressInk) return "ink";
  return (field.inside == kInInkOutput ? "ink_" : "") + std::string(field.name);
}

Json definition(Scope scope) {
  for (const Field& field : fields()) {
    if (has_fields(field) && field.inside == scope) {
      return {{"$ref", "#/definitions/" + definition_name(field)}};
    }
  }
  return {{"$ref", "#/definitions/page"}};
}

}  // namespace mezzo::manifests::schema
