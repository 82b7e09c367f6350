#include <nlohmann/json.hpp>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/job.h"
#include "manifests/key_sections.h"
#include "manifests/press_file.h"
#include "manifests/schema_values.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

/// A map with the fields of the scope and nothing else.
Json map_schema(Scope scope) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}};
  Json required = Json::array();
  for (const Field* field : fields_of(scope)) {
    if (field->is_required) required.push_back(field->name);
    schema["properties"][std::string(field->name)] = field_schema(*field);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

/// A list in words: "am, fm and tile".
std::string in_words(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

/// A parameter where its method is not known: the readings of all methods that have it.
Json any_parameter(std::string_view name) {
  std::vector<const ParameterInfo*> readings;
  std::vector<std::vector<std::string_view>> readers;
  for (const MethodInfo& method : methods()) {
    const ParameterInfo* parameter = find_parameter(method, name);
    if (parameter == nullptr) continue;
    const Json schema = parameter_schema(*parameter, parameter->summary);
    size_t same = 0;
    while (same < readings.size() &&
           parameter_schema(*readings[same], readings[same]->summary) != schema) {
      ++same;
    }
    if (same == readings.size()) {
      readings.push_back(parameter);
      readers.emplace_back();
    }
    readers[same].push_back(method.name);
  }
  Json schemas = Json::array();
  for (size_t i = 0; i < readings.size(); ++i) {
    schemas.push_back(parameter_schema(
        *readings[i], "of " + in_words(readers[i]) + ": " + std::string(readings[i]->summary)));
  }
  if (schemas.size() == 1) return schemas.front();
  std::string meaning;
  for (const Json& schema : schemas) {
    meaning += (meaning.empty() ? "" : "\n\n") + schema["description"].get<std::string>();
  }
  return {{"title", name}, {"description", meaning}, {"anyOf", schemas}};
}

/// The keys of `halftone` beside a method, or where none is given, and no others. The values of
/// `true` are those that hold beside all methods.
Json keys_beside(const Json& everywhere, const MethodInfo* method) {
  Json properties;
  for (const auto& [name, schema] : everywhere.items()) properties[name] = true;
  if (method == nullptr || method->takes_tile) {
    properties[std::string(kTileKey)] = field_schema(*find_field(kInHalftone, kTileKey));
  }
  if (method == nullptr) {
    for (const std::string_view name : all_parameters()) {
      properties[std::string(name)] = any_parameter(name);
    }
  } else {
    properties["schedule"] = {{"enum", schedules_of(*method)}};
    for (const ParameterInfo& parameter : method->parameters) {
      properties[std::string(parameter.name)] = parameter_schema(parameter, parameter.summary);
    }
  }
  return {{"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// Without `method` a page may set parameters of the method of its defaults, so all are known.
Json halftone_schema() {
  Json schema = map_schema(kInHalftone);
  schema.erase("additionalProperties");
  Json& everywhere = schema["properties"];
  everywhere.erase(std::string(kTileKey));
  Json& snippets = schema["defaultSnippets"] = Json::array();
  Json rules = Json::array();
  rules.push_back(
      {{"if", {{"not", {{"required", {"method"}}}}}}, {"then", keys_beside(everywhere, nullptr)}});
  for (const MethodInfo& method : methods()) {
    const Json is_it = {{"required", {"method"}},
                        {"properties", {{"method", {{"const", method.name}}}}}};
    rules.push_back({{"if", is_it}, {"then", keys_beside(everywhere, &method)}});
    snippets.push_back({{"label", method.name},
                        {"description", method.summary},
                        {"body", {{"method", method.name}}}});
  }
  schema["allOf"] = std::move(rules);
  return schema;
}

Json document_schema(Scope top, const char* id, const char* title, const char* description) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"$id", id},
                 {"title", title},
                 {"description", description}};
  schema.update(map_schema(top));
  if (top == kInManifest) schema["dependencies"] = {{"pages_total", {"end"}}};
  const unsigned scopes = scopes_below(top);
  Json& definitions = schema["definitions"];
  for (const Field& field : fields()) {
    if (!has_fields(field) || (field.scopes & scopes) == 0) continue;
    Json& entry = definitions[schema::definition_name(field)];
    entry = field.inside == kInHalftone ? halftone_schema() : map_schema(field.inside);
    entry["title"] = field.name;
  }
  if ((scopes & kInPage) != 0) {
    definitions["page"] = map_schema(kInPage);
    definitions["page"]["title"] = "page";
  }
  return schema;
}

}  // namespace

std::string manifest_schema() {
  const Json schema = document_schema(kInManifest,
                                      "urn:mezzotint:schema:manifest:1",
                                      "mezzotint job manifest",
                                      "A print job: which TIFF files become plates, and how.");
  return schema.dump(2) + "\n";
}

std::string folder_schema() {
  const Json schema = document_schema(kInFolder,
                                      "urn:mezzotint:schema:folder:1",
                                      "mezzotint hot folder",
                                      "folder.yaml: the settings of a hot folder.");
  return schema.dump(2) + "\n";
}

std::string press_schema() {
  const Json schema = document_schema(kInPress,
                                      "urn:mezzotint:schema:press:1",
                                      "mezzotint press file",
                                      "A press: the settings of jobs that belong to the machine.");
  return schema.dump(2) + "\n";
}

std::string curve_schema() {
  const Json schema = document_schema(kInCurveFile,
                                      "urn:mezzotint:schema:curve:1",
                                      "mezzotint curve file",
                                      "The measured curve of one ink on a press or its plates.");
  return schema.dump(2) + "\n";
}

}  // namespace mezzo::manifests
