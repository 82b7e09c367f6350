// Words of a list, true and false, and the version.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "manifests/kinds/kind.h"
#include "manifests/kinds/plain_text.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

SettingValue read_boolean(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_boolean(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  return *parsed.value;
}

SettingValue read_end(Reading& reading, const YamlNode& node, const Field& field) {
  SettingValue value = read_boolean(reading, node, field);
  const bool is_false = value == SettingValue(false);
  return is_false ? reading.unexpected(node, field, "leave it out") : value;
}

SettingValue read_version(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_integer(node.text);
  if (parsed.value == kManifestVersion) return *parsed.value;
  const bool is_newer = parsed.value && *parsed.value > kManifestVersion;
  reading.complain(node.place,
                   "'" + std::string(field.name) + "' must be 1, the " +
                       std::string(field.summary) + ", found " + in_quotes(node.text),
                   is_newer ? "a newer mezzotint may read it" : "");
  return {};
}

SettingValue read_choice(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_choice(field.choices(), node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  return node.text;
}

SettingValue read_choices(Reading& reading, const YamlNode& node, const Field& field) {
  std::vector<std::string> chosen;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    if (item.kind != YamlNode::Kind::kText) {
      reading.unexpected(item, field);
    } else if (std::ranges::find(chosen, item.text) != chosen.end()) {
      reading.complain(item.place,
                       "'" + std::string(field.name) + "' has " + in_quotes(item.text) + " twice");
    } else if (std::holds_alternative<std::string>(read_choice(reading, item, field))) {
      chosen.push_back(item.text);
    }
  }
  return chosen;
}

Json choice_schema(const Field& field, const std::string&) {
  Json schema = {{"enum", field.choices()}};
  if (field.meanings != nullptr) schema["enumDescriptions"] = field.meanings();
  return schema;
}

constexpr Kind kKindsOfWord[] = {
    {.type = FieldType::kVersion,
     .rule_of = [](const Field&) { return std::to_string(kManifestVersion); },
     .is_rule_shown = true,
     .sample = "1",
     .read = read_version,
     .is_bare = true,
     .schema =
         [](const Field&, const std::string&) {
           return Json{{"const", kManifestVersion}};
         }},
    {.type = FieldType::kBoolean,
     .rule = "true or false",
     .read = read_boolean,
     .is_bare = true,
     .schema =
         [](const Field&, const std::string&) {
           return Json{{"type", "boolean"}};
         }},
    {.type = FieldType::kEnd,
     .rule = "true",
     .is_rule_shown = true,
     .read = read_end,
     .is_bare = true,
     .schema =
         [](const Field&, const std::string&) {
           return Json{{"const", true}};
         }},
    {.type = FieldType::kChoice,
     .rule_of = [](const Field& field) { return alternatives(field.choices()); },
     .is_rule_shown = true,
     .read = read_choice,
     .schema = choice_schema,
     .is_word = true},
    {.type = FieldType::kChoices,
     .forms = kListForm,
     .rule_of =
         [](const Field& field) { return "[" + joined(field.choices()) + "], or some of them"; },
     .read = read_choices,
     .schema =
         [](const Field& field, const std::string& rule) {
           Json list = schema::list_of(choice_schema(field, rule));
           list["uniqueItems"] = true;
           return list;
         },
     .is_word = true},
    {.type = FieldType::kSchedule,
     .rule = "a schedule of the method",
     .is_rule_shown = true,
     .read = read_plain_text,
     .schema =
         [](const Field&, const std::string&) {
           return Json{{"enum", all_schedules()}};
         }},
};

}  // namespace

std::span<const Kind> word_kinds() {
  return kKindsOfWord;
}

}  // namespace mezzo::manifests
