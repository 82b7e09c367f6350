#include "manifests/fields.h"

#include <algorithm>
#include <charconv>

#include "manifests/source_text.h"

namespace mezzo {
namespace {

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  return names;
}

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const EngineInfo& engine : engines()) names.push_back(engine.name);
  return names;
}

// A test of the pipeline holds this list against the one of the TIFF writer.
std::vector<std::string_view> compression_names() {
  return {"auto", "none", "packbits", "lzw", "deflate", "zstd", "g3", "g4"};
}

std::vector<std::string_view> existing_names() {
  return {"replace", "refuse"};
}

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kTiB = kMiB * kMiB;
constexpr unsigned kInSettings = kInDefaults | kInPage;

const Field kFields[] = {
    {.name = "mezzotint",
     .scopes = kInManifest,
     .type = FieldType::kVersion,
     .summary = "version of the manifest's format",
     .is_required = true},
    {.name = "job",
     .scopes = kInManifest,
     .type = FieldType::kJobName,
     .summary = "name of the job, for reports and for {job} in paths",
     .is_required = true},
    {.name = "priority",
     .scopes = kInManifest,
     .type = FieldType::kInteger,
     .summary = "place among the jobs that wait; higher goes first",
     .minimum = 0,
     .maximum = 100,
     .default_json = "50"},
    {.name = "limits",
     .scopes = kInManifest,
     .type = FieldType::kMap,
     .summary = "what the job may use of the machine",
     .inside = kInLimits},
    {.name = "memory",
     .scopes = kInLimits,
     .type = FieldType::kByteSize,
     .summary = "most memory for pages in work, such as 1 GiB",
     .minimum = kMiB,
     .maximum = 1024 * kTiB,
     .default_json = "\"1 GiB\""},
    {.name = "device_memory",
     .scopes = kInLimits,
     .type = FieldType::kByteSize,
     .summary = "most memory of each GPU, such as 4 GiB; left out: nine tenths of what is free",
     .minimum = kMiB,
     .maximum = 1024 * kTiB},
    {.name = "threads",
     .scopes = kInLimits,
     .type = FieldType::kInteger,
     .summary = "most processors to use; 0 means all",
     .minimum = 0,
     .maximum = 1024,
     .default_json = "0"},
    {.name = "defaults",
     .scopes = kInManifest,
     .type = FieldType::kMap,
     .summary = "settings of every page that says nothing else",
     .inside = kInDefaults},
    {.name = "pages_total",
     .scopes = kInManifest,
     .type = FieldType::kInteger,
     .summary = "number of entries in pages; with 'end: true' as the last line, a manifest that "
                "was cut off is always noticed",
     .minimum = 1,
     .maximum = kMaxPageEntries},
    {.name = "pages",
     .scopes = kInManifest,
     .type = FieldType::kPageList,
     .summary = "what to print, in this order",
     .is_required = true},
    {.name = "end",
     .scopes = kInManifest,
     .type = FieldType::kEnd,
     .summary = "last line of a manifest that gives pages_total"},
    {.name = "input",
     .scopes = kInPage,
     .type = FieldType::kText,
     .summary = "a TIFF file, a pattern (* ? [..]) or a folder, from the manifest's folder",
     .is_required = true},
    {.name = "pages",
     .scopes = kInPage,
     .type = FieldType::kPageSelection,
     .summary = "pages of a multi-page file, counted from 1, such as 1-3, 7"},
    {.name = "sha256",
     .scopes = kInPage,
     .type = FieldType::kSha256,
     .summary = "digest that the input file must have"},
    {.name = "halftone",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "how tones become dots: a method and its parameters",
     .inside = kInHalftone},
    {.name = "method",
     .scopes = kInHalftone,
     .type = FieldType::kChoice,
     .summary = "halftoning method",
     .choices = method_names,
     .default_json = "\"floyd-steinberg\""},
    {.name = "engine",
     .scopes = kInHalftone,
     .type = FieldType::kChoice,
     .summary = "where it runs; the result is the same everywhere",
     .choices = engine_names,
     .default_json = "\"auto\""},
    {.name = "schedule",
     .scopes = kInHalftone,
     .type = FieldType::kSchedule,
     .summary = "one way of the method to run, for comparisons; the result is the same"},
    {.name = "tone",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "how tones change before halftoning",
     .inside = kInTone},
    {.name = "invert",
     .scopes = kInTone,
     .type = FieldType::kBoolean,
     .summary = "exchange ink and paper",
     .default_json = "false"},
    {.name = "gamma",
     .scopes = kInTone,
     .type = FieldType::kNumber,
     .summary = "exponent of ink coverage; more than 1 prints lighter",
     .minimum = 0.1,
     .maximum = 10,
     .default_json = "1.0"},
    {.name = "curve",
     .scopes = kInTone,
     .type = FieldType::kCurve,
     .summary = "points of a transfer curve, [coverage asked for, coverage to print], rising"},
    {.name = "output",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "where plates go",
     .inside = kInOutput},
    {.name = "path",
     .scopes = kInOutput,
     .type = FieldType::kTemplate,
     .summary = "path of a plate, below the manifest's folder, with {stem}, {page}, {ink}, {job}",
     .default_json = "\"plates/{stem}_{ink}.tif\""},
    {.name = "compression",
     .scopes = kInOutput,
     .type = FieldType::kChoice,
     .summary = "of the plates; auto measures and takes the smallest",
     .choices = compression_names,
     .default_json = "\"auto\""},
    {.name = "existing",
     .scopes = kInOutput,
     .type = FieldType::kChoice,
     .summary = "what to do with a plate that is there already",
     .choices = existing_names,
     .default_json = "\"replace\""},
};

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string range(const Field& field) {
  return " from " + plain_number(field.minimum) + " to " + plain_number(field.maximum);
}

}  // namespace

