#include "manifests/binder.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernels/spelling/synonyms.h"
#include "manifests/geometry.h"
#include "manifests/job_name.h"
#include "manifests/parameters.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {
namespace {

/// Values that are not text for YAML, so that quotes around them change their meaning.
bool is_bare(FieldType type) {
  return type == FieldType::kVersion || type == FieldType::kInteger || type == FieldType::kNumber ||
         type == FieldType::kBoolean || type == FieldType::kEnd || type == FieldType::kRotation;
}

bool reads_as_boolean(std::string_view text) {
  constexpr std::string_view kBooleans[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
  return std::ranges::find(kBooleans, text) != std::end(kBooleans);
}

/// Another place in the document for the key: "under 'output'", "to a page". Empty when there is
/// none. A map that may stand beside the key comes before others.
std::string other_home(std::string_view key, Scope scope, Scope document) {
  const unsigned reach = scopes_below(document);
  for (const unsigned reachable : {static_cast<unsigned>(scope), reach}) {
    for (const Field& field : fields()) {
      if (field.name != key || (field.scopes & scope) != 0 || (field.scopes & reach) == 0) continue;
      for (const Field& home : fields()) {
        const bool is_map = has_fields(home) && (home.scopes & reachable) != 0;
        if (is_map && home.inside != scope && (field.scopes & home.inside) != 0) {
          return "under '" + std::string(home.name) + "'";
        }
      }
      if (reachable != reach) continue;
      if ((field.scopes & reach & kInPage) != 0) return "to a page";
      if ((field.scopes & document) != 0) return scope_name(document);
    }
  }
  const auto parameters = all_parameters();
  const bool is_parameter = std::ranges::find(parameters, key) != parameters.end();
  return is_parameter && (reach & kInHalftone) != 0 ? "under 'halftone'" : "";
}

/// What an unknown key is called here when it is a word of the field, or has its place elsewhere.
std::string advice_on_place(std::string_view key,
                            Scope scope,
                            Scope document,
                            std::span<const std::string_view> known) {
  if (const auto meaning = spelling::synonym_of(key, known); !meaning.empty()) {
    return "did you mean '" + std::string(meaning) + "'?";
  }
  for (const spelling::Synonym& synonym : spelling::synonyms()) {
    if (synonym.name != spelling::folded(key)) continue;
    const std::string home = other_home(synonym.meaning, scope, document);
    if (home.empty()) continue;
    return "did you mean '" + std::string(synonym.meaning) + "', which belongs " + home + "?";
  }
  const std::string home = other_home(key, scope, document);
  return home.empty() ? "" : "'" + std::string(key) + "' belongs " + home;
}

struct Document {
  Scope top;
  const char* name;
};
constexpr Document kDocuments[] = {{kInManifest, "the manifest of a job"},
                                   {kInFolder, "the settings of a hot folder"},
                                   {kInPress, "a press file"},
                                   {kInCurveFile, "a curve file"}};

/// Says so when the key belongs in another kind of document; empty when not.
std::string other_document(std::string_view key, Scope document) {
  for (const Document& other : kDocuments) {
    if (other.top == document || find_field(other.top, key) == nullptr) continue;
    return "'" + std::string(key) + "' belongs in " + other.name;
  }
  return {};
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

/// True when the map has the field, or a misspelt key that is reported as such.
bool is_meant_in(const YamlNode& map, Scope scope, const Field& field) {
  return std::ranges::any_of(map.items, [&](const YamlNode& item) {
    if (find_field(scope, item.key) != nullptr) return item.key == field.name;
    return meant(item.key, std::span(&field.name, 1)) == field.name;
  });
}

/// The hint for a text where a map was expected, and the like.
std::string advice_for(const Field& field, const YamlNode& node) {
  const bool is_text = field.type == FieldType::kText || field.type == FieldType::kTemplate ||
                       field.type == FieldType::kInkPattern;
  // `path: {stem}` is a map for YAML, and its author meant a text.
  if (is_text) return "a text that begins with '{' or '[' needs quotes";
  if (field.type == FieldType::kPageList) return "write each page in a line of its own, after '- '";
  if (has_fields(field) && node.kind == YamlNode::Kind::kText) {
    return "its keys go into the lines below it, indented, or into braces: {key: value}";
  }
  return {};
}

}  // namespace

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
    case YamlNode::Kind::kText:
      return (node.is_quoted ? "the text " : "") + in_quotes(node.text);
  }
  return {};
}

