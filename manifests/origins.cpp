#include "manifests/origins.h"

#include <algorithm>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/plate_settings.h"
#include "manifests/settings/setting.h"

namespace mezzo::manifests {
namespace {

constexpr std::string_view kUses[] = {"plate", "as", "to", "from"};

std::string ink_key_of(const std::string& ink) {
  return "inks." + ink;
}

/// The value as it could be written in one line.
std::string text_of(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kText) return node.text;
  const bool is_map = node.kind == YamlNode::Kind::kMap;
  std::string text;
  for (const YamlNode& item : node.items) {
    text += (text.empty() ? "" : ", ") + (is_map ? item.key + ": " : "") + text_of(item);
  }
  return is_map ? "{" + text + "}" : "[" + text + "]";
}

/// Whether a key below a `halftone` block is one of the settings.
bool counts(std::string_view key, const HalftoneSettings& halftone) {
  if (key == "method" || key == "engine") return true;
  if (key == "schedule") return !halftone.schedule.empty();
  if (key == kTileKey) return !halftone.tile.path.empty();
  return halftone.parameters.contains(std::string(key));
}

std::string built_in_value(const ParameterInfo& parameter) {
  if (parameter.source == ParameterInfo::Source::kInk) return "that of the ink";
  if (parameter.source == ParameterInfo::Source::kPlate) return "that of the plate";
  if (!parameter.choices.empty()) {
    return std::string(choice_name(parameter, parameter.default_value));
  }
  return plain_number(parameter.default_value) + (parameter.percent ? "%" : "");
}

/// Collects what resolved_settings() gives.
class Listing {
 public:
  Listing(const Origins& origins, bool all) : origins_(origins), all_(all) {}

  void add(const std::string& key, std::string_view built_in) {
    if (const Origin* origin = origins_.find(key)) {
      settings_.push_back({key, *origin});
    } else if (all_ && !built_in.empty()) {
      settings_.push_back({key, {Layer::kBuiltIn, {}, std::string(built_in)}});
    }
  }

  void add_fields(Scope scope, const std::string& prefix, const PageSettings& settings) {
    for (const Field* field : fields_of(scope)) {
      const bool is_setting = scope != kInPage || (field->scopes & kInDefaults) != 0;
      if (!is_setting || field->type == FieldType::kInkMap) continue;
      const std::string key = prefix + std::string(field->name);
      std::string_view value = field->default_json;
      if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
      add(key, value);
      const bool is_whole = origins_.find(key) != nullptr;
      const SettingGroup* group = find_group(key);
      const bool is_absent =
          group != nullptr && group->is_used != nullptr && !group->is_used(settings);
      if (has_fields(*field) && !is_whole && !is_absent) {
        add_fields(
            field->inside == kInCurves ? kInPressCurves : field->inside, key + ".", settings);
      }
    }
    if (scope == kInHalftone) add_parameters(settings.halftone.method);
  }

  void add_inks() {
    for (const auto& [key, origin] : origins_.all()) {
      if (key.starts_with("inks.")) settings_.push_back({key, origin});
    }
  }

  std::vector<ResolvedSetting> take() { return std::move(settings_); }

 private:
  void add_parameters(const std::string& method) {
    for (const ParameterInfo& parameter : find_method(method)->parameters) {
      add("halftone." + std::string(parameter.name), built_in_value(parameter));
    }
  }

  const Origins& origins_;
  const bool all_;
  std::vector<ResolvedSetting> settings_;
};

}  // namespace

void Origins::add(Layer layer,
                  const std::string& key,
                  const YamlNode& value,
                  const PageSettings& settings) {
  if (value.is_refused) return;
  if (key == "inks") return add_ink(layer, value, settings);
  const std::string_view name = std::string_view(key).substr(key.rfind('.') + 1);
  const bool is_none = value.kind == YamlNode::Kind::kText && value.text == "none";
  const SettingGroup* group = find_group(name);
  if (is_none || (group != nullptr && group->is_whole)) forget(key);
  const bool is_leaf = value.kind != YamlNode::Kind::kMap || key.ends_with(".to");
  if (is_leaf) {
    origins_[key] = {layer, value.place, text_of(value)};
    return;
  }
  // A map makes what a lower layer left out.
  const auto below = origins_.find(key);
  if (below != origins_.end() && below->second.value == "none") origins_.erase(below);
  for (const YamlNode& item : value.items) add(layer, key + "." + item.key, item, settings);
}

void Origins::add_ink(Layer layer, const YamlNode& inks, const PageSettings& settings) {
  for (const YamlNode& item : inks.items) {
    const InkSettings* ink = find_ink(settings, item.key);
    if (ink == nullptr) continue;
    const bool has_use = std::ranges::any_of(item.items, [](const YamlNode& inside) {
      return std::ranges::find(kUses, inside.key) != std::end(kUses);
    });
    if (item.kind == YamlNode::Kind::kText || has_use) forget_ink_use(ink->ink);
    add(layer, ink_key_of(ink->ink), item, settings);
  }
}

/// The key and all inside.
void Origins::forget(const std::string& key) {
  std::erase_if(origins_, [&](const auto& entry) {
    return entry.first == key || entry.first.starts_with(key + ".");
  });
}

void Origins::forget_ink_use(const std::string& ink) {
  origins_.erase(ink_key_of(ink));
  for (const std::string_view use : kUses) {
    origins_.erase(ink_key_of(ink) + "." + std::string(use));
  }
}

void Origins::copy_ink(const std::string& from, const std::string& to) {
  const std::string prefix = ink_key_of(from);
  std::map<std::string, Origin> copies;
  for (const auto& [key, origin] : origins_) {
    const bool is_its = key == prefix || key.starts_with(prefix + ".");
    if (is_its) copies[ink_key_of(to) + key.substr(prefix.size())] = origin;
  }
  origins_.merge(copies);
}

void Origins::keep_valid(const PageSettings& settings) {
  std::erase_if(origins_, [&](const auto& entry) {
    const std::string& key = entry.first;
    constexpr std::string_view kBlock = "halftone.";
    if (key.starts_with(kBlock)) return !counts(key.substr(kBlock.size()), settings.halftone);
    return std::ranges::any_of(settings.inks, [&](const InkSettings& ink) {
      const std::string block = ink_key_of(ink.ink) + "." + std::string(kBlock);
      return key.starts_with(block) && !counts(key.substr(block.size()), ink.halftone);
    });
  });
}

const Origin* Origins::find(const std::string& key) const {
  const auto found = origins_.find(key);
  return found == origins_.end() ? nullptr : &found->second;
}

std::vector<ResolvedSetting> resolved_settings(const PageSettings& settings,
                                               const Origins& origins,
                                               bool all) {
  Listing listing(origins, all);
  listing.add_fields(kInPage, "", settings);
  listing.add_inks();
  return listing.take();
}

}  // namespace mezzo::manifests
