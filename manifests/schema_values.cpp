#include "manifests/schema_values.h"

#include "kernels/registry.h"
#include "manifests/job.h"
#include "manifests/parameters.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

using Json = SchemaJson;

constexpr const char* kWholePattern = "(0|[1-9][0-9]*)";
constexpr const char* kNumberPattern = "(0|[1-9][0-9]*)(\\.[0-9]+)?";
constexpr const char* kUpTo100Pattern = "(100(\\.0+)?|[1-9]?[0-9](\\.[0-9]+)?)";

constexpr const char* kLengthPattern = "^(0|[1-9][0-9]*)(\\.[0-9]{1,3})? ?mm$";

constexpr const char* kSizePattern = "^(0|[1-9][0-9]*)( ?(KiB|MiB|GiB|TiB|KB|MB|GB|TB))?$";

// Not absolute, no `..`, no backslash, braces only around the names, a name before .tif.
constexpr const char* kTemplatePattern =
    "^(?!/)(?!(.*/)?\\.\\.(/|$))(?!(.*/)?\\.[tT][iI][fF]{1,2}$)"
    "([^{}\\\\]|\\{(stem|page|ink|label|n|job|date|time|id)\\})+\\.[tT][iI][fF]{1,2}$";

/// Likewise of a file beside the plates, with one of these suffixes.
std::string file_template_pattern(const std::vector<std::string_view>& suffixes) {
  std::string endings;
  for (const std::string_view suffix : suffixes) {
    endings += endings.empty() ? "\\." : "|\\.";
    for (const char c : suffix.substr(1)) {
      endings += std::string("[") + c + static_cast<char>(c - 'a' + 'A') + "]";
    }
  }
  return "^(?!/)(?!(.*/)?\\.\\.(/|$))(?!(.*/)?(" + endings +
         ")$)([^{}\\\\]|\\{(stem|page|job|date|time|id)\\})+(" + endings + ")$";
}

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

constexpr const char* kDatePattern = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

/// A bound without a fraction where it has none, as people write it.
Json number(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) return static_cast<int64_t>(value);
  return value;
}

Json range(const char* type, double minimum, double maximum) {
  return {{"type", type}, {"minimum", number(minimum)}, {"maximum", number(maximum)}};
}

/// A text by a pattern. `rule` is what an editor says of one that is not.
Json pattern(const std::string& text, const std::string& rule) {
  return {{"type", "string"},
          {"maxLength", kMaxYamlTextBytes},
          {"pattern", text},
          {"patternErrorMessage", "must be " + rule}};
}

/// Either of two kinds of scalars. The keywords of one say nothing of the other, so they stand side
/// by side: of an `anyOf`, an editor may show the mistake of the wrong branch.
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

/// A number with its unit behind it, or without: digits alone, a text cannot be held against a
/// range.
Json with_unit(const ParameterInfo& parameter) {
  const std::string sign = parameter.minimum < 0 ? "-?" : "";
  const std::string digits = parameter.integer ? kWholePattern : kNumberPattern;
  return either(
      range(parameter.integer ? "integer" : "number", parameter.minimum, parameter.maximum),
      pattern("^" + sign + digits + unit_pattern(parameter.unit) + "$", expected(parameter)));
}

Json definition(Scope scope) {
  for (const Field& field : fields()) {
    if (has_fields(field) && field.inside == scope) {
      return {{"$ref", "#/definitions/" + definition_name(field)}};
    }
  }
  return {{"$ref", "#/definitions/page"}};
}

Json map_of(Scope scope) {
  return {{"type", "object"}, {"allOf", Json::array({definition(scope)})}};
}

Json any_of(const Json& one, const Json& other) {
  return {{"anyOf", Json::array({one, other})}};
}

Json page_selection(const std::string& rule) {
  const Json one = either(range("integer", 1, kMaxPageNumber), pattern(kPageRangesPattern, rule));
  Json list = list_of(one);
  list["minItems"] = 1;
  return any_of(one, list);
}

Json curve(const std::string& rule) {
  Json point = list_of(percent(0, 100, rule));
  point.update({{"minItems", 2}, {"maxItems", 2}});
  Json schema = list_of(point);
  schema.update({{"minItems", 2}, {"maxItems", kMaxCurvePoints}});
  return schema;
}