void Binder::complain(Place place, std::string message, std::string hint) {
  diagnostics_.push_back(source_.diagnostic(place, std::move(message), std::move(hint)));
}

void Binder::add(std::vector<Diagnostic> mistakes) {
  std::ranges::move(mistakes, std::back_inserter(diagnostics_));
}

void Binder::complain_kind(const YamlNode& node,
                           std::string_view name,
                           const std::string& expectation,
                           const std::string& hint) {
  if (node.is_refused) return;
  std::string advice = hint;
  if (node.kind == YamlNode::Kind::kNull) advice = "write a value, or leave it out";
  complain(node.place,
           "'" + std::string(name) + "' must be " + expectation + ", found " + describe(node),
           advice);
}

Place Binder::place_inside(const YamlNode& text, size_t offset) const {
  const std::string_view written = source_.at(text.place);
  const size_t begin = text.is_quoted ? 1 : 0;
  if (written.size() < begin || !written.substr(begin).starts_with(text.text)) return text.place;
  return {text.place.line, text.place.column + static_cast<uint32_t>(begin + offset)};
}

void Binder::complain_unknown(const YamlNode& value,
                              Scope scope,
                              std::span<const std::string_view> other_keys) {
  std::vector<std::string_view> known;
  for (const Field* field : fields_of(scope)) known.push_back(field->name);
  known.insert(known.end(), other_keys.begin(), other_keys.end());
  std::string hint = advice_on_place(value.key, scope, document_, known);
  if (hint.empty() && scope == document_) hint = other_document(value.key, document_);
  if (hint.empty()) {
    const std::string_view close = meant(value.key, known);
    hint = close.empty() ? "the keys here are " + joined(known)
                         : "did you mean '" + std::string(close) + "'?";
  }
  complain(value.key_place, "unknown key " + in_quotes(value.key) + " " + scope_name(scope), hint);
}

void Binder::complain_missing(const YamlNode& map, Scope scope, const Field& field) {
  const std::string where = scope == kInManifest    ? "the manifest"
                            : scope == kInPage      ? "this page"
                            : scope == kInPress     ? "the press file"
                            : scope == kInCurveFile ? "the curve file"
                            : scope == kInFolder    ? "the file"
                            : map.key.empty()       ? "this entry"  // of a list
                                                    : "'" + map.key + "'";
  const std::string name(field.name);
  complain(map.place,
           where + " has no '" + name + "', " + std::string(field.summary),
           "add '" + name + (field.type == FieldType::kVersion ? ": 1'" : ": ...'"));
}

BoundMap Binder::bind(const YamlNode& map,
                      Scope scope,
                      std::span<const std::string_view> other_keys) {
  BoundMap bound;
  for (const YamlNode& item : map.items) {
    if (item.is_refused) continue;
    const Field* field = find_field(scope, item.key);
    if (field == nullptr) {
      const bool is_known = std::ranges::find(other_keys, item.key) != other_keys.end();
      if (!is_known) complain_unknown(item, scope, other_keys);
      continue;
    }
    const size_t mistakes = diagnostics_.size();
    SettingValue checked = value(item, *field);
    if (diagnostics_.size() == mistakes) bound.add(field->name, {&item, std::move(checked)});
  }
  for (const Field* field : fields_of(scope)) {
    if (field->is_required && !is_meant_in(map, scope, *field))
      complain_missing(map, scope, *field);
  }
  return bound;
}

