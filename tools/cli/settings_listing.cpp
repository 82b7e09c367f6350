#include "tools/cli/settings_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "manifests/json/value.h"
#include "manifests/origins.h"
#include "pipeline/text.h"
#include "tools/cli/report.h"

namespace mezzo::cli {
namespace {

using manifests::Layer;
using manifests::ResolvedSetting;

/// Pages that have the same settings from the same places.
struct Group {
  std::vector<std::string> inputs;
  const manifests::Origins* origins = nullptr;
  const manifests::PageSettings* settings = nullptr;
};

std::vector<Group> groups_of(const manifests::Job& job) {
  std::vector<Group> groups;
  for (const manifests::JobPage& page : job.pages) {
    if (!page.origins) continue;
    auto group = std::ranges::find_if(groups, [&](const Group& other) {
      return other.origins == page.origins.get() || other.origins->all() == page.origins->all();
    });
    if (group == groups.end()) {
      groups.push_back({{}, page.origins.get(), &page.settings});
      group = std::prev(groups.end());
    }
    group->inputs.push_back(page.input);
  }
  return groups;
}

std::string_view name_of(Layer layer) {
  constexpr std::string_view kNames[] = {"built in", "press", "defaults", "page"};
  return kNames[static_cast<size_t>(layer)];
}

const std::string& file_of(const manifests::Job& job, Layer layer) {
  return layer == Layer::kPress ? job.press_file : job.manifest;
}

std::string inputs_text(const std::vector<std::string>& inputs) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, inputs.size()); ++i) {
    text += (i == 0 ? "" : ", ") + inputs[i];
  }
  if (inputs.size() > kShown) text += fmt::format(" and {} more", inputs.size() - kShown);
  return text;
}

void print_group(const manifests::Job& job, const std::vector<ResolvedSetting>& settings) {
  size_t key_width = 0, value_width = 0;
  for (const ResolvedSetting& setting : settings) {
    key_width = std::max(key_width, setting.key.size());
    value_width = std::max(value_width, std::min<size_t>(setting.origin.value.size(), 40));
  }
  for (const auto& [key, origin] : settings) {
    const std::string place =
        origin.layer == Layer::kBuiltIn
            ? ""
            : fmt::format(", {}:{}", file_of(job, origin.layer), origin.place.line);
    fmt::print("  {:<{}}  {:<{}}  {}{}\n",
               key,
               key_width,
               origin.value,
               value_width,
               name_of(origin.layer),
               place);
  }
}

}  // namespace

void print_settings(const manifests::Job& job, bool all) {
  const std::vector<Group> groups = groups_of(job);
  for (const Group& group : groups) {
    fmt::print("settings of {}:\n", groups.size() == 1 ? "all pages" : inputs_text(group.inputs));
    print_group(job, manifests::resolved_settings(*group.settings, *group.origins, all));
  }
}

void print_settings_json(const manifests::Job& job, bool all) {
  for (const Group& group : groups_of(job)) {
    json::Value line = {{"v", 1}, {"type", "settings"}, {"inputs", group.inputs}};
    line["settings"] = json::Value::list();
    for (const auto& [key, origin] :
         manifests::resolved_settings(*group.settings, *group.origins, all)) {
      json::Value one = {{"key", key}, {"value", origin.value}, {"from", name_of(origin.layer)}};
      if (origin.layer != Layer::kBuiltIn) {
        one["file"] = file_of(job, origin.layer);
        one["line"] = origin.place.line;
        one["column"] = origin.place.column;
      }
      line["settings"].push_back(std::move(one));
    }
    print_line(line);
  }
}

}  // namespace mezzo::cli
