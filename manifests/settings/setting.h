// The settings of pages, a row each: the key, what it may be, and the member that holds it.
//
// Reading (settings_reader.cpp), writing (write_settings.cpp), schemas and keys.md, and what `check --settings` lists
// (origins.cpp) are loops over these rows; those of hot folders are in folder_rows.h. The parameters of methods are no
// rows, as the registry of methods is their table, nor is what becomes of an ink: readers of their own read both.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/fields.h"
#include "manifests/job.h"
#include "manifests/setting_value.h"

namespace mezzo::manifests {

/// How to reach the member of a record.
template <typename Record>
struct Access {
  SettingValue (*get)(const Record&) = nullptr;
  void (*set)(Record&, const SettingValue&) = nullptr;  ///< of a value that fits the field
};

enum Mark : unsigned {
  kIsPath = 1,         ///< starts from the folder of the file that names it
  kStated = 2,         ///< a manifest that is written has it with its usual value, too
  kQuoted = 4,         ///< a word that is written in quotes
  kPerInk = 8,         ///< an ink may have its own
  kReserved = 16,      ///< reaches beyond a hot folder, so that strangers may not set it there
  kWholeSeconds = 32,  ///< of a duration: half a second must not become 0, which is for ever
};

template <typename Record>
struct Setting {
  Field field;  ///< without a default, which is what the record has from the start
  Access<Record> in;
  unsigned marks = 0;
  bool has(Mark mark) const { return (marks & mark) != 0; }
};

/// What is wrong with values that are good alone.
struct Problem {
  std::string key;  ///< of the group; empty: the group itself
  std::string text;
  std::string hint;
  bool is_key = false;  ///< the key has no place here, however good its value
};

/// The keys of a map that are given with good values.
struct Given {
  std::vector<std::string_view> keys;
  Scope document;  ///< they are written in
  bool has(std::string_view key) const { return std::ranges::find(keys, key) != keys.end(); }
};

/// A map of settings.
struct SettingGroup {
  std::string_view key;  ///< "copies", "colour.assume"; empty: its rows are keys on top
  /// The map, once for each document that has another one; of a group without rows all its fields.
  std::span<const Field> maps = {};
  std::span<const Setting<PageSettings>> rows = {};
  bool is_whole = false;  ///< one value: that of a layer replaces the whole of those below
  void (*begin)(PageSettings&) = nullptr;                         ///< before its rows are set
  void (*clear)(PageSettings&) = nullptr;                         ///< `none`
  void (*set_all)(PageSettings&, const SettingValue&) = nullptr;  ///< one value stands for the map
  bool (*is_used)(const PageSettings&) = nullptr;  ///< listings leave out the rows of others
  std::optional<Problem> (*check)(const PageSettings&, const Given&) = nullptr;
};

/// All groups, in the order in which schemas and keys.md show their rows.
std::span<const SettingGroup* const> setting_groups();

/// The group of a key, such as "colour.assume"; null: it is no map of settings.
const SettingGroup* find_group(std::string_view key);

/// "copies.across".
std::string key_of(const SettingGroup& group, const Setting<PageSettings>& row);

/// "assume" of "colour.assume", and the map around it; empty: it is on top.
std::string_view last_part(std::string_view key);
std::string_view map_around(std::string_view key);

/// The map of the group in this document.
Scope inside_of(const SettingGroup& group, Scope document);

/// A row, its group and its key.
struct SettingPlace {
  const SettingGroup* group;
  const Setting<PageSettings>* row;
  std::string key;
};

/// The settings that the condition chooses, in the order of the table.
std::vector<SettingPlace> settings_where(bool (*is_it)(const Setting<PageSettings>&));

/// The settings that an ink may have of its own, in the order of the table.
std::span<const SettingPlace> settings_of_inks();

/// The value that an ink has of its own; null when it has none.
const SettingValue* find_own(const Overlay& over, std::string_view key);
SettingValue* find_own(Overlay& over, std::string_view key);

/// Puts settings of an ink over those of its page. Keys that inks do not have are no settings here.
void put_over(PageSettings& page, const Overlay& over);

/// The value as schemas show it; empty without one.
std::string json_of(const SettingValue& value, FieldType type);

/// The fields of groups, each with its default.
std::vector<Field> fields_of(std::span<const SettingGroup> groups);

/// Parts of setting_groups(), in page_groups.cpp and colour_groups.cpp.
std::span<const SettingGroup> page_groups();
std::span<const SettingGroup> colour_groups();

}  // namespace mezzo::manifests
