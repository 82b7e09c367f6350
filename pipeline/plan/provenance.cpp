#include "pipeline/plan/provenance.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "kernels/registry.h"
#include "pipeline/plan/linework.h"
#include "pipeline/version.h"

namespace mezzo::plan {
namespace {

/// Last in the line.
constexpr std::string_view kSampleHash = "; samples-xxh3=";

/// The value as a manifest has it.
std::string value_text(const ParameterInfo& parameter, double value) {
  if (!parameter.choices.empty()) return std::string(choice_name(parameter, value));
  return fmt::format("{}", value);
}

}  // namespace

std::string tone_text(const ToneSettings& tone) {
  std::string text;
  if (tone.invert) text += " invert";
  if (tone.gamma != 1.0) text += fmt::format(" gamma {}", tone.gamma);
  if (!tone.points.empty()) {
    text += " curve";
    for (const CurvePoint& point : tone.points) {
      text += fmt::format(" {}:{}", point.in_percent, point.out_percent);
    }
  }
  return text.empty() ? "identity" : text.substr(1);
}

std::vector<std::pair<std::string, std::string>> parameter_texts(const HalftoneSettings& halftone) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const ParameterInfo& parameter : find_method(halftone.method)->parameters) {
    if (parameter.tuning) continue;  // the plate is the same without
    const auto given = halftone.parameters.find(parameter.name);
    const double value =
        given == halftone.parameters.end() ? parameter.default_value : given->second;
    texts.emplace_back(parameter.name, value_text(parameter, value));
  }
  return texts;
}

namespace {

/// The method and its parameters, those left out that do not change the plate.
std::string method_text(const HalftoneSettings& halftone, std::string_view between) {
  std::string text = "method=" + halftone.method;
  for (const auto& [name, value] : parameter_texts(halftone)) {
    text += fmt::format("{}{}={}", between, name, value);
  }
  return text;
}

/// Nothing for the page's own resolution, so that the digests of earlier jobs still hold.
std::string resolution_text(const manifests::PageSettings& settings) {
  if (settings.output.resolution_dpi == 0) return {};
  return fmt::format("resolution={}\nscale={}\nassumed={}\n",
                     settings.output.resolution_dpi,
                     settings.scale,
                     settings.assumed_dpi);
}

std::string linework_settings_text(const SheetPlan& sheet) {
  if (!sheet.linework) return {};
  const manifests::Linework& linework = sheet.linework->settings;
  return fmt::format("linework={}\nlinework_ink={}\nlinework_overprint={}\n",
                     linework.xxh3,
                     linework.ink,
                     overprints(linework));
}

}  // namespace

std::string provenance_software() {
  return std::string("mezzotint ") + kVersion;
}

std::string provenance_text(const SheetPlan& sheet,
                            size_t page,
                            const std::string& ink,
                            const std::string& sample_hash) {
  const HalftoneSettings& halftone = sheet.settings.halftone;
  std::string text = method_text(halftone, "; ");
  text += fmt::format("; tone={}; ink={}; input={}; page={}",
                      tone_text(sheet.settings.tone),
                      ink,
                      std::filesystem::path(sheet.input).filename().string(),
                      sheet.pages[page] + 1);
  if (sheet.settings.protect.any()) {
    text += fmt::format("; protect={}", manifests::name_of(sheet.settings.protect));
  }
  if (sheet.settings.output.mirror) text += "; output=mirrored";
  if (sheet.settings.output.negative) text += "; output=negative";
  for (const std::string& stage : sheet.stages) text += "; " + stage;
  if (sheet.linework) {
    text += fmt::format("; linework={}; linework-xxh3={}",
                        linework_text(sheet.linework->settings),
                        sheet.linework->settings.xxh3);
  }
  if (sheet.sha256) text += "; input-sha256=" + *sheet.sha256;
  return text + std::string(kSampleHash) + sample_hash;
}

std::string sample_hash_of(const std::string& provenance) {
  const size_t found = provenance.rfind(kSampleHash);
  return found == std::string::npos ? "" : provenance.substr(found + kSampleHash.size());
}

std::string settings_text(const SheetPlan& sheet, const std::string& ink) {
  std::string pages;
  for (const uint32_t page : sheet.pages) pages += fmt::format(" {}", page + 1);
  return fmt::format("{}\ntone={}\ncompression={}\nink={}\npages={}\nsoftware={}\n",
                     method_text(sheet.settings.halftone, "\n"),
                     tone_text(sheet.settings.tone),
                     sheet.settings.output.compression,
                     ink,
                     pages.substr(1),
                     provenance_software()) +
         (sheet.settings.protect.any()
              ? fmt::format("protect={}\n", manifests::name_of(sheet.settings.protect))
              : "") +
         (sheet.settings.output.mirror ? "output=mirrored\n" : "") +
         (sheet.settings.output.negative ? "output=negative\n" : "") +
         resolution_text(sheet.settings) + linework_settings_text(sheet) +
         (sheet.sha256 ? "sha256=" + *sheet.sha256 + "\n" : "");
}

}  // namespace mezzo::plan
