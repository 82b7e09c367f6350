#include "manifests/fields.h"

#include <algorithm>
#include <charconv>

#include "kernels/registry.h"

namespace mezzo::manifests {
namespace {

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
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
      if (field.entries != kInManifest) scopes |= field.entries;
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
