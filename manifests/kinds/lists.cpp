// Selections of pages, curves, measured dots and hours of the week.
#include <nlohmann/json.hpp>

#include "manifests/kinds/kind.h"
#include "manifests/kinds/reading.h"
#include "manifests/kinds/schema_parts.h"
#include "manifests/scalars.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {
namespace {

using schema::Json;

constexpr const char* kPageRangesPattern =
    "^ *[1-9][0-9]*( *- *[1-9][0-9]*)? *(, *[1-9][0-9]*( *- *[1-9][0-9]*)? *)*$";

constexpr const char* kTimeWindowPattern =
    "^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?"
    "( *, *(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?)* +)?"
    "([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";

SettingValue read_page_selection(Reading& reading, const YamlNode& node, const Field& field) {
  // A list is read as its entries with commas between them; each entry must be good by itself, so
  // that a mistake is shown at its place.
  std::vector<uint32_t> pages;
  const std::span<const YamlNode> parts =
      node.kind == YamlNode::Kind::kList ? std::span(node.items) : std::span(&node, 1);
  if (parts.empty())
    reading.complain(node.place, "'pages' is an empty list", "leave it out for all pages");
  for (const YamlNode& part : parts) {
    if (part.is_refused) continue;
    if (part.kind != YamlNode::Kind::kText) {
      reading.complain_kind(part, field.name, expected(field));
      continue;
    }
    auto parsed = parse_page_ranges(part.text);
    if (!parsed.value) {
      reading.complain(part.place, "'pages' " + parsed.problem, parsed.hint);
      continue;
    }
    if (!pages.empty() && parsed.value->front() <= pages.back()) {
      reading.complain(part.place,
                       "'pages' must rise, and page " + std::to_string(parsed.value->front() + 1) +
                           " comes after page " + std::to_string(pages.back() + 1),
                       "pages are taken in the order of the file, each once");
    }
    pages.insert(pages.end(), parsed.value->begin(), parsed.value->end());
  }
  return pages;
}

std::optional<CurvePoint> curve_point(Reading& reading, const YamlNode& node, const Field& field) {
  const std::string what = "a pair such as [50%, 54%]";
  const std::string point = "a point of '" + std::string(field.name) + "' must ";
  if (node.is_refused) return std::nullopt;
  if (node.kind != YamlNode::Kind::kList || node.items.size() != 2) {
    const std::string actual = node.kind == YamlNode::Kind::kList
                                   ? "a list of " + std::to_string(node.items.size())
                                   : describe(node);
    reading.complain(node.place, point + "be " + what + ", found " + actual);
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
    reading.complain(item.place,
                     point + "hold percentages from 0% to 100%, found " + describe(item),
                     parsed.hint);
  }
  return good ? std::optional(CurvePoint{numbers[0], numbers[1]}) : std::nullopt;
}

SettingValue read_curve(Reading& reading, const YamlNode& node, const Field& field) {
  if (node.items.size() < 2 || node.items.size() > kMaxCurvePoints) {
    return reading.refused(node.place,
                           field,
                           "must have 2 to " + std::to_string(kMaxCurvePoints) + " points, found " +
                               std::to_string(node.items.size()),
                           "[[0%, 0%], [100%, 100%]] changes nothing");
  }
  std::vector<CurvePoint> points;
  for (const YamlNode& item : node.items) {
    const auto point = curve_point(reading, item, field);
    if (!point) continue;
    if (!points.empty() && point->in_percent <= points.back().in_percent) {
      reading.complain(item.place,
                       "the first numbers of curve points must rise, and " +
                           plain_number(point->in_percent) + "% comes after " +
                           plain_number(points.back().in_percent) + "%");
    } else if (!points.empty() && point->out_percent < points.back().out_percent) {
      reading.complain(item.place,
                       "the second numbers of curve points must not fall, and " +
                           plain_number(point->out_percent) + "% comes after " +
                           plain_number(points.back().out_percent) + "%");
    }
    points.push_back(*point);
  }
  if (points.size() < node.items.size()) return {};
  if (const auto wrong = check_span(points)) {
    const YamlNode& item = wrong->is_at_end ? node.items.back() : node.items.front();
    return reading.refused(item.place, field, wrong->problem, wrong->hint);
  }
  return points;
}

SettingValue read_measures(Reading& reading, const YamlNode& node, const Field& field) {
  const auto most = static_cast<size_t>(field.maximum);
  if (node.items.size() > most) {
    return reading.refused(node.place,
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
      reading.complain(item.place,
                       "an entry of '" + std::string(field.name) +
                           "' must be the nominal and the measured dot of a patch in percent",
                       "such as [50%, 64.2%]");
    }
  }
  return measures;
}

SettingValue read_time_windows(Reading& reading, const YamlNode& node, const Field& field) {
  const std::span<const YamlNode> parts =
      node.kind == YamlNode::Kind::kList ? std::span(node.items) : std::span(&node, 1);
  if (parts.empty() || parts.size() > kMaxTimeWindows) {
    return reading.refused(node.place,
                           field,
                           "must have 1 to " + std::to_string(kMaxTimeWindows) + " spans, found " +
                               std::to_string(parts.size()),
                           parts.empty() ? "leave it out for all hours" : "");
  }
  std::vector<TimeWindow> windows;
  for (const YamlNode& part : parts) {
    if (part.is_refused) continue;
    if (part.kind != YamlNode::Kind::kText) {
      reading.complain(part.place, "an entry of 'hours' must be a text, found " + describe(part));
      continue;
    }
    const auto parsed = parse_time_window(part.text);
    if (parsed.value) {
      windows.push_back(*parsed.value);
    } else {
      reading.refused(part.place, field, parsed.problem, parsed.hint);
    }
  }
  return windows;
}

Json page_selection_schema(const Field&, const std::string& rule) {
  const Json one = schema::either(schema::range("integer", 1, kMaxPageNumber),
                                  schema::pattern(kPageRangesPattern, rule));
  Json list = schema::list_of(one);
  list["minItems"] = 1;
  return schema::any_of(one, list);
}

Json curve_schema(const Field&, const std::string& rule) {
  Json point = schema::list_of(schema::percent(0, 100, rule));
  point.update({{"minItems", 2}, {"maxItems", 2}});
  Json list = schema::list_of(point);
  list.update({{"minItems", 2}, {"maxItems", kMaxCurvePoints}});
  return list;
}

Json measures_schema(const Field& field, const std::string&) {
  Json pair = schema::list_of(schema::either(
      schema::pattern("^-?" + std::string(schema::kNumberPattern) + "( ?%)?$", "a percentage"),
      schema::range("number", kLeastMeasure, kMostMeasure)));
  pair.update({{"minItems", 2}, {"maxItems", 2}});
  Json list = schema::list_of(pair);
  list.update({{"maxItems", schema::number(field.maximum)}});
  return list;
}

Json time_windows_schema(const Field&, const std::string& rule) {
  const Json one = schema::pattern(kTimeWindowPattern, rule);
  Json list = schema::list_of(one);
  list.update({{"minItems", 1}, {"maxItems", kMaxTimeWindows}});
  return schema::any_of(one, list);
}

constexpr Kind kKindsOfList[] = {
    {.type = FieldType::kPageSelection,
     .forms = kTextForm | kListForm,
     .rule = "pages such as 3 or 1-3, 7",
     .read = read_page_selection,
     .schema = page_selection_schema},
    {.type = FieldType::kCurve,
     .forms = kListForm,
     .rule = "a list of points such as [[0%, 0%], [50%, 54%], [100%, 100%]]",
     .read = read_curve,
     .schema = curve_schema},
    {.type = FieldType::kMeasures,
     .forms = kListForm,
     .rule = "a list of pairs of percentages such as [50%, 64.2%]",
     .read = read_measures,
     .schema = measures_schema},
    {.type = FieldType::kTimeWindows,
     .forms = kTextForm | kListForm,
     .rule = "a list of spans such as 22:00-06:00 or Mon-Fri 18:30-24:00",
     .read = read_time_windows,
     .schema = time_windows_schema},
};

}  // namespace

std::span<const Kind> list_kinds() {
  return kKindsOfList;
}

}  // namespace mezzo::manifests