std::span<const Field> fields() {
  return kFields;
}

std::vector<const Field*> fields_of(Scope scope) {
  std::vector<const Field*> found;
  for (const Field& field : kFields) {
    if ((field.scopes & scope) != 0) found.push_back(&field);
  }
  return found;
}

const Field* find_field(Scope scope, std::string_view name) {
  for (const Field& field : kFields) {
    if ((field.scopes & scope) != 0 && field.name == name) return &field;
  }
  return nullptr;
}

std::string scope_name(Scope scope) {
  if (scope == kInManifest) return "at the top of the manifest";
  if (scope == kInPage) return "in a page";
  for (const Field& field : kFields) {
    if (field.type == FieldType::kMap && field.inside == scope) {
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
    case FieldType::kInteger:
      return "a whole number" + range(field);
    case FieldType::kNumber:
      return "a number" + range(field);
    case FieldType::kByteSize:
      return "a size such as 512 MiB or 1 GiB";
    case FieldType::kBoolean:
      return "true or false";
    case FieldType::kEnd:
      return "true";
    case FieldType::kChoice:
      return alternatives(field.choices());
    case FieldType::kSchedule:
      return "a schedule of the method";
    case FieldType::kText:
      return "a file, a pattern or a folder";
    case FieldType::kTemplate:
      return "a path such as plates/{stem}_{ink}.tif";
    case FieldType::kSha256:
      return "the 64 hexadecimal digits of a SHA-256";
    case FieldType::kPageSelection:
      return "pages such as 3 or 1-3, 7";
    case FieldType::kCurve:
      return "a list of points such as [[0%, 0%], [50%, 54%], [100%, 100%]]";
    case FieldType::kMap:
      return "a map of keys and values";
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

std::string_view meant(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr size_t kLongestName = 64;  // what is longer is no misspelt name, and costs time
  if (name.size() > kLongestName) return {};
  std::string lower;
  for (const char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return closest_name(lower, candidates);
}

std::string plain_number(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : std::string("?");
}

}  // namespace mezzo