Json measures(const Field& field) {
  Json pair =
      list_of(either(pattern("^-?" + std::string(kNumberPattern) + "( ?%)?$", "a percentage"),
                     range("number", kLeastMeasure, kMostMeasure)));
  pair.update({{"minItems", 2}, {"maxItems", 2}});
  Json schema = list_of(pair);
  schema.update({{"maxItems", number(field.maximum)}});
  return schema;
}

Json job_name(const std::string& rule) {
  return {{"type", {"string", "number"}},
          {"minLength", 1},
          {"maxLength", kMaxJobNameCharacters},
          {"pattern", kJobNamePattern},
          {"patternErrorMessage", "must be " + rule}};
}

Json text() {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", kMaxYamlTextBytes}};
}

Json file_or_map(const Field& field) {
  const Json one = any_of(text(), definition(field.inside));
  Json list = list_of(one);
  list.update({{"minItems", 1}, {"maxItems", kMostLinework}});
  return any_of(one, list);
}

Json page_list() {
  return {{"type", "array"},
          {"minItems", 1},
          {"maxItems", kMaxPageEntries},
          {"items", any_of(text(), definition(kInPage))}};
}

Json time_windows(const std::string& rule) {
  const Json one = pattern(kTimeWindowPattern, rule);
  Json list = list_of(one);
  list.update({{"minItems", 1}, {"maxItems", kMaxTimeWindows}});
  return any_of(one, list);
}

Json inks(const std::string& rule) {
  Json list = list_of(pattern("^[^/\\\\{}]+$", rule));
  list.update({{"minItems", 1}, {"maxItems", kMaxInksOfASet}, {"uniqueItems", true}});
  return list;
}

Json lab() {
  Json list = list_of(range("number", -150, 150));
  list.update({{"minItems", 3}, {"maxItems", 3}});
  return list;
}

Json ink_map(Scope inside) {
  const Json words = {
      {"enum", {"drop", "keep"}},
      {"enumDescriptions", {"the ink is not printed", "it is, against `defaults`"}}};
  return {{"type", "object"}, {"additionalProperties", any_of(words, definition(inside))}};
}

Json choice(const Field& field) {
  Json schema = {{"enum", field.choices()}};
  if (field.meanings != nullptr) schema["enumDescriptions"] = field.meanings();
  return schema;
}

Json type_of(const Field& field) {
  const std::string rule = expected(field);
  switch (field.type) {
    case FieldType::kDuration:
      return pattern(kDurationPattern, rule);
    case FieldType::kTimeWindows:
      return time_windows(rule);
    case FieldType::kInks:
      return inks(rule);
    case FieldType::kInkPattern:
      return pattern(kInkPatternPattern, rule);
    case FieldType::kFolder:
      return text();
    case FieldType::kVersion:
      return {{"const", kManifestVersion}};
    case FieldType::kJobName:
      return job_name(rule);
    case FieldType::kLine:
      return {
          {"type", {"string", "number"}}, {"minLength", 1}, {"maxLength", number(field.maximum)}};
    case FieldType::kDate:
      return pattern(kDatePattern, rule);
    case FieldType::kMeasures:
      return measures(field);
    case FieldType::kTitle:
      return {{"type", {"string", "number"}}, {"minLength", 1}, {"maxLength", kMaxTitleBytes}};
    case FieldType::kInteger:
      if (!unit_of(field).empty()) {
        return either(
            range("integer", field.minimum, field.maximum),
            pattern("^" + std::string(kWholePattern) + unit_pattern(unit_of(field)) + "$", rule));
      }
      return range("integer", field.minimum, field.maximum);
    case FieldType::kNumber:
      return range("number", field.minimum, field.maximum);
    case FieldType::kPercent:
      return percent(field.minimum, field.maximum, rule);
    case FieldType::kNumbers:
      return list_of(range("number", field.minimum, field.maximum));
    case FieldType::kPercents:
      return list_of(percent(field.minimum, field.maximum, rule));
    case FieldType::kByteSize:
      return either(pattern(kSizePattern, rule), range("integer", field.minimum, field.maximum));
    case FieldType::kLength:
      return pattern(kLengthPattern, rule);
    case FieldType::kLengthOrMap:
      return any_of(pattern(kLengthPattern, rule), definition(field.inside));
    case FieldType::kPercentOrMap:
      return any_of(percent(field.minimum, field.maximum, rule), definition(field.inside));
    case FieldType::kRotation:
      return {{"enum", {0, 90, 180, 270}}};
    case FieldType::kBoolean:
      return {{"type", "boolean"}};
    case FieldType::kEnd:
      return {{"const", true}};
    case FieldType::kChoice:
      return choice(field);
    case FieldType::kChoices: {
      Json list = list_of(choice(field));
      list["uniqueItems"] = true;
      return list;
    }
    case FieldType::kSchedule:
      return {{"enum", all_schedules()}};
    case FieldType::kInk:
    case FieldType::kFile:
    case FieldType::kText:
      return text();
    case FieldType::kTemplate:
      return pattern(kTemplatePattern, rule);
    case FieldType::kFileTemplate:
      return pattern(file_template_pattern(field.choices()), rule);
    case FieldType::kLab:
      return lab();
    case FieldType::kOverprints: {
      Json overprint = {{"type", "object"}, {"additionalProperties", false}};
      overprint["properties"] = {{"inks", inks("the name of an ink")}, {"lab", lab()}};
      overprint["required"] = {"inks", "lab"};
      return list_of(overprint);
    }
    case FieldType::kSha256:
      return pattern("^[0-9a-fA-F]{64}$", rule);
    case FieldType::kPageSelection:
      return page_selection(rule);
    case FieldType::kCurve:
      return curve(rule);
    case FieldType::kMap:
      if (field.or_none) return any_of({{"enum", {"none"}}}, definition(field.inside));
      return field.or_file ? file_or_map(field) : map_of(field.inside);
    case FieldType::kInkMap:
      return ink_map(field.inside);
    case FieldType::kInkShares:
      return {{"type", "object"},
              {"minProperties", 1},
              {"additionalProperties", percent(0, 100, rule)}};
    case FieldType::kPageList:
      return page_list();
  }
  return {};
}

