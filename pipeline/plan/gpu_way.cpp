#include "pipeline/plan/gpu_way.h"

#include <algorithm>

#include "pipeline/plan/disk_forecast.h"
#include "pipeline/plan/ink_groups.h"
#include "stages/tiff/plate/codecs.h"

namespace mezzo::plan {
namespace {

using device_chain::Coding;

/// Why a plane comes down as halftoned rows, or does not go up at all; empty where it becomes strips.
std::string why_not(const PlatePlan& plate) {
  if (plate.engine == Engine::kCpu) return "the CPU halftones " + plate.ink;
  if (plate.engine != Engine::kGpu) return "the CPU has a part of the rows of " + plate.ink;
  return {};
}

/// What comes down, by the compressions of the plates.
std::string sent_of(const SheetPlan& sheet) {
  const auto coding = [&](const PlatePlan& plate) {
    return tiff::codec_of(compression_of(sheet, plate)).on_gpu;
  };
  const auto is_g4 = [&](const PlatePlan& plate) { return coding(plate) == Coding::kT6; };
  const auto is_raw = [&](const PlatePlan& plate) { return coding(plate) == Coding::kRaw; };
  if (std::ranges::all_of(sheet.plates, is_g4)) return "sends coded strips";
  if (std::ranges::all_of(sheet.plates, is_raw)) return "sends finished rows";
  const bool may_be_g4 = std::ranges::any_of(sheet.plates, [&](const PlatePlan& plate) {
    return is_g4(plate) || compression_of(sheet, plate) == tiff::Compression::kAutomatic;
  });
  return may_be_g4 ? "sends strips coded as G4, and finished rows for other compressions"
                   : "sends finished rows, which threads code";
}

}  // namespace

GpuWay gpu_way(const SheetPlan& sheet) {
  const auto on_cpu = [](const PlatePlan& plate) { return plate.engine == Engine::kCpu; };
  if (std::ranges::all_of(sheet.plates, on_cpu)) return {};
  for (const PlatePlan& plate : sheet.plates) {
    const std::string why = why_not(plate);
    if (!why.empty()) return {false, "halftones rows and sends them back, as " + why};
  }
  if (sheet.linework.size() > 1) {
    return {false,
            "halftones rows and sends them back, as several files of line work lie over them"};
  }
  for (const InkGroup& group : ink_groups(sheet)) {
    if (sheet.plates[group.front()].traits.band_rows == 0) continue;
    return {false, "halftones rows and sends them back, as it searches inks together"};
  }
  const std::string taken =
      sheet.scales_on_cpu ? "the plates' resolution, as the CPU scales it" : "its own resolution";
  return {true, "takes the page at " + taken + ", and " + sent_of(sheet)};
}

}  // namespace mezzo::plan
