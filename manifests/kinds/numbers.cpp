// Numbers, with a unit or without, and lists of them.
#include <chrono>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "manifests/geometry.h"
#include "manifests/kinds/kind.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/parameters.h"
#include "manifests/scalars.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

constexpr const char* kLengthPattern = "^(0|[1-9][0-9]*)(\\.[0-9]{1,3})? ?mm$";

constexpr const char* kSizePattern = "^(0|[1-9][0-9]*)( ?(KiB|MiB|GiB|TiB|KB|MB|GB|TB))?$";

constexpr const char* kDurationPattern = "^(0|[1-9][0-9]*) ?(ms|s|min|h|days?)$";

/// Milliseconds in the largest unit that gives a whole number.
std::string duration_text(double milliseconds) {
  return to_string(std::chrono::milliseconds(static_cast<int64_t>(milliseconds)));
}

std::string range_text(const Field& field) {
  return " from " + plain_number(field.minimum) + " to " + plain_number(field.maximum);
}

/// A size in the largest unit that gives a whole number.
std::string size_text(double bytes) {
  constexpr std::string_view kUnits[] = {" bytes", " KiB", " MiB", " GiB", " TiB"};
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && bytes >= 1024 && std::fmod(bytes, 1024) == 0; ++unit) {
    bytes /= 1024;
  }
  return plain_number(bytes) + std::string(kUnits[unit]);
}

/// A number within the range of the field.
template <typename T>
SettingValue in_range(Reading& reading,
                      const YamlNode& node,
                      const Field& field,
                      const Parsed<T>& parsed) {
  const auto value = static_cast<double>(parsed.value.value_or(0));
  const bool is_good = parsed.value && value >= field.minimum && value <= field.maximum;
  return is_good ? SettingValue(*parsed.value) : reading.unexpected(node, field, parsed.hint);
}

SettingValue read_integer(Reading& reading, const YamlNode& node, const Field& field) {
  const std::string_view digits = without_unit(node.text, unit_of(field)).first;
  return in_range(reading, node, field, parse_integer(digits));
}

SettingValue read_number(Reading& reading, const YamlNode& node, const Field& field) {
  return in_range(reading, node, field, parse_number(node.text));
}

SettingValue read_percent(Reading& reading, const YamlNode& node, const Field& field) {
  return in_range(reading, node, field, parse_percent(node.text));
}

SettingValue read_list(Reading& reading,
                       const YamlNode& node,
                       const Field& field,
                       Parsed<double> (*parse)(std::string_view)) {
  std::vector<double> numbers;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = is_text ? parse(item.text) : Parsed<double>();
    if (parsed.value && *parsed.value >= field.minimum && *parsed.value <= field.maximum) {
      numbers.push_back(*parsed.value);
    } else {
      reading.unexpected(item, field, parsed.hint);
    }
  }
  return numbers;
}

SettingValue read_numbers(Reading& reading, const YamlNode& node, const Field& field) {
  return read_list(reading, node, field, parse_number);
}

SettingValue read_percents(Reading& reading, const YamlNode& node, const Field& field) {
  return read_list(reading, node, field, parse_percent);
}

