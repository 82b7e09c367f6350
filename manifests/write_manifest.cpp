#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/job_name.h"
#include "manifests/settings/manifest_text.h"
#include "manifests/settings/setting.h"
#include "manifests/settings/write_settings.h"
#include "manifests/source_text.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

std::string parameter_text(const MethodInfo* method, const std::string& name, double value) {
  const ParameterInfo* info = method == nullptr ? nullptr : find_parameter(*method, name);
  const bool is_choice = info != nullptr && !info->choices.empty() && value >= 0 &&
                         value < static_cast<double>(info->choices.size());
  if (is_choice) return std::string(choice_name(*info, value));
  return info != nullptr && info->percent ? percent_text(value) : number_text(value);
}

std::string quoted_unless_empty(int depth, std::string_view key, const std::string& value) {
  return value.empty() ? "" : line(depth, key, in_double_quotes(value));
}

std::string halftone_text(const HalftoneSettings& halftone) {
  std::string text = line(1, "halftone", "") + line(2, "method", halftone.method) +
                     line(2, "engine", std::string(to_string(halftone.engine)));
  if (!halftone.schedule.empty()) text += line(2, "schedule", halftone.schedule);
  text += quoted_unless_empty(2, kTileKey, halftone.tile.path);
  for (const auto& [name, value] : halftone.parameters) {
    text += line(2, name, parameter_text(find_method(halftone.method), name, value));
  }
  return text;
}

/// The levels of an ink, as its page could have them.
std::string levels_text(int depth, const std::optional<LevelSettings>& levels) {
  PageSettings of_ink;
  of_ink.halftone.levels = levels;
  return settings_text(*find_group("levels"), of_ink, depth);
}

std::string ink_halftone_text(const HalftoneSettings& ink, const PageSettings& page) {
  const std::string& method = ink.method.empty() ? page.halftone.method : ink.method;
  std::string text = ink.method.empty() ? "" : line(4, "method", ink.method);
  if (ink.engine != Engine::kAutomatic) {
    text += line(4, "engine", std::string(to_string(ink.engine)));
  }
  if (!ink.schedule.empty()) text += line(4, "schedule", ink.schedule);
  text += quoted_unless_empty(4, kTileKey, ink.tile.path);
  for (const auto& [name, value] : ink.parameters) {
    text += line(4, name, parameter_text(find_method(method), name, value));
  }
  return text;
}

std::string shares_text(const std::vector<InkShare>& shares) {
  if (shares.size() == 1 && shares.front().percent == 100) {
    return line(3, "as", in_double_quotes(shares.front().ink));
  }
  std::string text;
  for (const InkShare& share : shares) {
    text += line(4, in_double_quotes(share.ink), percent_text(share.percent));
  }
  return block(3, "to", text);
}

std::string ink_text(const InkSettings& ink, const PageSettings& page) {
  if (ink.is_dropped) return line(2, in_double_quotes(ink.ink), "drop");
  if (!ink.shares.empty()) return line(2, in_double_quotes(ink.ink), "") + shares_text(ink.shares);
  const std::string text = quoted_unless_empty(3, "plate", ink.plate) +
                           quoted_unless_empty(3, "from", ink.from) +
                           quoted_unless_empty(3, "label", ink.label) +
                           block(3, "halftone", ink_halftone_text(ink.halftone, page)) +
                           levels_text(3, ink.halftone.levels) + overlay_text(ink.over, 3);
  return text.empty() ? line(2, in_double_quotes(ink.ink), "{}")
                      : line(2, in_double_quotes(ink.ink), "") + text;
}

std::string inks_text(const PageSettings& page) {
  std::string text;
  for (const InkSettings& ink : page.inks) text += ink_text(ink, page);
  return block(1, "inks", text);
}

std::string limits_text(const JobLimits& limits) {
  std::string text = line(0, "limits", "") + line(1, "memory", std::to_string(limits.memory_bytes));
  if (limits.device_memory_bytes != 0) {
    text += line(1, "device_memory", std::to_string(limits.device_memory_bytes));
  }
  return text + line(1, "threads", std::to_string(limits.threads));
}

std::string page_text(const WrittenPage& page) {
  const bool looks_like_pattern = page.input.find_first_of("*?[") != std::string::npos;
  if (!page.sha256 && !looks_like_pattern && page.ink.empty())
    return "  - " + in_double_quotes(page.input) + "\n";
  return "  - input: " + in_double_quotes(page.input) + "\n" +
         (looks_like_pattern ? line(2, "literal", "true") : "") +
         (page.ink.empty() ? "" : line(2, "ink", in_double_quotes(page.ink))) +
         (page.sha256 ? line(2, "sha256", in_double_quotes(*page.sha256)) : "");
}

/// `defaults`: the block, with its head.
std::string manifest_text(const std::string& job_name,
                          const JobLimits& limits,
                          const std::string& defaults,
                          const std::vector<WrittenPage>& pages,
                          const PressSource& press) {
  std::string text = line(0, "mezzotint", std::to_string(kManifestVersion)) +
                     line(0, "job", in_double_quotes(as_job_name(job_name))) + limits_text(limits) +
                     defaults + line(0, "pages_total", std::to_string(pages.size())) +
                     line(0, "pages", "");
  for (const WrittenPage& page : pages) text += page_text(page);
  text += line(0, "end", "true");
  const auto parsed = parse_manifest(text, "the manifest of " + as_job_name(job_name), press);
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    throw Error(ErrorKind::kData,
                "no manifest can be written for the job " + in_quotes(as_job_name(job_name)) +
                    ": " + wrong->front().message);
  }
  return text;
}

}  // namespace

std::string write_manifest(const std::string& job_name,
                           const JobLimits& limits,
                           const PageSettings& defaults,
                           const std::vector<WrittenPage>& pages) {
  const std::string block = line(0, "defaults", "") + halftone_text(defaults.halftone) +
                            settings_text(defaults, 1) + inks_text(defaults);
  return manifest_text(job_name, limits, block, pages, {});
}

std::string write_manifest(const std::string& job_name,
                           const FolderSettings& folder,
                           const std::vector<WrittenPage>& pages) {
  if (!folder.press) return write_manifest(job_name, folder.limits, folder.defaults, pages);
  const std::string defaults = block(0, "defaults", folder.defaults_text);
  return manifest_text(job_name, folder.limits, defaults, pages, {.given = folder.press});
}

}  // namespace mezzo::manifests
