#include "pipeline/cluster/plan/plan_format_1.h"

#include <algorithm>
#include <optional>
#include <string>

#include "manifests/settings/setting.h"

namespace mezzo::cluster {
namespace {

using json::Value;

/// A setting whose member had another name than its key. If it has words, the member was a boolean.
struct OldName {
  std::string_view key, path;
  std::string_view yes = {}, no = {};
};

constexpr OldName kOldNames[] = {
    {"tone.curve", "tone.points"},
    {"output.resolution", "output.resolution_dpi"},
    {"assume_resolution", "assumed_dpi"},
    {"profile", "colour.profile"},
    {"colour.assume.rgb", "colour.rgb"},
    {"colour.assume.cmyk", "colour.cmyk"},
    {"colour.assume.grey", "colour.grey"},
    {"colour.grey", "colour.greys"},
    {"colour.embedded", "colour.ignores_embedded", "ignore", "use"},
    {"levels.overlap", "levels.overlap_percent"},
    {"levels.format", "levels.packed", "packed", "planes"},
    {"ink_limit.most", "ink_limit.percent"},
    {"ink_limit.count", "ink_limit.counts_spots", "all", "process"},
    {"ink_limit.check", "ink_limit.only_checks"},
};

OldName old_name(const std::string& key) {
  const auto* found = std::ranges::find(kOldNames, key, &OldName::key);
  return found == std::end(kOldNames) ? OldName{key, key} : *found;
}

Value* member_of(Value& object, std::string_view key) {
  Value::Object* members = object.members();
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(*members, key, &json::Member::key);
  return found == members->end() ? nullptr : &found->value;
}

/// The member "gamma", or "tone.gamma", of the object; null if it has none.
Value* find_at(Value& object, std::string_view path) {
  const size_t dot = path.find('.');
  if (dot == path.npos) return member_of(object, path);
  Value* map = member_of(object, path.substr(0, dot));
  return map == nullptr ? nullptr : member_of(*map, path.substr(dot + 1));
}

/// Takes a member out of the object.
std::optional<Value> taken(Value& object, std::string_view path) {
  Value* found = find_at(object, path);
  if (found == nullptr) return std::nullopt;
  Value value = std::move(*found);
  const size_t dot = path.find('.');
  Value& map = dot == path.npos ? object : *member_of(object, path.substr(0, dot));
  std::erase_if(*map.members(), [&](const auto& one) { return one.key == path.substr(dot + 1); });
  return value;
}

/// The same for a boolean. Anything else stays, and is refused later.
std::optional<bool> taken_flag(Value& object, std::string_view path) {
  const Value* found = find_at(object, path);
  if (found == nullptr || found->flag() == nullptr) return std::nullopt;
  return *taken(object, path)->flag();
}

/// The word that a boolean stands for. Anything else stays, and is refused later.
Value in_words(Value value, const OldName& name) {
  const bool* flag = name.yes.empty() ? nullptr : value.flag();
  return flag == nullptr ? value : Value(*flag ? name.yes : name.no);
}

void move_group(const manifests::SettingGroup& group, Value& object, Value& settings) {
  for (const auto& row : group.rows) {
    const std::string key = key_of(group, row);
    const OldName name = old_name(key);
    const bool is_length = row.field.type == manifests::FieldType::kLength;
    auto value = taken(object, std::string(name.path) + (is_length ? "_um" : ""));
    if (value) settings[key] = in_words(std::move(*value), name);
  }
}

/// A boolean said whether drops are in picolitres.
void move_levels(Value& object, Value& settings) {
  if (taken_flag(object, "levels.in_picolitres") == false) {
    if (auto drops = taken(object, "levels.drops")) settings["levels.volumes"] = std::move(*drops);
  }
  move_group(*manifests::find_group("levels"), object, settings);
}

/// Two choices were booleans: output.existing and extra_channels.
void move_choices(Value& sheet, Value& settings) {
  const bool replaces_any = taken_flag(sheet, "output.replace_any").value_or(false);
  if (const auto replaces = taken_flag(sheet, "output.replace")) {
    settings["output.existing"] = !*replaces ? "refuse" : replaces_any ? "overwrite" : "replace";
  }
  if (taken_flag(sheet, "ignore_extra_channels") == true) settings["extra_channels"] = "ignore";
}

void drop_empty_maps(Value& object) {
  std::erase_if(*object.members(), [](const json::Member& one) {
    return manifests::find_group(one.key) != nullptr && one.value == Value::object();
  });
}

void update_ink(Value& ink) {
  Value settings = Value::object();
  for (const auto& [group, row, key] : manifests::settings_of_inks()) {
    auto value = taken(ink, manifests::last_part(old_name(key).path));
    const bool is_none = value == Value("") || value == Value(Value::list());
    if (value && !is_none) settings[key] = std::move(*value);
  }
  move_levels(ink, settings);
  drop_empty_maps(ink);
  ink["settings"] = std::move(settings);
}

void update_sheet(Value& sheet) {
  if (sheet.members() == nullptr) return;
  Value settings = Value::object();
  move_choices(sheet, settings);
  move_levels(sheet, settings);
  for (const manifests::SettingGroup* group : manifests::setting_groups()) {
    move_group(*group, sheet, settings);
  }
  drop_empty_maps(sheet);
  sheet["settings"] = std::move(settings);
  Value* inks = member_of(sheet, "inks");
  if (inks == nullptr || inks->items() == nullptr) return;
  for (Value& ink : *inks->items()) {
    if (ink.members() != nullptr) update_ink(ink);
  }
}

}  // namespace

void update_format(Value& plan) {
  Value* version = member_of(plan, "v");
  if (version == nullptr || *version != Value(1)) return;
  *version = Value(2);
  Value* sheets = member_of(plan, "sheets");
  if (sheets == nullptr || sheets->items() == nullptr) return;
  for (Value& sheet : *sheets->items()) update_sheet(sheet);
}

}  // namespace mezzo::cluster