bool Binder::has_kind(const YamlNode& node, const Field& field) {
  using Kind = YamlNode::Kind;
  switch (field.type) {
    case FieldType::kMap:
      return node.kind == Kind::kMap || (field.or_none && node.kind == Kind::kText) ||
             (field.or_file && (node.kind == Kind::kText || node.kind == Kind::kList));
    case FieldType::kInkMap:
    case FieldType::kInkShares:
      return node.kind == Kind::kMap;
    case FieldType::kLengthOrMap:
    case FieldType::kPercentOrMap:
      return node.kind == Kind::kMap || node.kind == Kind::kText;
    case FieldType::kPageList:
    case FieldType::kCurve:
    case FieldType::kMeasures:
    case FieldType::kInks:
    case FieldType::kChoices:
    case FieldType::kNumbers:
    case FieldType::kPercents:
    case FieldType::kLab:
    case FieldType::kOverprints:
      return node.kind == Kind::kList;
    case FieldType::kTimeWindows:
    case FieldType::kPageSelection:
      return node.kind == Kind::kText || node.kind == Kind::kList;
    default:
      return node.kind == Kind::kText;
  }
}

SettingValue Binder::value(const YamlNode& node, const Field& field) {
  if (!has_kind(node, field)) {
    complain_kind(node, field.name, expected(field), advice_for(field, node));
    return {};
  }
  const bool is_map = has_fields(field) && node.kind == YamlNode::Kind::kMap;
  const bool is_list = field.or_file && node.kind == YamlNode::Kind::kList;
  const bool is_of_caller = is_map || is_list || field.type == FieldType::kPageList ||
                            field.type == FieldType::kInkShares ||
                            field.type == FieldType::kOverprints;
  if (is_of_caller) return {};
  if (field.or_file) return plain_text(node, field);
  if (field.or_none) return node.text == "none" ? SettingValue(node.text) : unexpected(node, field);
  if (field.type == FieldType::kLab) return lab(node, field);
  if (field.type == FieldType::kCurve) return curve(node, field);
  if (field.type == FieldType::kMeasures) return measures(node, field);
  if (field.type == FieldType::kPageSelection) return page_selection(node, field);
  if (field.type == FieldType::kTimeWindows) return time_windows(node, field);
  if (field.type == FieldType::kInks) return inks(node, field);
  if (field.type == FieldType::kChoices) return choices(node, field);
  if (node.kind == YamlNode::Kind::kList) return numbers(node, field);
  if (is_bare(field.type) && node.is_quoted) {
    return unexpected(node, field, "take the quotes away");
  }
  return scalar(node, field);
}

SettingValue Binder::refused(Place place,
                             const Field& field,
                             const std::string& problem,
                             const std::string& hint) {
  complain(place, "'" + std::string(field.name) + "' " + problem, hint);
  return {};
}

SettingValue Binder::unless(const std::optional<TemplateProblem>& problem,
                            const YamlNode& node,
                            const Field& field) {
  if (!problem) return node.text;
  return refused(place_inside(node, problem->offset), field, problem->problem, problem->hint);
}

SettingValue Binder::unexpected(const YamlNode& node, const Field& field, const std::string& hint) {
  return refused(
      node.place, field, "must be " + expected(field) + ", found " + describe(node), hint);
}

SettingValue Binder::scalar(const YamlNode& node, const Field& field) {
  switch (field.type) {
    case FieldType::kVersion:
      return version(node, field);
    case FieldType::kTitle:
    case FieldType::kLine:
      return title(node, field);
    case FieldType::kDate:
      return date(node, field);
    case FieldType::kJobName:
      return job_name(node, field);
    case FieldType::kInteger:
    case FieldType::kNumber:
      return number(node, field);
    case FieldType::kPercent:
    case FieldType::kPercentOrMap:
      return percent(node, field);
    case FieldType::kByteSize:
      return byte_size(node, field);
    case FieldType::kLength:
    case FieldType::kLengthOrMap:
      return length(node, field);
    case FieldType::kRotation:
      return rotation(node, field);
    case FieldType::kBoolean:
    case FieldType::kEnd:
      return boolean(node, field);
    case FieldType::kDuration:
      return duration(node, field);
    case FieldType::kInkPattern:
      return unless(check_ink_pattern(node.text), node, field);
    case FieldType::kChoice:
      return choice(node, field);
    case FieldType::kTemplate:
      return unless(check_plate_template(node.text), node, field);
    case FieldType::kFileTemplate: {
      const std::vector<std::string_view> suffixes = field.choices();
      const std::string_view json = field.default_json;
      return unless(
          check_file_template(node.text, suffixes, json.substr(1, json.size() - 2)), node, field);
    }
    case FieldType::kSha256: {
      auto parsed = parse_sha256(node.text);
      if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
      return *parsed.value;
    }
    default:
      return plain_text(node, field);
  }
}

