// Names, dates, paths and templates of paths.
#include <nlohmann/json.hpp>

#include "manifests/job_name.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/plain_text.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

// Not absolute, no `..`, no backslash, braces only around the names, a name before .tif.
constexpr const char* kTemplatePattern =
    "^(?!/)(?!(.*/)?\\.\\.(/|$))(?!(.*/)?\\.[tT][iI][fF]{1,2}$)"
    "([^{}\\\\]|\\{(stem|page|ink|label|n|job|date|time|id)\\})+\\.[tT][iI][fF]{1,2}$";

/// The same for a file beside the plates, with one of these suffixes.
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

// {page} and {ink} once each, something between them, no folder, a name before .tif.
constexpr const char* kInkPatternPattern =
    "^(?!\\.)[^{}/\\\\]*(\\{page\\}[^{}/\\\\]+\\{ink\\}|\\{ink\\}[^{}/\\\\]+\\{page\\})"
    "[^{}/\\\\]*\\.[tT][iI][fF]{1,2}$";

constexpr const char* kDatePattern = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

/// A number is a good name, as many presses have one.
SettingValue read_named(Reading& reading, const YamlNode& node, const Field& field, size_t most) {
  const bool is_boolean = !node.is_quoted && reads_as_boolean(node.text);
  if (node.text.empty() || is_boolean) return reading.unexpected(node, field);
  if (node.text.size() <= most) return node.text;
  return reading.refused(node.place,
                         field,
                         "must have at most " + std::to_string(most) + " bytes, found " +
                             std::to_string(node.text.size()));
}

SettingValue read_title(Reading& reading, const YamlNode& node, const Field& field) {
  return read_named(reading, node, field, kMaxTitleBytes);
}

SettingValue read_line(Reading& reading, const YamlNode& node, const Field& field) {
  return read_named(reading, node, field, static_cast<size_t>(field.maximum));
}

SettingValue read_date(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_date(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  return node.text;
}

SettingValue read_job_name(Reading& reading, const YamlNode& node, const Field& field) {
  if (!node.is_quoted && reads_as_boolean(node.text)) {
    return reading.refused(
        node.place,
        field,
        "must be " + expected(field) + ", found the boolean " + in_quotes(node.text),
        "put it in quotes when that is its name");
  }
  auto problem = check_job_name(node.text);
  if (problem) problem->hint = "a job's name is made of letters, digits, spaces and . _ -";
  return reading.unless(problem, node, field);
}

SettingValue read_ink_pattern(Reading& reading, const YamlNode& node, const Field& field) {
  return reading.unless(check_ink_pattern(node.text), node, field);
}

SettingValue read_template(Reading& reading, const YamlNode& node, const Field& field) {
  return reading.unless(check_plate_template(node.text), node, field);
}

/// The default of a template, which is a text in JSON.
std::string_view default_path(const Field& field) {
  return field.default_json.substr(1, field.default_json.size() - 2);
}

SettingValue read_file_template(Reading& reading, const YamlNode& node, const Field& field) {
  const auto problem = check_file_template(node.text, field.choices(), default_path(field));
  return reading.unless(problem, node, field);
}

SettingValue read_sha256(Reading& reading, const YamlNode& node, const Field& field) {
  auto parsed = parse_sha256(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  return *parsed.value;
}

Json job_name_schema(const Field&, const std::string& rule) {
  return {{"type", {"string", "number"}},
          {"minLength", 1},
          {"maxLength", kMaxJobNameCharacters},
          {"pattern", kJobNamePattern},
          {"patternErrorMessage", "must be " + rule}};
}

/// A name of so many bytes at most.
Json name_schema(double most) {
  return {{"type", {"string", "number"}}, {"minLength", 1}, {"maxLength", schema::number(most)}};
}

Json text_schema(const Field&, const std::string&) {
  return schema::text();
}

constexpr std::string_view kNeedsQuotes = "a text that begins with '{' or '[' needs quotes";

constexpr Kind kKindsOfText[] = {
    {.type = FieldType::kJobName,
     .rule = "a name of letters, digits, spaces and . _ -",
     .read = read_job_name,
     .schema = job_name_schema},
    {.type = FieldType::kTitle,
     .rule = "a name such as XL 106, board",
     .read = read_title,
     .is_any_text = true,
     .schema = [](const Field&, const std::string&) { return name_schema(kMaxTitleBytes); }},
    {.type = FieldType::kLine,
     .rule = "a line of text",
     .read = read_line,
     .schema = [](const Field& field, const std::string&) { return name_schema(field.maximum); }},
    {.type = FieldType::kDate,
     .rule = "a date such as 2026-11-20",
     .read = read_date,
     .schema = [](const Field&,
                  const std::string& rule) { return schema::pattern(kDatePattern, rule); }},
    {.type = FieldType::kSha256,
     .rule = "the 64 hexadecimal digits of a SHA-256",
     .read = read_sha256,
     .schema = [](const Field&,
                  const std::string& rule) { return schema::pattern("^[0-9a-fA-F]{64}$", rule); }},
    // `path: {stem}` is a map for YAML, and its author meant a text.
    {.type = FieldType::kText,
     .rule = "a file, a pattern or a folder",
     .advice = kNeedsQuotes,
     .read = read_plain_text,
     .is_any_text = true,
     .schema = text_schema},
    {.type = FieldType::kFile,
     .rule = "a file",
     .is_rule_shown = true,
     .read = read_plain_text,
     .is_any_text = true,
     .schema = text_schema},
    {.type = FieldType::kFolder,
     .rule = "a folder",
     .read = read_plain_text,
     .is_any_text = true,
     .schema = text_schema},
    {.type = FieldType::kTemplate,
     .rule = "a path such as plates/{stem}_{ink}.tif",
     .advice = kNeedsQuotes,
     .read = read_template,
     .is_any_text = true,
     .schema = [](const Field&,
                  const std::string& rule) { return schema::pattern(kTemplatePattern, rule); },
     .is_template = true},
    {.type = FieldType::kFileTemplate,
     .rule_of =
         [](const Field& field) { return "a path such as " + std::string(default_path(field)); },
     .read = read_file_template,
     .is_any_text = true,
     .schema =
         [](const Field& field, const std::string& rule) {
           return schema::pattern(file_template_pattern(field.choices()), rule);
         },
     .is_template = true},
    {.type = FieldType::kInkPattern,
     .rule = "a file's name such as {page}_{ink}.tif",
     .advice = kNeedsQuotes,
     .read = read_ink_pattern,
     .schema = [](const Field&,
                  const std::string& rule) { return schema::pattern(kInkPatternPattern, rule); }},
};

}  // namespace

std::span<const Kind> text_kinds() {
  return kKindsOfText;
}

}  // namespace mezzo::manifests
