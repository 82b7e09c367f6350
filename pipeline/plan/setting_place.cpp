#include "pipeline/plan/setting_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "manifests/origins.h"

namespace mezzo::plan {
namespace {

/// "--minimum-dot" for "halftone.minimum_dot". Empty for a path, which is an argument and not an option.
std::string option_of(const std::string& key) {
  if (key.ends_with(".path")) return {};
  std::string option = "--" + key.substr(key.rfind('.') + 1);
  std::ranges::replace(option, '_', '-');
  return option;
}

/// The setting in the entry of the ink that the message names, "page.tif: cyan: ..."; null if it has none.
const manifests::Origin* find_of_ink(const manifests::Origins& origins, const Failure& failure) {
  constexpr std::string_view kInks = "inks.";
  for (const auto& [key, origin] : origins.all()) {
    if (!key.starts_with(kInks) || !key.ends_with("." + failure.setting)) continue;
    const std::string ink =
        key.substr(kInks.size(), key.size() - kInks.size() - failure.setting.size() - 1);
    if (failure.message.find(": " + ink + ": ") != std::string::npos) return &origin;
  }
  return nullptr;
}

/// The setting, or the method if it is a parameter with its built-in value; null if neither is written.
const manifests::Origin* find_origin(const manifests::Origins& origins, const Failure& failure) {
  if (const manifests::Origin* of_ink = find_of_ink(origins, failure)) return of_ink;
  if (const manifests::Origin* own = origins.find(failure.setting)) return own;
  return failure.setting.starts_with("halftone.") ? origins.find("halftone.method") : nullptr;
}

}  // namespace

std::string place_of_setting(const manifests::Job& job,
                             const manifests::JobPage& page,
                             const Failure& failure) {
  if (failure.setting.empty()) return {};
  if (job.manifest.empty()) return option_of(failure.setting);
  if (page.origins == nullptr) return {};
  const manifests::Origin* origin = find_origin(*page.origins, failure);
  if (origin == nullptr || origin->place.line == 0) return {};
  const bool is_of_press = origin->layer == manifests::Layer::kPress;
  return fmt::format("{}:{}:{}",
                     is_of_press ? job.press_file : job.manifest,
                     origin->place.line,
                     origin->place.column);
}

}  // namespace mezzo::plan