SettingValue Binder::number(const YamlNode& node, const Field& field) {
  const auto in_range = [&](const auto& parsed) -> SettingValue {
    const auto value = static_cast<double>(parsed.value.value_or(0));
    const bool is_good = parsed.value && value >= field.minimum && value <= field.maximum;
    return is_good ? SettingValue(*parsed.value) : unexpected(node, field, parsed.hint);
  };
  const std::string_view number = without_unit(node.text, unit_of(field)).first;
  return field.type == FieldType::kInteger ? in_range(parse_integer(number))
                                           : in_range(parse_number(node.text));
}

SettingValue Binder::percent(const YamlNode& node, const Field& field) {
  const auto parsed = parse_percent(node.text);
  const double value = parsed.value.value_or(0);
  const bool is_good = parsed.value && value >= field.minimum && value <= field.maximum;
  return is_good ? SettingValue(value) : unexpected(node, field, parsed.hint);
}

SettingValue Binder::numbers(const YamlNode& node, const Field& field) {
  std::vector<double> numbers;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = !is_text                             ? Parsed<double>()
                        : field.type == FieldType::kPercents ? parse_percent(item.text)
                                                             : parse_number(item.text);
    if (parsed.value && *parsed.value >= field.minimum && *parsed.value <= field.maximum) {
      numbers.push_back(*parsed.value);
    } else {
      unexpected(item, field, parsed.hint);
    }
  }
  return numbers;
}

SettingValue Binder::lab(const YamlNode& node, const Field& field) {
  if (node.items.size() != 3) {
    return refused(
        node.place,
        field,
        "must be " + expected(field) + ", found a list of " + std::to_string(node.items.size()));
  }
  std::vector<double> lab;
  for (const YamlNode& item : node.items) {
    const bool is_lightness = lab.empty();
    const double minimum = is_lightness ? 0 : -150, maximum = is_lightness ? 100 : 150;
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = is_text ? parse_number_from(minimum, false, item.text) : Parsed<double>();
    if (!parsed.value || *parsed.value < minimum || *parsed.value > maximum) {
      return refused(item.place,
                     field,
                     std::string("must have ") +
                         (is_lightness ? "an L* from 0 to 100" : "a* and b* from -150 to 150") +
                         ", found " + describe(item),
                     parsed.hint);
    }
    lab.push_back(*parsed.value);
  }
  return lab;
}

