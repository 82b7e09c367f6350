#include "pipeline/plan/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/curve_texts.h"
#include "pipeline/plan/ink_groups.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/mapping_text.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/plan/screens.h"
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

/// The sheet's plate of that ink.
PlatePlan plate_named(const SheetPlan& sheet, const std::string& ink) {
  const auto plate = std::ranges::find(sheet.plates, ink, &PlatePlan::ink);
  return plate != sheet.plates.end() ? *plate : PlatePlan{.ink = ink, .path = {}};
}

manifests::PlateSettings settings_named(const SheetPlan& sheet, const std::string& ink) {
  return settings_of(sheet, plate_named(sheet, ink));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parameter_texts(const HalftoneSettings& halftone) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const ParameterInfo& parameter : find_method(halftone.method)->parameters) {
    if (parameter.tuning) continue;  // the plate is the same without
    const auto given = halftone.parameters.find(parameter.name);
    const double value =
        given == halftone.parameters.end() ? parameter.default_value : given->second;
    if (parameter.unnamed_default && value == parameter.default_value) continue;
    texts.emplace_back(parameter.name, value_text(parameter, value));
  }
  return texts;
}

namespace {

/// "levels=0 7 14 21 pl, overlap 100, planes, bit 1"; nothing without levels.
std::string levels_of_plate(const HalftoneSettings& halftone) {
  return halftone.levels ? "levels=" + plate_levels_text(*halftone.levels) : "";
}

/// The method and its parameters, those left out that do not change the plate.
std::string method_text(const HalftoneSettings& halftone, std::string_view between) {
  std::string text = "method=" + halftone.method;
  for (const auto& [name, value] : parameter_texts(halftone)) {
    text += fmt::format("{}{}={}", between, name, value);
  }
  return text;
}

std::string name_of(const TileFile& tile) {
  return std::filesystem::path(tile.path).filename().string();
}

void add_texts(std::vector<std::string>& pieces,
               std::span<const PlateText> texts,
               const manifests::PageSettings& settings) {
  for (const PlateText& text : texts) {
    if (const auto words = text.write(settings)) pieces.push_back(std::string(text.key) + *words);
  }
}

/// The settings of the page's inks and of its chain.
std::vector<std::string> chain_texts(const SheetPlan& sheet) {
  std::vector<std::string> pieces;
  add_texts(pieces, texts_before_inks(), sheet.settings);
  if (const std::string mapping = mapping_text(sheet.settings); !mapping.empty()) {
    if (!sheet.ink.empty()) pieces.push_back("page_ink=" + quoted_name(sheet.ink));
    pieces.push_back("inks=" + mapping);
  }
  add_texts(pieces, texts_behind_inks(), sheet.settings);
  return pieces;
}

std::vector<std::string> output_of(const SheetPlan& sheet) {
  std::vector<std::string> pieces;
  add_texts(pieces, output_texts(), sheet.settings);
  return pieces;
}

/// Where the press has another name for the ink, which others are added to under that name. Empty when
/// not.
std::string press_ink_text(const SheetPlan& sheet, const std::string& ink) {
  const PlatePlan plate = plate_named(sheet, ink);
  const std::string_view whole = without_bit(plate.ink, plate.drop_bit);
  const std::string_view name = ink_on_press(sheet.settings, whole, plate.page_ink);
  return prepress::is_same_ink(name, whole) ? "" : "press_ink=" + quoted_name(name);
}

/// The tables of all pages; nothing where none is converted.
std::string colours_text(const SheetPlan& sheet) {
  std::string text;
  for (size_t i = 0; i < sheet.colours.size(); ++i) {
    if (sheet.colours[i] == nullptr) continue;
    const prepress::Conversion& conversion = sheet.colours[i]->conversion;
    text +=
        fmt::format("colour={} {}: {}\n", i, conversion.digest, fmt::join(conversion.inks, ", "));
  }
  return text;
}

std::string linework_settings_text(const SheetPlan& sheet) {
  std::string text;
  for (const LineworkPlan& one : sheet.linework) {
    text += fmt::format("linework={}\nlinework_ink={}\nlinework_overprint={}\n",
                        one.settings.xxh3,
                        one.settings.ink,
                        overprints(one.settings));
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ink_texts(const SheetPlan& sheet,
                                                           const PlatePlan& plate) {
  if (sheet.settings.inks.empty() && plate.screen.empty() && plate.curves.empty()) return {};
  const manifests::PageSettings& page = sheet.settings;
  const manifests::PlateSettings own = asked_of(sheet, plate);
  std::vector<std::pair<std::string, std::string>> texts;
  if (own.halftone.method != page.halftone.method ||
      own.halftone.parameters != page.halftone.parameters ||
      own.halftone.tile != page.halftone.tile) {
    std::string method = own.halftone.method;
    for (const auto& [name, value] : parameter_texts(own.halftone)) {
      if (!plate.screen.contains(name)) method += fmt::format(" {} {}", name, value);
    }
    if (const TileFile& tile = own.halftone.tile; !tile.path.empty()) {
      method += " file " + name_of(tile);
    }
    texts.emplace_back("method", method);
  }
  const auto& levels = own.halftone.levels;
  if (levels &&
      (!page.halftone.levels || levels_text(*levels) != levels_text(*page.halftone.levels))) {
    texts.emplace_back("levels", levels_text(*levels));
  }
  if (own.tone != page.tone) texts.emplace_back("tone", tone_text(own.tone));
  if (own.protect != page.protect) texts.emplace_back("protect", manifests::name_of(own.protect));
  if (own.compression != page.output.compression) {
    texts.emplace_back("compression", own.compression);
  }
  if (const auto screen = screen_of(sheet, plate)) {
    texts.emplace_back("screen", screen_text(*screen));
  }
  if (!plate.curves.empty()) texts.emplace_back("curves", curves_text(plate));
  return texts;
}

std::string provenance_software() {
  return std::string("mezzotint ") + kVersion;
}

std::string provenance_text(const SheetPlan& sheet,
                            size_t page,
                            const std::string& ink,
                            const std::string& sample_hash) {
  const manifests::PlateSettings settings = settings_named(sheet, ink);
  std::string text = method_text(settings.halftone, "; ");
  if (const TileFile& tile = settings.halftone.tile; !tile.path.empty()) {
    text += fmt::format("; file={}; file-xxh3={}", quoted_name(name_of(tile)), tile.digest);
  }
  text += fmt::format("; tone={}; ink={}; input={}; page={}",
                      tone_text(settings.tone),
                      name_in_line(ink),
                      name_in_line(std::filesystem::path(sheet.input).filename().string()),
                      sheet.pages[page] + 1);
  if (settings.protect.any()) {
    text += fmt::format("; protect={}", manifests::name_of(settings.protect));
  }
  const std::string levels = levels_of_plate(settings.halftone);
  if (!levels.empty()) text += "; " + levels;
  if (const std::string inks = together_text(sheet, ink); !inks.empty()) {
    text += "; together=" + quoted_name(inks);
  }
  for (const std::string& setting : output_of(sheet)) text += "; " + setting;
  if (const chain::PageColourPtr& colour = colour_of(sheet, page)) {
    text += fmt::format("; colour={}; colour-table={}",
                        quoted_name(colour->conversion.text),
                        colour->conversion.digest);
  }
  for (const std::string& setting : chain_texts(sheet)) text += "; " + setting;
  if (const std::string press_ink = press_ink_text(sheet, ink); !press_ink.empty()) {
    text += "; " + press_ink;
  }
  for (const LineworkPlan& one : sheet.linework) {
    const manifests::Linework& linework = one.settings;
    const std::string file = std::filesystem::path(linework.file).filename().string();
    text += fmt::format("; linework={}; linework_ink={}; linework_overprint={}; linework-xxh3={}",
                        quoted_name(file),
                        quoted_name(linework.ink),
                        overprints(linework),
                        linework.xxh3);
  }
  const std::string curves = curve_digests(settings.tone);
  if (!curves.empty()) text += "; curves=" + curves;
  if (const auto& press = sheet.settings.press) {
    text += fmt::format("; press={}; press-xxh3={}", quoted_name(press->name), press->xxh3);
  }
  if (sheet.sha256) text += "; input-sha256=" + *sheet.sha256;
  return text + std::string(kSampleHash) + sample_hash;
}

std::string sample_hash_of(const std::string& provenance) {
  const size_t found = provenance.rfind(kSampleHash);
  return found == std::string::npos ? "" : provenance.substr(found + kSampleHash.size());
}

std::string settings_text(const SheetPlan& sheet, const std::string& ink) {
  const manifests::PlateSettings settings = settings_named(sheet, ink);
  std::string pages;
  for (const uint32_t page : sheet.pages) pages += fmt::format(" {}", page + 1);
  std::string text = fmt::format("{}\ntone={}\ncompression={}\nink={}\npages={}\nsoftware={}\n",
                                 method_text(settings.halftone, "\n"),
                                 tone_text(settings.tone),
                                 settings.compression,
                                 ink,
                                 pages.substr(1),
                                 provenance_software());
  if (settings.protect.any()) {
    text += fmt::format("protect={}\n", manifests::name_of(settings.protect));
  }
  const std::string levels = levels_of_plate(settings.halftone);
  if (!levels.empty()) text += levels + "\n";
  text += together_settings_text(sheet, ink);
  for (const std::string& setting : output_of(sheet)) text += setting + "\n";
  text += colours_text(sheet);
  for (const std::string& setting : chain_texts(sheet)) text += setting + "\n";
  if (const std::string press_ink = press_ink_text(sheet, ink); !press_ink.empty()) {
    text += press_ink + "\n";
  }
  text += linework_settings_text(sheet);
  if (const TileFile& tile = settings.halftone.tile; !tile.path.empty()) {
    text += "file=" + tile.digest + "\n";
  }
  const std::string curves = curve_digests(settings.tone);
  if (!curves.empty()) text += "curves=" + curves + "\n";
  if (sheet.sha256) text += "sha256=" + *sheet.sha256 + "\n";
  return text;
}

}  // namespace mezzo::plan
