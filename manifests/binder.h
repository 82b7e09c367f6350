// From YAML nodes to checked values, driven by the table of fields.
//
// A Binder reads one map at a time: every key is looked up in the table, every value is checked
// against its field, and every mistake is recorded with its place. A wrong value is left out of the
// result, so that each mistake is reported once and reading goes on. The kinds of values are
// read in manifests/kinds.
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
#include "manifests/kinds/reading.h"
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

class Binder : public Reading {
 public:
  /// `document` is the scope at the top of the text: only keys that belong in it are suggested.
  Binder(const SourceText& source, std::vector<Diagnostic>& diagnostics, Scope document)
      : Reading(source, diagnostics), document_(document) {}

  /// The values of a map. Keys among `other_keys` are left to the caller.
  BoundMap bind(const YamlNode& map,
                Scope scope,
                std::span<const std::string_view> other_keys = {});

  Scope document() const { return document_; }

  /// The checked value of a field; monostate when it is wrong, which is recorded then.
  SettingValue value(const YamlNode& node, const Field& field);

 private:
  void complain_unknown(const YamlNode& value,
                        Scope scope,
                        std::span<const std::string_view> other_keys);
  void complain_missing(const YamlNode& map, Scope scope, const Field& field);

  const Scope document_;
};

}  // namespace mezzo::manifests