SettingValue read_byte_size(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_byte_size(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  const auto bytes = static_cast<double>(*parsed.value);
  const bool is_small = bytes < field.minimum;
  if (!is_small && bytes <= field.maximum) return *parsed.value;
  return reading.refused(node.place,
                         field,
                         (is_small ? "must be at least " + size_text(field.minimum)
                                   : "must be at most " + size_text(field.maximum)) +
                             ", found " + describe(node),
                         is_small ? "a number without a unit means bytes" : "");
}

SettingValue read_length(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_length(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  const auto micrometres = static_cast<double>(*parsed.value);
  if (micrometres >= field.minimum && micrometres <= field.maximum) return *parsed.value;
  const bool is_short = micrometres < field.minimum;
  const double bound = is_short ? field.minimum : field.maximum;
  return reading.refused(node.place,
                         field,
                         (is_short ? "must be at least " : "must be at most ") +
                             length_text(static_cast<uint64_t>(bound)) + ", found " +
                             describe(node));
}

SettingValue read_rotation(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_integer(node.text);
  if (parsed.value && is_rotation(*parsed.value)) return *parsed.value;
  return reading.unexpected(node, field, node.text == "-90" ? "turn by 270 clockwise" : "");
}

SettingValue read_duration(Reading& reading, const YamlNode& node, const Field& field) {
  const auto parsed = parse_duration(node.text);
  if (!parsed.value) return reading.refused(node.place, field, parsed.problem, parsed.hint);
  const auto milliseconds = static_cast<double>(parsed.value->count());
  if (milliseconds < field.minimum || milliseconds > field.maximum) {
    return reading.unexpected(node, field);
  }
  return static_cast<uint64_t>(parsed.value->count());
}

Json integer_schema(const Field& field, const std::string& rule) {
  const Json whole = schema::range("integer", field.minimum, field.maximum);
  if (unit_of(field).empty()) return whole;
  const std::string digits = std::string(schema::kWholePattern) + unit_pattern(unit_of(field));
  return schema::either(whole, schema::pattern("^" + digits + "$", rule));
}

Json number_schema(const Field& field, const std::string&) {
  return schema::range("number", field.minimum, field.maximum);
}

Json percent_schema(const Field& field, const std::string& rule) {
  return schema::percent(field.minimum, field.maximum, rule);
}

Json length_schema(const Field&, const std::string& rule) {
  return schema::pattern(kLengthPattern, rule);
}

/// A default, in whole gibibytes.
std::string gibibytes_text(uint64_t bytes) {
  return plain_number(static_cast<double>(bytes) / (1024 * kMiB)) + " GiB";
}

constexpr Kind kKindsOfNumber[] = {
    {.type = FieldType::kInteger,
     .rule_of = [](const Field& field) { return "a whole number" + range_text(field); },
     .read = read_integer,
     .is_bare = true,
     .schema = integer_schema},
    {.type = FieldType::kNumber,
     .rule_of = [](const Field& field) { return "a number" + range_text(field); },
     .read = read_number,
     .is_bare = true,
     .schema = number_schema},
    {.type = FieldType::kNumbers,
     .forms = kListForm,
     .rule_of = [](const Field& field) { return "a list of numbers" + range_text(field); },
     .read = read_numbers,
     .schema = [](const Field& field,
                  const std::string& rule) { return schema::list_of(number_schema(field, rule)); }},
    {.type = FieldType::kPercent,
     .rule_of = [](const Field& field) { return "a percentage" + range_text(field); },
     .read = read_percent,
     .schema = percent_schema,
     .is_percent = true},
    {.type = FieldType::kPercents,
     .forms = kListForm,
     .rule_of = [](const Field& field) { return "a list of percentages" + range_text(field); },
     .read = read_percents,
     .schema = [](const Field& field,
                  const std::string& rule) { return schema::list_of(percent_schema(field, rule)); },
     .is_percent = true},
    {.type = FieldType::kPercentOrMap,
     .forms = kTextForm | kMapForm,
     .rule_of =
         [](const Field& field) {
           return "a percentage" + range_text(field) + ", or a map of keys and values";
         },
     .read = read_percent,
     .schema =
         [](const Field& field, const std::string& rule) {
           return schema::any_of(percent_schema(field, rule), schema::definition(field.inside));
         }},
    {.type = FieldType::kByteSize,
     .rule = "a size such as 512 MiB or 1 GiB",
     .read = read_byte_size,
     .schema =
         [](const Field& field, const std::string& rule) {
           return schema::either(schema::pattern(kSizePattern, rule),
                                 schema::range("integer", field.minimum, field.maximum));
         },
     .text = gibibytes_text},
    {.type = FieldType::kLength,
     .rule = "a length such as 3 mm",
     .read = read_length,
     .schema = length_schema,
     .text = length_text},
    {.type = FieldType::kLengthOrMap,
     .forms = kTextForm | kMapForm,
     .rule = "a length such as 3 mm, or a map with one for each side",
     .read = read_length,
     .schema =
         [](const Field& field, const std::string& rule) {
           return schema::any_of(length_schema(field, rule), schema::definition(field.inside));
         }},
    {.type = FieldType::kRotation,
     .rule = "0, 90, 180 or 270",
     .is_rule_shown = true,
     .read = read_rotation,
     .is_bare = true,
     .schema =
         [](const Field&, const std::string&) {
           return Json{{"enum", {0, 90, 180, 270}}};
         }},
    {.type = FieldType::kDuration,
     .rule_of =
         [](const Field& field) {
           return "a time from " + duration_text(field.minimum) + " to " +
                  duration_text(field.maximum);
         },
     .read = read_duration,
     .schema = [](const Field&,
                  const std::string& rule) { return schema::pattern(kDurationPattern, rule); },
     .text = [](uint64_t value) { return to_string(std::chrono::milliseconds(value)); }},
};

}  // namespace

std::span<const Kind> number_kinds() {
  return kKindsOfNumber;
}

}  // namespace mezzo::manifests
