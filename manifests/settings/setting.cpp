#include "manifests/settings/setting.h"

#include <cmath>
#include <deque>

#include "manifests/kinds/kind.h"

namespace mezzo::manifests {
namespace {

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string default_of(const SettingGroup& group, const Setting<PageSettings>& row) {
  if (row.field.is_required) return {};
  PageSettings usual;
  if (group.begin != nullptr) group.begin(usual);
  return json_of(row.in.get(usual), row.field.type);
}

}  // namespace

std::string json_of(const SettingValue& value, FieldType type) {
  const Kind& kind = kind_of(type);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (const auto* whole = std::get_if<uint64_t>(&value)) {
    if (kind.text != nullptr) return quoted(kind.text(*whole));
    return std::to_string(*whole);
  }
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return {};
  if (kind.is_percent) return quoted(plain_number(*number) + "%");
  return plain_number(*number) + (std::trunc(*number) == *number ? ".0" : "");
}

std::vector<Field> fields_of(std::span<const SettingGroup> groups) {
  static std::deque<std::string> defaults;  // that the fields refer to
  std::vector<Field> fields;
  for (const SettingGroup& group : groups) {
    fields.insert(fields.end(), group.maps.begin(), group.maps.end());
    for (const Setting<PageSettings>& row : group.rows) {
      fields.push_back(row.field);
      fields.back().default_json = defaults.emplace_back(default_of(group, row));
    }
  }
  return fields;
}

std::span<const SettingGroup* const> setting_groups() {
  static const std::vector<const SettingGroup*> all = [] {
    std::vector<const SettingGroup*> together;
    for (const auto& groups : {page_groups(), colour_groups()}) {
      for (const SettingGroup& group : groups) together.push_back(&group);
    }
    return together;
  }();
  return all;
}

std::string key_of(const SettingGroup& group, const Setting<PageSettings>& row) {
  return std::string(group.key) + (group.key.empty() ? "" : ".") + std::string(row.field.name);
}

std::string_view last_part(std::string_view key) {
  return key.substr(key.rfind('.') + 1);
}

std::string_view map_around(std::string_view key) {
  const size_t dot = key.rfind('.');
  return dot == key.npos ? "" : key.substr(0, dot);
}

Scope inside_of(const SettingGroup& group, Scope document) {
  const unsigned places = document == kInPress ? +kInPress : ~kInPress;
  const auto map = std::ranges::find_if(
      group.maps, [&](const Field& field) { return (field.scopes & places) != 0; });
  return map == group.maps.end() ? group.maps.front().inside : map->inside;
}

std::vector<SettingPlace> settings_where(bool (*is_it)(const Setting<PageSettings>&)) {
  std::vector<SettingPlace> places;
  for (const SettingGroup* group : setting_groups()) {
    for (const Setting<PageSettings>& row : group->rows) {
      if (is_it(row)) places.push_back({group, &row, key_of(*group, row)});
    }
  }
  return places;
}

std::span<const SettingPlace> settings_of_inks() {
  static const std::vector<SettingPlace> all =
      settings_where([](const Setting<PageSettings>& row) { return row.has(kPerInk); });
  return all;
}

const SettingValue* find_own(const Overlay& over, std::string_view key) {
  const auto found = over.find(key);
  return found == over.end() ? nullptr : &found->second;
}

SettingValue* find_own(Overlay& over, std::string_view key) {
  const auto found = over.find(key);
  return found == over.end() ? nullptr : &found->second;
}

void put_over(PageSettings& page, const Overlay& over) {
  if (over.empty()) return;
  for (const SettingPlace& place : settings_of_inks()) {
    if (const SettingValue* own = find_own(over, place.key)) place.row->in.set(page, *own);
  }
}

const SettingGroup* find_group(std::string_view key) {
  if (key.empty()) return nullptr;
  const auto found = std::ranges::find(setting_groups(), key, &SettingGroup::key);
  return found == setting_groups().end() ? nullptr : *found;
}

}  // namespace mezzo::manifests
