// From YAML nodes to checked values, driven by the table of fields.
//
// A Binder reads one map at a time: every key is looked up in the table, every value is checked
// against its field, and every mistake is recorded with its place. A wrong value is left out of the
// result, so that each mistake is reported once and reading goes on. Fields that only folder.yaml
// has are read in folder_binder.cpp.
#pragma once

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "manifests/fields.h"
#include "manifests/path_template.h"
#include "manifests/setting_value.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {

/// The good values of a map, by key.
class BoundMap {
 public:
  struct Entry {
    const YamlNode* node = nullptr;
    SettingValue value;
  };

  void add(std::string_view key, Entry entry) { entries_[key] = std::move(entry); }

  const std::map<std::string_view, Entry>& entries() const { return entries_; }

  const YamlNode* node(std::string_view key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : found->second.node;
  }

  /// The value of the key, or null when it is not there or was wrong.
  template <typename T>
  const T* get(std::string_view key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : std::get_if<T>(&found->second.value);
  }

  /// Gives the target the value of the key, if there is a good one. Whole numbers and times are
  /// within the range of their field.
  template <typename T>
  void set(std::string_view key, T& target) const {
    constexpr bool is_whole = (std::is_integral_v<T> && !std::is_same_v<T, bool>) ||
                              std::is_same_v<T, std::chrono::milliseconds>;
    using Stored = std::conditional_t<is_whole, uint64_t, T>;
    if (const auto* value = get<Stored>(key)) target = static_cast<T>(*value);
  }

 private:
  std::map<std::string_view, Entry> entries_;
};

class Binder {
 public:
  /// `document` is the scope at the top of the text: only keys that belong in it are suggested.
  Binder(const SourceText& source, std::vector<Diagnostic>& diagnostics, Scope document)
      : source_(source), diagnostics_(diagnostics), document_(document) {}

  /// The values of a map. Keys among `other_keys` are left to the caller.
  BoundMap bind(const YamlNode& map,
                Scope scope,
                std::span<const std::string_view> other_keys = {});

  Scope document() const { return document_; }
  const SourceText& source() const { return source_; }

  /// The checked value of a field; monostate when it is wrong, which is recorded then.
  SettingValue value(const YamlNode& node, const Field& field);

  void complain(Place place, std::string message, std::string hint = {});

  /// Records the mistakes of another file.
  void add(std::vector<Diagnostic> mistakes);

  /// Records that a node is not of the expected kind.
  void complain_kind(const YamlNode& node,
                     std::string_view name,
                     const std::string& expectation,
                     const std::string& hint = {});

  /// The place of the byte `offset` of a text, as far as quotes and escapes show it.
  Place place_inside(const YamlNode& text, size_t offset) const;

 private:
  bool has_kind(const YamlNode& node, const Field& field);
  void complain_unknown(const YamlNode& value,
                        Scope scope,
                        std::span<const std::string_view> other_keys);
  void complain_missing(const YamlNode& map, Scope scope, const Field& field);
  SettingValue refused(Place place,
                       const Field& field,
                       const std::string& problem,
                       const std::string& hint = {});
  SettingValue unexpected(const YamlNode& node, const Field& field, const std::string& hint = {});
  SettingValue unless(const std::optional<TemplateProblem>& problem,
                      const YamlNode& node,
                      const Field& field);
  SettingValue scalar(const YamlNode& node, const Field& field);
  SettingValue number(const YamlNode& node, const Field& field);
  SettingValue percent(const YamlNode& node, const Field& field);
  SettingValue numbers(const YamlNode& node, const Field& field);
  SettingValue byte_size(const YamlNode& node, const Field& field);
  SettingValue length(const YamlNode& node, const Field& field);
  SettingValue rotation(const YamlNode& node, const Field& field);
  SettingValue boolean(const YamlNode& node, const Field& field);
  SettingValue plain_text(const YamlNode& node, const Field& field);
  SettingValue choice(const YamlNode& node, const Field& field);
  SettingValue choices(const YamlNode& node, const Field& field);
  SettingValue job_name(const YamlNode& node, const Field& field);
  SettingValue title(const YamlNode& node, const Field& field);
  SettingValue date(const YamlNode& node, const Field& field);
  SettingValue version(const YamlNode& node, const Field& field);
  SettingValue page_selection(const YamlNode& node, const Field& field);
  SettingValue curve(const YamlNode& node, const Field& field);
  SettingValue measures(const YamlNode& node, const Field& field);
  std::optional<CurvePoint> curve_point(const YamlNode& node, const Field& field);
  SettingValue lab(const YamlNode& node, const Field& field);
  SettingValue duration(const YamlNode& node, const Field& field);
  SettingValue time_windows(const YamlNode& node, const Field& field);
  SettingValue inks(const YamlNode& node, const Field& field);
  bool is_good_ink(const YamlNode& node, const std::vector<std::string>& others);

  const SourceText& source_;
  std::vector<Diagnostic>& diagnostics_;
  const Scope document_;
};

/// "nothing", "a list", "a map", "the text '4'", "'abc'": a node, for messages.
std::string describe(const YamlNode& node);

}  // namespace mezzo::manifests
