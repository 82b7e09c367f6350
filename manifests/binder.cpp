#include "manifests/binder.h"

#include <algorithm>
#include <iterator>

#include "kernels/spelling/synonyms.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/plain_text.h"

namespace mezzo::manifests {
namespace {

/// Another place in the document for the key: "under 'output'", "to a page". Empty when there is
/// none. A map that may stand beside the key comes before others.
std::string other_home(std::string_view key, Scope scope, Scope document) {
  const unsigned reach = scopes_below(document);
  for (const unsigned reachable : {static_cast<unsigned>(scope), reach}) {
    for (const Field& field : fields()) {
      if (field.name != key || (field.scopes & scope) != 0 || (field.scopes & reach) == 0) continue;
      for (const Field& home : fields()) {
        const bool is_map = has_fields(home) && (home.scopes & reachable) != 0;
        if (is_map && home.inside != scope && (field.scopes & home.inside) != 0) {
          return "under '" + std::string(home.name) + "'";
        }
      }
      if (reachable != reach) continue;
      if ((field.scopes & reach & kInPage) != 0) return "to a page";
      if ((field.scopes & document) != 0) return scope_name(document);
    }
  }
  const auto parameters = all_parameters();
  const bool is_parameter = std::ranges::find(parameters, key) != parameters.end();
  return is_parameter && (reach & kInHalftone) != 0 ? "under 'halftone'" : "";
}

/// What an unknown key is called here when it is a word of the field, or has its place elsewhere.
std::string advice_on_place(std::string_view key,
                            Scope scope,
                            Scope document,
                            std::span<const std::string_view> known) {
  if (const auto meaning = spelling::synonym_of(key, known); !meaning.empty()) {
    return "did you mean '" + std::string(meaning) + "'?";
  }
  for (const spelling::Synonym& synonym : spelling::synonyms()) {
    if (synonym.name != spelling::folded(key)) continue;
    const std::string home = other_home(synonym.meaning, scope, document);
    if (home.empty()) continue;
    return "did you mean '" + std::string(synonym.meaning) + "', which belongs " + home + "?";
  }
  const std::string home = other_home(key, scope, document);
  return home.empty() ? "" : "'" + std::string(key) + "' belongs " + home;
}

struct Document {
  Scope top;
  const char* name;
};
constexpr Document kDocuments[] = {{kInManifest, "the manifest of a job"},
                                   {kInFolder, "the settings of a hot folder"},
                                   {kInPress, "a press file"},
                                   {kInCurveFile, "a curve file"}};

/// Says so when the key belongs in another kind of document; empty when not.
std::string other_document(std::string_view key, Scope document) {
  for (const Document& other : kDocuments) {
    if (other.top == document || find_field(other.top, key) == nullptr) continue;
    return "'" + std::string(key) + "' belongs in " + other.name;
  }
  return {};
}

/// True when the map has the field, or a misspelt key that is reported as such.
bool is_meant_in(const YamlNode& map, Scope scope, const Field& field) {
  return std::ranges::any_of(map.items, [&](const YamlNode& item) {
    if (find_field(scope, item.key) != nullptr) return item.key == field.name;
    return meant(item.key, std::span(&field.name, 1)) == field.name;
  });
}

/// The hint for a text where a map was expected, and the like.
std::string advice_for(const Field& field, const YamlNode& node) {
  const Kind& kind = kind_of(field);
  if (!kind.advice.empty()) return std::string(kind.advice);
  if (has_fields(field) && node.kind == YamlNode::Kind::kText) {
    return "its keys go into the lines below it, indented, or into braces: {key: value}";
  }
  return {};
}

Form form_of(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kList:
      return kListForm;
    case YamlNode::Kind::kMap:
      return kMapForm;
    default:
      return kTextForm;
  }
}

bool has_form(const YamlNode& node, const Field& field) {
  if (node.kind == YamlNode::Kind::kNull) return false;
  unsigned forms = kind_of(field).forms;
  if (field.or_none) forms |= kTextForm;
  if (field.or_file) forms |= kTextForm | kListForm;
  return (forms & form_of(node)) != 0;
}

}  // namespace

void Binder::complain_unknown(const YamlNode& value,
                              Scope scope,
                              std::span<const std::string_view> other_keys) {
  std::vector<std::string_view> known;
  for (const Field* field : fields_of(scope)) known.push_back(field->name);
  known.insert(known.end(), other_keys.begin(), other_keys.end());
  std::string hint = advice_on_place(value.key, scope, document_, known);
  if (hint.empty() && scope == document_) hint = other_document(value.key, document_);
  if (hint.empty()) {
    const std::string_view close = meant(value.key, known);
    hint = close.empty() ? "the keys here are " + joined(known)
                         : "did you mean '" + std::string(close) + "'?";
  }
  complain(value.key_place, "unknown key " + in_quotes(value.key) + " " + scope_name(scope), hint);
}

void Binder::complain_missing(const YamlNode& map, Scope scope, const Field& field) {
  const std::string where = scope == kInManifest    ? "the manifest"
                            : scope == kInPage      ? "this page"
                            : scope == kInPress     ? "the press file"
                            : scope == kInCurveFile ? "the curve file"
                            : scope == kInFolder    ? "the file"
                            : map.key.empty()       ? "this entry"  // of a list
                                                    : "'" + map.key + "'";
  const std::string name(field.name);
  complain(map.place,
           where + " has no '" + name + "', " + std::string(field.summary),
           "add '" + name + ": " + std::string(kind_of(field).sample) + "'");
}

BoundMap Binder::bind(const YamlNode& map,
                      Scope scope,
                      std::span<const std::string_view> other_keys) {
  BoundMap bound;
  for (const YamlNode& item : map.items) {
    if (item.is_refused) continue;
    const Field* field = find_field(scope, item.key);
    if (field == nullptr) {
      const bool is_known = std::ranges::find(other_keys, item.key) != other_keys.end();
      if (!is_known) complain_unknown(item, scope, other_keys);
      continue;
    }
    const size_t before = mistakes();
    SettingValue checked = value(item, *field);
    if (mistakes() == before) bound.add(field->name, {&item, std::move(checked)});
  }
  for (const Field* field : fields_of(scope)) {
    if (field->is_required && !is_meant_in(map, scope, *field))
      complain_missing(map, scope, *field);
  }
  return bound;
}

SettingValue Binder::value(const YamlNode& node, const Field& field) {
  const Kind& kind = kind_of(field);
  if (!has_form(node, field)) {
    complain_kind(node, field.name, expected(field), advice_for(field, node));
    return {};
  }
  const bool is_map = has_fields(field) && node.kind == YamlNode::Kind::kMap;
  if (is_map) return {};
  if (field.or_file) {
    return node.kind == YamlNode::Kind::kList ? SettingValue()
                                              : read_plain_text(*this, node, field);
  }
  if (field.or_none) return node.text == "none" ? SettingValue(node.text) : unexpected(node, field);
  if (kind.read == nullptr) return {};
  if (kind.is_bare && node.is_quoted) return unexpected(node, field, "take the quotes away");
  return kind.read(*this, node, field);
}

}  // namespace mezzo::manifests
