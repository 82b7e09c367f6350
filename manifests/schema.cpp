#include <nlohmann/json.hpp>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/job.h"
#include "manifests/press_file.h"
#include "manifests/scalars.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWholePattern = "(0|[1-9][0-9]*)";
constexpr const char* kNumberPattern = "(0|[1-9][0-9]*)(\\.[0-9]+)?";
constexpr const char* kUpTo100Pattern = "(100(\\.0+)?|[1-9]?[0-9](\\.[0-9]+)?)";

constexpr const char* kLengthPattern = "^(0|[1-9][0-9]*)(\\.[0-9]{1,3})? ?mm$";

constexpr const char* kSizePattern = "^(0|[1-9][0-9]*)( ?(KiB|MiB|GiB|TiB|KB|MB|GB|TB))?$";

// Not absolute, no `..`, no backslash, braces only around the names, a name before .tif.
constexpr const char* kTemplatePattern =
    "^(?!/)(?!(.*/)?\\.\\.(/|$))(?!(.*/)?\\.[tT][iI][fF]{1,2}$)"
    "([^{}\\\\]|\\{(stem|page|ink|label|n|job|date|time|id)\\})+\\.[tT][iI][fF]{1,2}$";

// A letter or digit first, no space last; everything from U+00C0 on counts as a letter.
constexpr const char* kJobNamePattern =
    "^[^\\u0000-/:-@\\[-`{-\\u00bf]([^\\u0000-\\u001f!-,/:-@\\[-^`{-\\u00bf]*"
    "[^\\u0000-,/:-@\\[-^`{-\\u00bf])?$";

constexpr const char* kPageRangesPattern =
    "^ *[1-9][0-9]*( *- *[1-9][0-9]*)? *(, *[1-9][0-9]*( *- *[1-9][0-9]*)? *)*$";

constexpr const char* kDurationPattern = "^(0|[1-9][0-9]*) ?(ms|s|min|h|days?)$";

constexpr const char* kTimeWindowPattern =
    "^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?"
    "( *, *(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?)* +)?"
    "([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";

// {page} and {ink} once each, something between them, no folder, a name before .tif.
constexpr const char* kInkPatternPattern =
    "^(?!\\.)[^{}/\\\\]*(\\{page\\}[^{}/\\\\]+\\{ink\\}|\\{ink\\}[^{}/\\\\]+\\{page\\})"
    "[^{}/\\\\]*\\.[tT][iI][fF]{1,2}$";

/// A bound without a fraction where it has none, as people write it.
Json number(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) return static_cast<int64_t>(value);
  return value;
}

Json range(const char* type, double minimum, double maximum) {
  return {{"type", type}, {"minimum", number(minimum)}, {"maximum", number(maximum)}};
}

Json pattern(const std::string& text) {
  return {{"type", "string"}, {"maxLength", kMaxYamlTextBytes}, {"pattern", text}};
}

Json any_of(std::initializer_list<Json> schemas) {
  return {{"anyOf", Json(std::vector<Json>(schemas))}};
}

Json percent(double minimum, double maximum) {
  const std::string digits = maximum == 100 ? kUpTo100Pattern : kNumberPattern;
  const Json with_sign = pattern("^" + digits + "( ?%)?$");
  // A number up to 1 needs its sign.
  const Json without_sign = {
      {"type", "number"}, {"exclusiveMinimum", 1}, {"maximum", number(maximum)}};
  const Json zero = {{"const", 0}};
  return minimum > 0 ? any_of({without_sign, with_sign}) : any_of({zero, without_sign, with_sign});
}

