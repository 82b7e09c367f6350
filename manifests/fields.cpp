#include "manifests/fields.h"

#include <algorithm>
#include <charconv>

#include "kernels/registry.h"
#include "manifests/source_text.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {
namespace {

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Milliseconds in the largest unit that gives a whole number.
std::string duration_text(double milliseconds) {
  return to_string(std::chrono::milliseconds(static_cast<int64_t>(milliseconds)));
}

std::string range(const Field& field) {
  return " from " + plain_number(field.minimum) + " to " + plain_number(field.maximum);
}

}  // namespace

std::vector<const Field*> fields_of(Scope scope) {
  std::vector<const Field*> found;
  for (const Field& field : fields()) {
    if ((field.scopes & scope) != 0) found.push_back(&field);
  }
  return found;
}

const Field* find_field(Scope scope, std::string_view name) {
  for (const Field& field : fields()) {
    if ((field.scopes & scope) != 0 && field.name == name) return &field;
  }
  return nullptr;
}

unsigned scopes_below(Scope root) {
  unsigned scopes = root;
  for (unsigned before = 0; before != scopes;) {
    before = scopes;
    for (const Field& field : fields()) {
      if ((field.scopes & scopes) == 0) continue;
      if (has_fields(field)) scopes |= field.inside;
      if (field.type == FieldType::kPageList) scopes |= kInPage;
    }
  }
  return scopes;
}

std::string scope_name(Scope scope) {
  if (scope == kInManifest) return "at the top of the manifest";
  if (scope == kInFolder) return "at the top of the folder's settings";
  if (scope == kInPress) return "at the top of the press file";
  if (scope == kInCurveFile) return "at the top of the curve file";
  if (scope == kInPage) return "in a page";
  if (scope == kInInk || scope == kInPressInk) return "in an ink";
  if (scope == kInPressCurves) return "in 'curves' of a press";
  if (scope == kInInkOutput) return "in 'output' of an ink";
  for (const Field& field : fields()) {
    if (has_fields(field) && field.inside == scope) {
      return "in '" + std::string(field.name) + "'";
    }
  }
  return {};
}

std::string expected(const Field& field) {
  switch (field.type) {
    case FieldType::kVersion:
      return std::to_string(kManifestVersion);
    case FieldType::kJobName:
      return "a name of letters, digits, spaces and . _ -";
    case FieldType::kTitle:
      return "a name such as XL 106, board";
    case FieldType::kLine:
      return "a line of text";
    case FieldType::kDate:
      return "a date such as 2026-11-20";
    case FieldType::kInteger:
      return "a whole number" + range(field);
    case FieldType::kNumber:
      return "a number" + range(field);
    case FieldType::kByteSize:
      return "a size such as 512 MiB or 1 GiB";
    case FieldType::kLength:
      return "a length such as 3 mm";
    case FieldType::kRotation:
      return "0, 90, 180 or 270";
    case FieldType::kPercent:
      return "a percentage" + range(field);
    case FieldType::kNumbers:
      return "a list of numbers" + range(field);
    case FieldType::kPercents:
      return "a list of percentages" + range(field);
    case FieldType::kBoolean:
      return "true or false";
    case FieldType::kEnd:
      return "true";
    case FieldType::kChoice:
      return alternatives(field.choices());
    case FieldType::kChoices:
      return "[" + joined(field.choices()) + "], or some of them";
    case FieldType::kSchedule:
      return "a schedule of the method";
    case FieldType::kDuration:
      return "a time from " + duration_text(field.minimum) + " to " + duration_text(field.maximum);
    case FieldType::kTimeWindows:
      return "a list of spans such as 22:00-06:00 or Mon-Fri 18:30-24:00";
    case FieldType::kInk:
      return "the name of an ink such as cyan";
    case FieldType::kInks:
      return "a list of names of inks such as [cyan, magenta, yellow, black]";
    case FieldType::kInkShares:
      return "a map of inks and percentages such as {cyan: 10%, magenta: 90%}";
    case FieldType::kInkPattern:
      return "a file's name such as {page}_{ink}.tif";
    case FieldType::kFolder:
      return "a folder";
    case FieldType::kFile:
      return "a file";
    case FieldType::kText:
      return "a file, a pattern or a folder";
    case FieldType::kTemplate:
      return "a path such as plates/{stem}_{ink}.tif";
    case FieldType::kFileTemplate:
      return "a path such as " +
             std::string(field.default_json.substr(1, field.default_json.size() - 2));
    case FieldType::kLab:
      return "a list of L*, a* and b* such as [55, -37, -50]";
    case FieldType::kOverprints:
      return "a list such as [{inks: [cyan, magenta], lab: [24, 22, -46]}]";
    case FieldType::kSha256:
      return "the 64 hexadecimal digits of a SHA-256";
    case FieldType::kPageSelection:
      return "pages such as 3 or 1-3, 7";
    case FieldType::kCurve:
      return "a list of points such as [[0%, 0%], [50%, 54%], [100%, 100%]]";
    case FieldType::kMeasures:
      return "a list of pairs of percentages such as [50%, 64.2%]";
    case FieldType::kMap:
      return field.or_file   ? "a file, a map of keys and values, or a list of these"
             : field.or_none ? "none, or a map of keys and values"
                             : "a map of keys and values";
    case FieldType::kInkMap:
      return "a map of inks and their settings such as {cyan: {label: C}, varnish: drop}";
    case FieldType::kLengthOrMap:
      return "a length such as 3 mm, or a map with one for each side";
    case FieldType::kPercentOrMap:
      return "a percentage" + range(field) + ", or a map of keys and values";
    case FieldType::kPageList:
      return "a list of pages";
  }
  return {};
}

std::vector<std::string_view> all_schedules() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    for (const std::string_view name : schedules_of(method)) add_once(names, name);
  }
  return names;
}

std::vector<std::string_view> all_parameters() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) add_once(names, parameter.name);
  }
  return names;
}

const ParameterInfo* find_parameter(const MethodInfo& method, std::string_view name) {
  const auto found = std::ranges::find(method.parameters, name, &ParameterInfo::name);
  return found == method.parameters.end() ? nullptr : &*found;
}

std::vector<std::string_view> schedules_of(const MethodInfo& method) {
  std::vector<std::string_view> names;
  for (const ScheduleInfo& schedule : method.schedules) add_once(names, schedule.name);
  return names;
}

std::string plain_number(double value) {
  char text[32];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  return error == std::errc() ? std::string(text, end) : std::string("?");
}

}  // namespace mezzo::manifests
