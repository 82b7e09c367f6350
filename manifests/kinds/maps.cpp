// Maps of keys, which those who bind them read from the node.
#include <nlohmann/json.hpp>

#include "manifests/job.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

Json map_of(Scope scope) {
  return {{"type", "object"}, {"allOf", Json::array({schema::definition(scope)})}};
}

Json file_or_map(const Field& field) {
  const Json one = schema::any_of(schema::text(), schema::definition(field.inside));
  Json list = schema::list_of(one);
  list.update({{"minItems", 1}, {"maxItems", kMostLinework}});
  return schema::any_of(one, list);
}

Json map_schema_of(const Field& field, const std::string&) {
  if (field.or_none) return schema::any_of({{"enum", {"none"}}}, schema::definition(field.inside));
  return field.or_file ? file_or_map(field) : map_of(field.inside);
}

Json ink_map_schema(const Field& field, const std::string&) {
  const Json words = {
      {"enum", {"drop", "keep"}},
      {"enumDescriptions", {"the ink is not printed", "it is, against `defaults`"}}};
  return {{"type", "object"},
          {"additionalProperties", schema::any_of(words, schema::definition(field.inside))}};
}

Json page_list_schema(const Field&, const std::string&) {
  return {{"type", "array"},
          {"minItems", 1},
          {"maxItems", kMaxPageEntries},
          {"items", schema::any_of(schema::text(), schema::definition(kInPage))}};
}

std::string map_rule(const Field& field) {
  return field.or_file   ? "a file, a map of keys and values, or a list of these"
         : field.or_none ? "none, or a map of keys and values"
                         : "a map of keys and values";
}

constexpr Kind kKindsOfMap[] = {
    {.type = FieldType::kMap,
     .forms = kMapForm,
     .rule_of = map_rule,
     .is_rule_shown = true,
     .schema = map_schema_of},
    {.type = FieldType::kInkMap,
     .forms = kMapForm,
     .rule = "a map of inks and their settings such as {cyan: {label: C}, varnish: drop}",
     .schema = ink_map_schema},
    {.type = FieldType::kPageList,
     .forms = kListForm,
     .rule = "a list of pages",
     .is_rule_shown = true,
     .advice = "write each page in a line of its own, after '- '",
     .schema = page_list_schema},
};

}  // namespace

std::span<const Kind> map_kinds() {
  return kKindsOfMap;
}

}  // namespace mezzo::manifests