/// A number with its unit behind it, or without: digits alone, a text cannot be held against a
/// range.
Json with_unit(const ParameterInfo& parameter) {
  const std::string sign = parameter.minimum < 0 ? "-?" : "";
  const std::string digits = parameter.integer ? kWholePattern : kNumberPattern;
  return any_of(
      {range(parameter.integer ? "integer" : "number", parameter.minimum, parameter.maximum),
       pattern("^" + sign + digits + "( ?" + std::string(parameter.unit) + ")?$")});
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

Json page_selection() {
  const Json one = any_of({range("integer", 1, kMaxPageNumber), pattern(kPageRangesPattern)});
  return any_of({range("integer", 1, kMaxPageNumber),
                 pattern(kPageRangesPattern),
                 Json{{"type", "array"}, {"minItems", 1}, {"items", one}}});
}

Json curve() {
  const Json point = {
      {"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", percent(0, 100)}};
  return {{"type", "array"}, {"minItems", 2}, {"maxItems", kMaxCurvePoints}, {"items", point}};
}

Json job_name() {
  return {{"type", {"string", "number"}},
          {"minLength", 1},
          {"maxLength", kMaxJobNameCharacters},
          {"pattern", kJobNamePattern}};
}

Json text() {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", kMaxYamlTextBytes}};
}

Json page_list() {
  return {{"type", "array"},
          {"minItems", 1},
          {"maxItems", kMaxPageEntries},
          {"items", any_of({text(), definition(kInPage)})}};
}

Json time_windows() {
  const Json one = pattern(kTimeWindowPattern);
  return any_of(
      {one,
       Json{{"type", "array"}, {"minItems", 1}, {"maxItems", kMaxTimeWindows}, {"items", one}}});
}

Json inks() {
  return {{"type", "array"},
          {"minItems", 1},
          {"maxItems", kMaxInksOfASet},
          {"uniqueItems", true},
          {"items", pattern("^[^/\\\\{}]+$")}};
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json ink_map(const Json& settings) {
  return {{"type", "object"},
          {"additionalProperties", any_of({Json{{"enum", {"drop", "keep"}}}, settings})}};
}

Json type_of(const Field& field) {
  switch (field.type) {
    case FieldType::kDuration:
      return pattern(kDurationPattern);
    case FieldType::kTimeWindows:
      return time_windows();
    case FieldType::kInks:
      return inks();
    case FieldType::kInkPattern:
      return pattern(kInkPatternPattern);
    case FieldType::kFolder:
      return text();
    case FieldType::kVersion:
      return {{"const", kManifestVersion}};
    case FieldType::kJobName:
      return job_name();
    case FieldType::kTitle:
      return {{"type", {"string", "number"}}, {"minLength", 1}, {"maxLength", kMaxTitleBytes}};
    case FieldType::kInteger:
      return range("integer", field.minimum, field.maximum);
    case FieldType::kNumber:
      return range("number", field.minimum, field.maximum);
    case FieldType::kPercent:
      return percent(field.minimum, field.maximum);
    case FieldType::kNumbers:
      return list_of(range("number", field.minimum, field.maximum));
    case FieldType::kPercents:
      return list_of(percent(field.minimum, field.maximum));
    case FieldType::kByteSize:
      return any_of({range("integer", field.minimum, field.maximum), pattern(kSizePattern)});
    case FieldType::kLength:
      return pattern(kLengthPattern);
    case FieldType::kLengthOrMap:
      return any_of({pattern(kLengthPattern), definition(field.inside)});
    case FieldType::kRotation:
      return {{"enum", {0, 90, 180, 270}}};
    case FieldType::kBoolean:
      return {{"type", "boolean"}};
    case FieldType::kEnd:
      return {{"const", true}};
    case FieldType::kChoice:
      return {{"enum", field.choices()}};
    case FieldType::kSchedule:
      return {{"enum", all_schedules()}};
    case FieldType::kInk:
    case FieldType::kFile:
    case FieldType::kText:
      return text();
    case FieldType::kTemplate:
      return pattern(kTemplatePattern);
    case FieldType::kSha256:
      return pattern("^[0-9a-fA-F]{64}$");
    case FieldType::kPageSelection:
      return page_selection();
    case FieldType::kCurve:
      return curve();
    case FieldType::kMap:
      return field.or_file ? any_of({text(), definition(field.inside)}) : definition(field.inside);
    case FieldType::kInkMap:
      return ink_map(definition(field.inside));
    case FieldType::kInkShares:
      return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", percent(0, 100)}};
    case FieldType::kPageList:
      return page_list();
  }
  return {};
}

Json described(Json schema, std::string_view summary) {
  // Draft 7 ignores all keys beside a $ref.
  if (schema.contains("$ref")) schema = {{"allOf", Json::array({schema})}};
  Json result = {{"description", summary}};
  result.update(schema);
  return result;
}

Json parameter_schema(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) {
    const Json choices = {{"enum", parameter.choices},
                          {"default", choice_name(parameter, parameter.default_value)}};
    return described(choices, parameter.summary);
  }
  Json schema =
      parameter.percent ? percent(parameter.minimum, parameter.maximum)
      : !parameter.unit.empty()
          ? with_unit(parameter)
          : range(parameter.integer ? "integer" : "number", parameter.minimum, parameter.maximum);
  schema["default"] = number(parameter.default_value);
  return described(std::move(schema), parameter.summary);
}

/// A map with the fields of the scope and nothing else.
Json map_schema(Scope scope) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}};
  Json required = Json::array();
  for (const Field* field : fields_of(scope)) {
    Json property = described(type_of(*field), field->summary);
    if (!field->default_json.empty()) property["default"] = Json::parse(field->default_json);
    if (field->is_required) required.push_back(field->name);
    schema["properties"][std::string(field->name)] = std::move(property);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

/// The keys allowed beside `method: <name>`.
Json method_rule(const MethodInfo& method) {
  std::vector<std::string_view> keys;
  for (const Field* field : fields_of(kInHalftone)) {
    if (field->name != kTileKey || method.takes_tile) keys.push_back(field->name);
  }
  Json properties = {{"schedule", {{"enum", schedules_of(method)}}}};
  for (const ParameterInfo& parameter : method.parameters) {
    keys.push_back(parameter.name);
    properties[std::string(parameter.name)] = parameter_schema(parameter);
  }
  return {
      {"if", {{"required", {"method"}}, {"properties", {{"method", {{"const", method.name}}}}}}},
      {"then", {{"propertyNames", {{"enum", keys}}}, {"properties", properties}}}};
}

/// Without `method` a page may set parameters of the method of its defaults, so all are known.
Json halftone_schema() {
  Json schema = map_schema(kInHalftone);
  Json rules = Json::array();
  std::string list;
  for (const MethodInfo& method : methods()) {
    list += "\n- " + std::string(method.name) + ": " + std::string(method.summary);
    rules.push_back(method_rule(method));
  }
  Json& properties = schema["properties"];
  properties["method"]["description"] =
      properties["method"]["description"].get<std::string>() + list;
  for (const std::string_view name : all_parameters()) {
    std::vector<Json> readings;
    for (const MethodInfo& method : methods()) {
      const ParameterInfo* parameter = find_parameter(method, name);
      if (parameter == nullptr) continue;
      Json reading = parameter_schema(*parameter);
      reading["description"] =
          std::string(parameter->summary) + " (method " + std::string(method.name) + ")";
      readings.push_back(std::move(reading));
    }
    properties[std::string(name)] =
        readings.size() == 1 ? readings.front() : Json{{"anyOf", readings}};
  }
  schema["allOf"] = std::move(rules);
  return schema;
}

Json document_schema(Scope top, const char* title, const char* description) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", title},
                 {"description", description}};
  schema.update(map_schema(top));
  if (top == kInManifest) schema["dependencies"] = {{"pages_total", {"end"}}};
  const unsigned scopes = scopes_below(top);
  Json& definitions = schema["definitions"];
  for (const Field& field : fields()) {
    if (!has_fields(field) || (field.scopes & scopes) == 0) continue;
    definitions[definition_name(field)] =
        field.inside == kInHalftone ? halftone_schema() : map_schema(field.inside);
  }
  if ((scopes & kInPage) != 0) definitions["page"] = map_schema(kInPage);
  return schema;
}

}  // namespace

std::string manifest_schema() {
  const Json schema = document_schema(kInManifest,
                                      "mezzotint job manifest",
                                      "A print job: which TIFF files become plates, and how.");
  return schema.dump(2) + "\n";
}

std::string folder_schema() {
  const Json schema = document_schema(
      kInFolder, "mezzotint hot folder", "folder.yaml: the settings of a hot folder.");
  return schema.dump(2) + "\n";
}

std::string press_schema() {
  const Json schema = document_schema(kInPress,
                                      "mezzotint press file",
                                      "A press: the settings of jobs that belong to the machine.");
  return schema.dump(2) + "\n";
}

}  // namespace mezzo::manifests
