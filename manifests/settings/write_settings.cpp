#include "manifests/settings/write_settings.h"

#include <functional>

#include "manifests/kinds/kind.h"
#include "manifests/settings/manifest_text.h"
#include "manifests/settings/setting.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

using Row = Setting<PageSettings>;

/// Keys in the order in which manifests were always written, on which the digests of earlier jobs hang. Others come
/// behind them, in the order of the table.
constexpr std::string_view kWritten[] = {"tone",
                                         "output",
                                         "output.path",
                                         "output.compression",
                                         "output.existing",
                                         "output.mirror",
                                         "output.negative",
                                         "output.resolution",
                                         "output.verify",
                                         "extra_channels",
                                         "spot_polarity",
                                         "assume_resolution",
                                         "protect",
                                         "scale",
                                         "crop",
                                         "trim",
                                         "rotate",
                                         "copies",
                                         "profile",
                                         "colour",
                                         "ink_limit",
                                         "levels",
                                         "proof",
                                         "ppf"};

/// Likewise those of an ink.
constexpr std::string_view kWrittenOfInk[] = {
    "tone", "protect", "output", "output.path", "output.compression"};

/// A value as a manifest has it; empty without one.
struct TextOf {
  const Row& row;

  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(uint64_t value) const {
    const auto text = kind_of(row.field).text;
    return text == nullptr ? std::to_string(value) : text(value);
  }
  std::string operator()(double value) const {
    return kind_of(row.field).is_percent ? percent_text(value) : number_text(value);
  }
  std::string operator()(const std::string& value) const {
    return kind_of(row.field).is_word && !row.has(kQuoted) ? value : in_double_quotes(value);
  }
  std::string operator()(const CurvePoint& value) const {
    return "[" + percent_text(value.in_percent) + ", " + percent_text(value.out_percent) + "]";
  }
  std::string operator()(std::monostate) const { return {}; }
  // No settings of pages:
  std::string operator()(uint32_t) const { return {}; }
  std::string operator()(const TimeWindow&) const { return {}; }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ", ") + (*this)(value);
    return "[" + text + "]";
  }
};

/// A key of a map: a setting, or a map in it.
struct Key {
  std::string name;
  const SettingGroup* group;
  const Row* row;  ///< null: the map of the group
};

using ValueOf = std::function<SettingValue(const SettingGroup&, const Row&)>;

/// Writes rows that have a value, in a given order; keys that it does not have come last.
class Writer {
 public:
  Writer(std::span<const std::string_view> order, ValueOf value_of)
      : order_(order), value_of_(std::move(value_of)) {}

  /// All keys of a map, or those on top, in lines of that depth.
  std::string keys(const std::string& map, int depth) const {
    std::string text;
    for (const Key& key : keys_of(map)) {
      text += key.row == nullptr ? group(*key.group, depth) : row(*key.group, *key.row, depth);
    }
    return text;
  }

  std::string group(const SettingGroup& group, int depth) const {
    const std::string_view name = last_part(group.key);
    if (!group.is_whole) return block(depth, name, keys(std::string(group.key), depth + 1));
    std::string inside;
    for (const Row& row : group.rows) {
      if (const std::string value = value_text(group, row); !value.empty()) {
        inside += (inside.empty() ? "" : ", ") + std::string(row.field.name) + ": " + value;
      }
    }
    return inside.empty() ? "" : line(depth, name, "{" + inside + "}");
  }

 private:
  std::string row(const SettingGroup& group, const Row& row, int depth) const {
    const std::string value = value_text(group, row);
    return value.empty() ? "" : line(depth, row.field.name, value);
  }

  /// Empty without a value.
  std::string value_text(const SettingGroup& group, const Row& row) const {
    return std::visit(TextOf{row}, value_of_(group, row));
  }

  std::vector<Key> keys_of(const std::string& map) const {
    std::vector<Key> keys;
    for (const SettingGroup* group : setting_groups()) {
      if (!group->key.empty() && map_around(group->key) == map) {
        keys.push_back({std::string(group->key), group, nullptr});
      }
      if (group->key != map) continue;
      for (const Row& row : group->rows) keys.push_back({key_of(*group, row), group, &row});
    }
    std::ranges::stable_sort(
        keys, {}, [&](const Key& key) { return std::ranges::find(order_, key.name); });
    return keys;
  }

  std::span<const std::string_view> order_;
  ValueOf value_of_;
};

/// Whether the map of a group is there, where it need not be.
bool is_there(const SettingGroup& group, const PageSettings& settings) {
  if (group.begin == nullptr) return true;
  if (group.is_used != nullptr) return group.is_used(settings);
  return std::ranges::any_of(group.rows, [&, usual = PageSettings()](const Row& row) {
    return row.in.get(settings) != row.in.get(usual);
  });
}

/// What a manifest says of a setting: nothing where it is the usual value and need not be stated.
SettingValue value_to_write(const PageSettings& settings,
                            const SettingGroup& group,
                            const Row& row) {
  const Scope place = group.key.empty() ? kInDefaults : inside_of(group, kInManifest);
  if ((row.field.scopes & place) == 0 || !is_there(group, settings)) return {};
  SettingValue value = row.in.get(settings);
  const bool is_stated = group.begin != nullptr || row.has(kStated);
  return is_stated || value != row.in.get(PageSettings()) ? std::move(value) : SettingValue();
}

Writer writer_of(const PageSettings& settings) {
  return Writer(kWritten, [&settings](const SettingGroup& group, const Row& row) {
    return value_to_write(settings, group, row);
  });
}

}  // namespace

std::string settings_text(const PageSettings& settings, int depth) {
  return writer_of(settings).keys("", depth);
}

std::string settings_text(const SettingGroup& group, const PageSettings& settings, int depth) {
  return writer_of(settings).group(group, depth);
}

std::string overlay_text(const Overlay& over, int depth) {
  const Writer writer(kWrittenOfInk, [&over](const SettingGroup& group, const Row& row) {
    const SettingValue* own = find_own(over, key_of(group, row));
    return own == nullptr ? SettingValue() : *own;
  });
  return writer.keys("", depth);
}

}  // namespace mezzo::manifests