/// What an editor shows of a value: the title in bold, and the rest below it.
Json described(std::string_view title,
               std::string_view meaning,
               const std::string& rule,
               const std::string& default_text,
               const Json& schema) {
  std::string below = rule;
  if (!default_text.empty()) below += (rule.empty() ? "" : "; ") + ("default: " + default_text);
  Json result = {{"title", title},
                 {"description", std::string(meaning) + (below.empty() ? "" : "\n\n") + below}};
  result.update(schema);
  return result;
}

/// The rule of a field, where an editor does not show it by itself.
std::string shown_rule(const Field& field) {
  switch (field.type) {
    case FieldType::kVersion:
    case FieldType::kEnd:
    case FieldType::kMap:
    case FieldType::kPageList:
    case FieldType::kFile:
    case FieldType::kChoice:
    case FieldType::kSchedule:
    case FieldType::kRotation:
      return "";
    default:
      return expected(field);
  }
}

/// The default as a manifest has it: with its unit where it might be read in another.
Json default_of(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return choice_name(parameter, parameter.default_value);
  if (!parameter.percent) return number(parameter.default_value);
  return plain_number(parameter.default_value) + "%";
}

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string definition_name(const Field& field) {
  if (field.inside == kInInk || field.inside == kInPressInk) return "ink";
  return (field.inside == kInInkOutput ? "ink_" : "") + std::string(field.name);
}

Json field_schema(const Field& field) {
  Json schema = type_of(field);
  if (field.default_json.empty()) {
    return described(field.name, field.summary, shown_rule(field), "", schema);
  }
  schema["default"] = Json::parse(field.default_json);
  return described(
      field.name, field.summary, shown_rule(field), as_text(schema["default"]), schema);
}

Json parameter_schema(const ParameterInfo& parameter, std::string_view meaning) {
  Json schema =
      !parameter.choices.empty() ? Json{{"enum", parameter.choices}}
      : parameter.percent ? percent(parameter.minimum, parameter.maximum, expected(parameter))
      : !parameter.unit.empty()
          ? with_unit(parameter)
          : range(parameter.integer ? "integer" : "number", parameter.minimum, parameter.maximum);
  schema["default"] = default_of(parameter);
  return described(parameter.name,
                   meaning,
                   parameter.choices.empty() ? expected(parameter) : "",
                   as_text(schema["default"]),
                   schema);
}

}  // namespace mezzo::manifests
