#include "pipeline/plan/gpu_way.h"

#include <fmt/format.h>

#include <algorithm>

namespace mezzo::plan {
namespace {

/// Why a plane comes down as halftoned rows, or does not go up at all; empty where it becomes strips.
std::string why_not(const SheetPlan& sheet, const PlatePlan& plate) {
  const HalftoneSettings halftone = settings_of(sheet, plate).halftone;
  if (plate.engine == Engine::kCpu) return "the CPU halftones " + plate.ink;
  if (plate.traits.stays_on_device) return {};
  if (plate.engine != Engine::kGpu) return "the CPU has a part of the rows of " + plate.ink;
  if (halftone.levels) return "levels are packed on the CPU";
  if (plate.traits.band_rows == 0) return "dots of several pixels are made on the CPU";
  return fmt::format("method '{}' searches over many rows at once", halftone.method);
}

}  // namespace

GpuWay gpu_way(const SheetPlan& sheet) {
  const auto on_cpu = [](const PlatePlan& plate) { return plate.engine == Engine::kCpu; };
  if (std::ranges::all_of(sheet.plates, on_cpu)) return {};
  for (const PlatePlan& plate : sheet.plates) {
    const std::string why = why_not(sheet, plate);
    if (!why.empty()) return {false, "halftones rows and sends them back, as " + why};
  }
  std::string coded = "sends finished rows, which threads code";
  if (sheet.compression == tiff::Compression::kG4) coded = "sends coded strips";
  if (sheet.compression == tiff::Compression::kNone) coded = "sends finished rows";
  return {true, "takes the page at its own resolution, and " + coded};
}

}  // namespace mezzo::plan