SettingValue Binder::byte_size(const YamlNode& node, const Field& field) {
  const auto parsed = parse_byte_size(node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  const auto bytes = static_cast<double>(*parsed.value);
  const bool is_small = bytes < field.minimum;
  if (!is_small && bytes <= field.maximum) return *parsed.value;
  return refused(node.place,
                 field,
                 (is_small ? "must be at least " + size_text(field.minimum)
                           : "must be at most " + size_text(field.maximum)) +
                     ", found " + describe(node),
                 is_small ? "a number without a unit means bytes" : "");
}

SettingValue Binder::length(const YamlNode& node, const Field& field) {
  const auto parsed = parse_length(node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  const auto micrometres = static_cast<double>(*parsed.value);
  if (micrometres >= field.minimum && micrometres <= field.maximum) return *parsed.value;
  const bool is_short = micrometres < field.minimum;
  const double bound = is_short ? field.minimum : field.maximum;
  return refused(node.place,
                 field,
                 (is_short ? "must be at least " : "must be at most ") +
                     length_text(static_cast<uint64_t>(bound)) + ", found " + describe(node));
}

SettingValue Binder::rotation(const YamlNode& node, const Field& field) {
  const auto parsed = parse_integer(node.text);
  if (parsed.value && is_rotation(*parsed.value)) return *parsed.value;
  return unexpected(node, field, node.text == "-90" ? "turn by 270 clockwise" : "");
}

SettingValue Binder::boolean(const YamlNode& node, const Field& field) {
  const auto parsed = parse_boolean(node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  const bool is_end = field.type == FieldType::kEnd;
  if (is_end && !*parsed.value) return unexpected(node, field, "leave it out");
  return *parsed.value;
}

SettingValue Binder::plain_text(const YamlNode& node, const Field& field) {
  if (node.text.empty()) return refused(node.place, field, "must not be empty");
  if (!node.is_quoted && (reads_as_number(node.text) || reads_as_boolean(node.text))) {
    const std::string what = reads_as_boolean(node.text) ? "the boolean " : "the number ";
    return refused(node.place,
                   field,
                   "must be a text, found " + what + in_quotes(node.text),
                   "put it in quotes when that is its name");
  }
  return node.text;
}

/// A number is a good name, as many presses have one.
SettingValue Binder::title(const YamlNode& node, const Field& field) {
  const bool is_boolean = !node.is_quoted && reads_as_boolean(node.text);
  if (node.text.empty() || is_boolean) return unexpected(node, field);
  const size_t most =
      field.type == FieldType::kTitle ? kMaxTitleBytes : static_cast<size_t>(field.maximum);
  if (node.text.size() <= most) return node.text;
  return refused(node.place,
                 field,
                 "must have at most " + std::to_string(most) + " bytes, found " +
                     std::to_string(node.text.size()));
}

SettingValue Binder::date(const YamlNode& node, const Field& field) {
  const auto parsed = parse_date(node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  return node.text;
}

SettingValue Binder::version(const YamlNode& node, const Field& field) {
  const auto parsed = parse_integer(node.text);
  if (parsed.value == kManifestVersion) return *parsed.value;
  const bool is_newer = parsed.value && *parsed.value > kManifestVersion;
  complain(node.place,
           "'" + std::string(field.name) + "' must be 1, the " + std::string(field.summary) +
               ", found " + in_quotes(node.text),
           is_newer ? "a newer mezzotint may read it" : "");
  return {};
}

SettingValue Binder::job_name(const YamlNode& node, const Field& field) {
  if (!node.is_quoted && reads_as_boolean(node.text)) {
    return refused(node.place,
                   field,
                   "must be " + expected(field) + ", found the boolean " + in_quotes(node.text),
                   "put it in quotes when that is its name");
  }
  auto problem = check_job_name(node.text);
  if (problem) problem->hint = "a job's name is made of letters, digits, spaces and . _ -";
  return unless(problem, node, field);
}

SettingValue Binder::choice(const YamlNode& node, const Field& field) {
  const auto parsed = parse_choice(field.choices(), node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  return node.text;
}

SettingValue Binder::choices(const YamlNode& node, const Field& field) {
  std::vector<std::string> chosen;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    if (item.kind != YamlNode::Kind::kText) {
      unexpected(item, field);
    } else if (std::ranges::find(chosen, item.text) != chosen.end()) {
      complain(item.place,
               "'" + std::string(field.name) + "' has " + in_quotes(item.text) + " twice");
    } else if (std::holds_alternative<std::string>(choice(item, field))) {
      chosen.push_back(item.text);
    }
  }
  return chosen;
}

SettingValue Binder::page_selection(const YamlNode& node, const Field& field) {
  // A list is read as its entries with commas between them; each entry must be good by itself, so
  // that a mistake is shown at its place.
  std::vector<uint32_t> pages;
  const std::span<const YamlNode> parts =
      node.kind == YamlNode::Kind::kList ? std::span(node.items) : std::span(&node, 1);
  if (parts.empty()) complain(node.place, "'pages' is an empty list", "leave it out for all pages");
  for (const YamlNode& part : parts) {
    if (part.is_refused) continue;
    if (part.kind != YamlNode::Kind::kText) {
      complain_kind(part, field.name, expected(field));
      continue;
    }
    auto parsed = parse_page_ranges(part.text);
    if (!parsed.value) {
      complain(part.place, "'pages' " + parsed.problem, parsed.hint);
      continue;
    }
    if (!pages.empty() && parsed.value->front() <= pages.back()) {
      complain(part.place,
               "'pages' must rise, and page " + std::to_string(parsed.value->front() + 1) +
                   " comes after page " + std::to_string(pages.back() + 1),
               "pages are taken in the order of the file, each once");
    }
    pages.insert(pages.end(), parsed.value->begin(), parsed.value->end());
  }
  return pages;
}

std::optional<CurvePoint> Binder::curve_point(const YamlNode& node, const Field& field) {
  const std::string what = "a pair such as [50%, 54%]";
  const std::string point = "a point of '" + std::string(field.name) + "' must ";
  if (node.is_refused) return std::nullopt;
  if (node.kind != YamlNode::Kind::kList || node.items.size() != 2) {
    const std::string actual = node.kind == YamlNode::Kind::kList
                                   ? "a list of " + std::to_string(node.items.size())
                                   : describe(node);
    complain(node.place, point + "be " + what + ", found " + actual);
    return std::nullopt;
  }
  double numbers[2] = {};
  bool good = true;
  for (size_t i = 0; i < 2; ++i) {
    const YamlNode& item = node.items[i];
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = is_text ? parse_percent(item.text) : Parsed<double>();
    if (parsed.value && *parsed.value <= 100) {
      numbers[i] = *parsed.value;
      continue;
    }
    good = false;
    if (item.is_refused) continue;
    complain(item.place,
             point + "hold percentages from 0% to 100%, found " + describe(item),
             parsed.hint);
  }
  return good ? std::optional(CurvePoint{numbers[0], numbers[1]}) : std::nullopt;
}

SettingValue Binder::curve(const YamlNode& node, const Field& field) {
  if (node.items.size() < 2 || node.items.size() > kMaxCurvePoints) {
    return refused(node.place,
                   field,
                   "must have 2 to " + std::to_string(kMaxCurvePoints) + " points, found " +
                       std::to_string(node.items.size()),
                   "[[0%, 0%], [100%, 100%]] changes nothing");
  }
  std::vector<CurvePoint> points;
  for (const YamlNode& item : node.items) {
    const auto point = curve_point(item, field);
    if (!point) continue;
    if (!points.empty() && point->in_percent <= points.back().in_percent) {
      complain(item.place,
               "the first numbers of curve points must rise, and " +
                   plain_number(point->in_percent) + "% comes after " +
                   plain_number(points.back().in_percent) + "%");
    } else if (!points.empty() && point->out_percent < points.back().out_percent) {
      complain(item.place,
               "the second numbers of curve points must not fall, and " +
                   plain_number(point->out_percent) + "% comes after " +
                   plain_number(points.back().out_percent) + "%");
    }
    points.push_back(*point);
  }
  if (points.size() < node.items.size()) return {};
  if (const auto wrong = check_span(points)) {
    const YamlNode& item = wrong->is_at_end ? node.items.back() : node.items.front();
    return refused(item.place, field, wrong->problem, wrong->hint);
  }
  return points;
}

SettingValue Binder::measures(const YamlNode& node, const Field& field) {
  const auto most = static_cast<size_t>(field.maximum);
  if (node.items.size() > most) {
    return refused(node.place,
                   field,
                   "must have at most " + std::to_string(most) + " pairs, found " +
                       std::to_string(node.items.size()));
  }
  std::vector<CurvePoint> measures;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    std::vector<double> pair;
    for (const YamlNode& number : item.items) {
      const bool is_negative = number.text.starts_with('-');
      const auto parsed = parse_percent(std::string_view(number.text).substr(is_negative ? 1 : 0));
      const double value = parsed.value.value_or(0) * (is_negative ? -1 : 1);
      const bool is_text = number.kind == YamlNode::Kind::kText;
      if (is_text && parsed.value && value >= kLeastMeasure && value <= kMostMeasure) {
        pair.push_back(value);
      }
    }
    if (item.kind == YamlNode::Kind::kList && item.items.size() == 2 && pair.size() == 2) {
      measures.push_back({pair[0], pair[1]});
    } else {
      complain(item.place,
               "an entry of '" + std::string(field.name) +
                   "' must be the nominal and the measured dot of a patch in percent",
               "such as [50%, 64.2%]");
    }
  }
  return measures;
}

}  // namespace mezzo::manifests
