#include "pipeline/plan/sheet_parts.h"

#include <algorithm>

#include "kernels/prepress/ink_key.h"
#include "pipeline/plan/disk_forecast.h"

namespace mezzo::plan {
namespace {

const std::string& ink_on_page(const PlatePlan& plate) {
  return plate.page_ink.empty() ? plate.ink : plate.page_ink;
}

}  // namespace

std::vector<SheetPart> parts_of(const SheetPlan& sheet) {
  std::vector<SheetPart> parts;
  if (sheet.settings.inks.empty()) {
    const HalftonerTraits& traits = sheet.plates.front().traits;
    parts.push_back({sheet.settings.halftone, sheet.compression, sheet.engine, traits, {}});
    for (const PlatePlan& plate : sheet.plates) parts.front().plates.push_back(&plate);
    return parts;
  }
  for (const PlatePlan& plate : sheet.plates) {
    const HalftoneSettings halftone = asked_of(sheet, plate).halftone;
    const tiff::Compression compression = compression_of(sheet, plate);
    auto part = std::ranges::find_if(parts, [&](const SheetPart& other) {
      return other.halftone == halftone && other.compression == compression;
    });
    if (part == parts.end()) {
      part = parts.insert(part, {halftone, compression, plate.engine, plate.traits, {}});
    }
    part->plates.push_back(&plate);
  }
  return parts;
}

CompleteSettings settings_of(const SheetPlan& sheet, const SheetPart& part) {
  return complete(settings_of(sheet, *part.plates.front()).halftone);
}

double pixels_of(const SheetPlan& sheet, const SheetPart& part) {
  return static_cast<double>(sheet.pixels) * static_cast<double>(part.plates.size()) /
         static_cast<double>(sheet.plates.size());
}

bool follows_page(const SheetPlan& sheet, const PlatePlan& plate) {
  const auto has_own = [&](const std::string& ink) {
    const manifests::InkSettings* own = manifests::find_ink(sheet.settings, ink);
    return own != nullptr && own->halftone != manifests::InkSettings().halftone;
  };
  return !has_own(ink_on_page(plate)) && !(sheet.settings.press && has_own(plate.ink));
}

void set_engine(SheetPlan& sheet, const PlatePlan& plate, Engine engine) {
  if (follows_page(sheet, plate)) {
    sheet.settings.halftone.engine = engine;
    return;
  }
  for (manifests::InkSettings& ink : sheet.settings.inks) {
    if (prepress::is_same_ink(ink.ink, ink_on_page(plate))) ink.halftone.engine = engine;
  }
}

}  // namespace mezzo::plan
