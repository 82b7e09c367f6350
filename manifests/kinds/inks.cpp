// Inks by their names, and their colours.
#include <nlohmann/json.hpp>

#include "kernels/prepress/ink_key.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/plain_text.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

bool is_good_ink(Reading& reading, const YamlNode& node, const std::vector<std::string>& others) {
  const size_t odd = node.text.find_first_of("/\\{}");
  if (odd != std::string::npos) {
    reading.complain(reading.place_inside(node, odd),
                     "the name of an ink cannot hold " + in_quotes(node.text.substr(odd, 1)),
                     "it is a part of a file's name");
    return false;
  }
  for (const std::string& other : others) {
    if (!prepress::is_same_ink(other, node.text)) continue;
    reading.complain(node.place,
                     "ink " + in_quotes(node.text) + " is there twice",
                     other == node.text ? ""
                     : lower_case(other) == lower_case(node.text)
                         ? "names that differ in capitals only are too easily confused"
                         : in_quotes(other) + " is the same ink");
    return false;
  }
  return true;
}

SettingValue read_inks(Reading& reading, const YamlNode& node, const Field& field) {
  if (node.items.empty() || node.items.size() > kMaxInksOfASet) {
    return reading.refused(node.place,
                           field,
                           "must have 1 to " + std::to_string(kMaxInksOfASet) + " names, found " +
                               std::to_string(node.items.size()));
  }
  std::vector<std::string> names;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    if (item.kind != YamlNode::Kind::kText) {
      reading.complain(
          item.place,
          "an entry of '" + std::string(field.name) + "' must be a text, found " + describe(item));
    } else if (std::holds_alternative<std::string>(read_plain_text(reading, item, field)) &&
               is_good_ink(reading, item, names)) {
      names.push_back(item.text);
    }
  }
  return names;
}

SettingValue read_lab(Reading& reading, const YamlNode& node, const Field& field) {
  if (node.items.size() != 3) {
    return reading.refused(
        node.place,
        field,
        "must be " + expected(field) + ", found a list of " + std::to_string(node.items.size()));
  }
  std::vector<double> lab;
  for (const YamlNode& item : node.items) {
    const bool is_lightness = lab.empty();
    const double minimum = is_lightness ? 0 : -150, maximum = is_lightness ? 100 : 150;
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = is_text ? parse_number_from(minimum, false, item.text) : Parsed<double>();
    if (!parsed.value || *parsed.value < minimum || *parsed.value > maximum) {
      return reading.refused(
          item.place,
          field,
          std::string("must have ") +
              (is_lightness ? "an L* from 0 to 100" : "a* and b* from -150 to 150") + ", found " +
              describe(item),
          parsed.hint);
    }
    lab.push_back(*parsed.value);
  }
  return lab;
}

Json inks_schema(const std::string& rule) {
  Json list = schema::list_of(schema::pattern("^[^/\\\\{}]+$", rule));
  list.update({{"minItems", 1}, {"maxItems", kMaxInksOfASet}, {"uniqueItems", true}});
  return list;
}

Json lab_schema() {
  Json list = schema::list_of(schema::range("number", -150, 150));
  list.update({{"minItems", 3}, {"maxItems", 3}});
  return list;
}

Json overprints_schema(const Field&, const std::string&) {
  Json overprint = {{"type", "object"}, {"additionalProperties", false}};
  overprint["properties"] = {{"inks", inks_schema("the name of an ink")}, {"lab", lab_schema()}};
  overprint["required"] = {"inks", "lab"};
  return schema::list_of(overprint);
}

Json shares_schema(const Field&, const std::string& rule) {
  return {{"type", "object"},
          {"minProperties", 1},
          {"additionalProperties", schema::percent(0, 100, rule)}};
}

constexpr Kind kKindsOfInk[] = {
    {.type = FieldType::kInk,
     .rule = "the name of an ink such as cyan",
     .read = read_plain_text,
     .schema = [](const Field&, const std::string&) { return schema::text(); }},
    {.type = FieldType::kInks,
     .forms = kListForm,
     .rule = "a list of names of inks such as [cyan, magenta, yellow, black]",
     .read = read_inks,
     .schema = [](const Field&, const std::string& rule) { return inks_schema(rule); }},
    {.type = FieldType::kInkShares,
     .forms = kMapForm,
     .rule = "a map of inks and percentages such as {cyan: 10%, magenta: 90%}",
     .schema = shares_schema},
    {.type = FieldType::kLab,
     .forms = kListForm,
     .rule = "a list of L*, a* and b* such as [55, -37, -50]",
     .read = read_lab,
     .schema = [](const Field&, const std::string&) { return lab_schema(); }},
    {.type = FieldType::kOverprints,
     .forms = kListForm,
     .rule = "a list such as [{inks: [cyan, magenta], lab: [24, 22, -46]}]",
     .schema = overprints_schema},
};

}  // namespace

std::span<const Kind> ink_kinds() {
  return kKindsOfInk;
}

}  // namespace mezzo::manifests
