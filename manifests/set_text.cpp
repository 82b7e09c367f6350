#include "manifests/set_text.h"

#include <algorithm>

#include "manifests/binder.h"
#include "manifests/kinds/kind.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
const SettingPlace* find_setting(std::string_view key) {
  static const std::vector<SettingPlace> all =
      settings_where([](const Setting<PageSettings>&) { return true; });
  const auto found = std::ranges::find(all, key, &SettingPlace::key);
  return found == all.end() ? nullptr : &*found;
}

const Field& field_of(const SettingPlace& setting) {
  const unsigned scopes = setting.row->field.scopes;
  return *find_field(static_cast<Scope>(scopes & -scopes), setting.row->field.name);
}

Parsed<SettingValue> read_value(const Field& field, const std::string& text) {
  const SourceText source("", text);
  std::vector<Diagnostic> mistakes;
  YamlNode node;
  node.kind = YamlNode::Kind::kText;
  node.is_quoted = kind_of(field).is_any_text;  // numbers and booleans, too
  node.text = text;
  SettingValue value = Binder(source, mistakes, kInManifest).value(node, field);
  if (mistakes.empty()) return Parsed<SettingValue>::good(std::move(value));
  std::string& problem = mistakes.front().message;
  const std::string name = "'" + std::string(field.name) + "' ";
  if (problem.starts_with(name)) problem.erase(0, name.size());
  return Parsed<SettingValue>::bad(std::move(problem), std::move(mistakes.front().hint));
}

void set_value(PageSettings& settings, const SettingPlace& setting, const SettingValue& value) {
  const SettingGroup& group = *setting.group;
  const auto has_value = [&](const Setting<PageSettings>& row) {
    return !std::holds_alternative<std::monostate>(row.in.get(settings));
  };
  if (group.begin != nullptr && std::ranges::none_of(group.rows, has_value)) group.begin(settings);
  setting.row->in.set(settings, value);
}

}  // namespace mezzo::manifests
