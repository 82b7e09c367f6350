// The kinds of values that fields have: one table with all that depends on the kind. It comes in families, a source
// each: numbers.cpp, words.cpp, texts.cpp, inks.cpp, lists.cpp, maps.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "manifests/fields.h"
#include "manifests/setting_value.h"

namespace mezzo::manifests {

class Reading;
struct YamlNode;

/// What may be written for a value.
enum Form : unsigned { kTextForm = 1, kListForm = 2, kMapForm = 4 };

/// A row of the table.
struct Kind {
  FieldType type;
  unsigned forms = kTextForm;

  /// What a value must be, after "must be", where it is the same for all fields; else rule_of() says it.
  std::string_view rule = {};
  std::string (*rule_of)(const Field& field) = nullptr;
  /// Whether editors show the rule by themselves, from the schema.
  bool is_rule_shown = false;
  /// How to mend a value of another form.
  std::string_view advice = {};
  /// The value that is suggested for a key that is missing.
  std::string_view sample = "...";

  /// Returns the checked value of a node of its form; monostate for a wrong one, which is recorded then. Null: the
  /// caller reads the node.
  SettingValue (*read)(Reading& reading, const YamlNode& node, const Field& field) = nullptr;
  /// Whether quotes would make a text of it.
  bool is_bare = false;
  /// Whether any text is good, where that of a number or a boolean is in quotes.
  bool is_any_text = false;

  /// The schema of a value; `rule` is that of the field.
  nlohmann::ordered_json (*schema)(const Field& field, const std::string& rule);

  /// A whole number as people write it; null: its digits.
  std::string (*text)(uint64_t value) = nullptr;
  bool is_percent = false;   ///< a number, or each of a list, is written with its sign
  bool is_word = false;      ///< a text is written without quotes
  bool is_template = false;  ///< of a path
};

const Kind& kind_of(FieldType type);
const Kind& kind_of(const Field& field);

/// The rule for the field's values: "a whole number from 0 to 1024".
std::string expected(const Field& field);

/// The families.
std::span<const Kind> number_kinds();
std::span<const Kind> word_kinds();
std::span<const Kind> text_kinds();
std::span<const Kind> ink_kinds();
std::span<const Kind> list_kinds();
std::span<const Kind> map_kinds();

}  // namespace mezzo::manifests
