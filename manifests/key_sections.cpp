#include "manifests/key_sections.h"

#include "kernels/registry.h"

namespace mezzo::manifests {
namespace {

constexpr KeySection kOfManifests[] = {
    {kInManifest, "Top of a manifest"},
    {kInLimits, "`limits`"},
    {kInDefaults, "`defaults`"},
    {kInPage, "An entry of `pages`"},
    {kInCrop, "`crop`"},
    {kInTrim, "`trim`"},
    {kInCopies, "`copies`"},
    {kInLinework, "`linework`"},
    {kInHalftone, "`halftone`"},
    {kInLevels, "`levels`"},
    {kInTone, "`tone`"},
    {kInCurves, "`curves`"},
    {kInColour, "`colour`"},
    {kInAssume, "`assume` of `colour`"},
    {kInInkLimit, "`ink_limit`"},
    {kInOutput, "`output`"},
    {kInProof, "`proof`"},
    {kInPpf, "`ppf`"},
    {kInInk, "An ink in `inks`"},
    {kInInkOutput, "`output` of an ink"},
};
constexpr KeySection kOfPresses[] = {
    {kInPress, "Top of a press file"},
    {kInPressOutput, "`output` of a press"},
    {kInPressInk, "An ink of a press in `inks`"},
    {kInPressCurves, "`curves` of a press"},
};
constexpr KeySection kOfFolders[] = {
    {kInFolder, "Top of `folder.yaml`"},
    {kInStability, "`stability`"},
    {kInSeparations, "`separations`"},
    {kInKeep, "`keep`"},
};
constexpr KeySection kOfCurves[] = {
    {kInCurveFile, "Top of a curve file"},
    {kInCurveSource, "`source`"},
    {kInCurveBump, "`bump`"},
};

}  // namespace

std::span<const KeySection> sections_of_manifests() {
  return kOfManifests;
}

std::span<const KeySection> sections_of_presses() {
  return kOfPresses;
}

std::span<const KeySection> sections_of_folders() {
  return kOfFolders;
}

std::span<const KeySection> sections_of_curves() {
  return kOfCurves;
}

std::string_view default_text(const Field& field) {
  const std::string_view json = field.default_json;
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

std::string default_text(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) {
    return std::string(choice_name(parameter, parameter.default_value));
  }
  const std::string unit = parameter.percent        ? "%"
                           : parameter.unit.empty() ? ""
                                                    : " " + std::string(parameter.unit);
  return plain_number(parameter.default_value) + unit;
}

}  // namespace mezzo::manifests
