#include "pipeline/plan/engine_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu.h"
#include "kernels/registry.h"
#include "pipeline/plan/cost_model.h"
#include "pipeline/plan/disk_forecast.h"
#include "pipeline/plan/gpu_costs.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

/// Fewer pixels than this are tiny work for any method that does not search, and need no measuring.
constexpr uint64_t kFewPixels = 4'000'000;

/// Sheets whose time is worked out together: of one method, engine, schedule, compression and
/// speed.
using Group = std::vector<SheetPlan*>;

template <typename Plan, typename Wanted>
auto group_sheets(Plan& plan, const Wanted& wanted) {
  using Sheet = std::remove_reference_t<decltype(plan.sheets.front())>;
  std::map<std::string, std::vector<Sheet*>> groups;
  for (Sheet& sheet : plan.sheets) {
    if (sheet.failure || !wanted(sheet)) continue;
    const HalftoneSettings& halftone = sheet.settings.halftone;
    groups[fmt::format("{}/{}/{}/{}/{}",
                       halftone.method,
                       to_string(halftone.engine),
                       halftone.schedule,
                       sheet.settings.output.compression,
                       speed_key(halftone, sheet.traits))]
        .push_back(&sheet);
  }
  return groups;
}

/// Planes at one time when these sheets run: pages of a sheet follow each other, sheets run side by
/// side as far as threads and memory go.
template <typename Sheets>
uint32_t planes_at_once(const Sheets& sheets, const JobPlan& plan) {
  size_t planes = 0, running = 0;
  uint64_t memory = kProgramBytes;
  for (const SheetPlan* sheet : sheets) {
    memory += sheet->memory_bytes;
    if (running > plan.threads || (running > 0 && memory > plan.memory_bytes)) break;
    ++running;
    planes += sheet->infos.front().inks.size();
  }
  return static_cast<uint32_t>(std::max<size_t>(planes, 1));
}

template <typename Sheets>
Work work_of(const Sheets& sheets, const JobPlan& plan) {
  Work work;
  work.threads = plan.threads;
  work.planes_at_once = planes_at_once(sheets, plan);
  for (const SheetPlan* sheet : sheets) {
    work.pixels += static_cast<double>(sheet->pixels);
    for (const PageInfo& info : sheet->infos) {
      work.sample_bytes += static_cast<double>(info.inks.size()) * info.width_px * info.height_px *
                           info.bytes_per_sample;
    }
  }
  return work;
}

void assign(const Group& group, const EngineChoice& choice) {
  for (SheetPlan* sheet : group) {
    sheet->settings.halftone.engine = choice.engine;
    sheet->schedule_reason = choice.reason;
  }
}

void assign_cpu(const Group& group, const std::string& why) {
  assign(group, {Engine::kCpu, "engine 'auto': CPU, as " + why});
}

/// The GPUs that so many planes at a time put to work.
uint32_t gpus_in_use(uint32_t planes_at_once, size_t gpus) {
  const uint32_t woken =
      (planes_at_once + gpu::kPlanesBeforeNextGpu - 1) / gpu::kPlanesBeforeNextGpu;
  return std::clamp(woken, 1U, static_cast<uint32_t>(std::max<size_t>(gpus, 1)));
}

/// The sheets of a group, with their costs on the CPU.
struct Candidate {
  Group sheets;
  Work work;
  CpuCosts cpu;

  bool searches() const { return sheets.front()->traits.band_rows != 0; }
  double seconds() const {
    return cpu.known ? seconds_on_cpu(cpu, work) : std::numeric_limits<double>::infinity();
  }
};

void choose_with_gpu(const Candidate& candidate, const gpu::GpuList& gpus) {
  if (candidate.searches()) {
    assign(candidate.sheets, choose_engine_of_search(candidate.cpu, candidate.work));
    return;
  }
  MachineCosts machine;
  machine.cpu = candidate.cpu;
  machine.gpus = gpus_in_use(candidate.work.planes_at_once, gpus.gpus.size());
  try {
    machine.gpu = gpu_costs(candidate.sheets.front()->settings.halftone.method);
  } catch (const Error& error) {
    assign_cpu(candidate.sheets, std::string("the GPU could not be measured: ") + error.what());
    return;
  }
  assign(candidate.sheets, choose_engine(machine, candidate.work));
}

/// The plan with a sheet for each method and compression of the inks of a sheet.
JobPlan split_by_ink(const JobPlan& plan) {
  JobPlan split = plan;
  split.sheets.clear();
  for (const SheetPlan& sheet : plan.sheets) {
    const size_t first = split.sheets.size();
    for (const PlatePlan& plate : sheet.plates) {
      if (sheet.failure) break;
      const manifests::PlateSettings settings = settings_of(sheet, plate);
      const auto begin = split.sheets.begin() + static_cast<ptrdiff_t>(first);
      auto part = std::find_if(begin, split.sheets.end(), [&](const SheetPlan& other) {
        return other.settings.halftone == settings.halftone &&
               other.settings.output.compression == settings.compression;
      });
      if (part == split.sheets.end()) {
        part = split.sheets.insert(part, sheet);
        part->settings.halftone = settings.halftone;
        part->settings.output.compression = settings.compression;
        part->compression = compression_of(sheet, plate);
        part->engine = plate.engine;
        part->traits = plate.traits;
        part->pixels = 0;
        for (PageInfo& info : part->infos) info.inks.clear();
      }
      part->pixels += sheet.pixels / sheet.plates.size();
      for (PageInfo& info : part->infos) info.inks.push_back(plate.ink);
    }
  }
  return split;
}

std::optional<double> estimate_whole_sheets(const JobPlan& plan) {
  double seconds = 0;
  bool gpu_is_started = false;
  for (const auto& [key, group] : group_sheets(plan, [](const SheetPlan&) { return true; })) {
    const SheetPlan& first = *group.front();
    const HalftoneSettings& halftone = first.settings.halftone;
    const Work work = work_of(group, plan);
    MachineCosts machine;
    machine.cpu = cpu_costs(halftone, first.compression);
    const bool searches = first.traits.band_rows != 0;
    if (searches && (first.engine != Engine::kCpu || !machine.cpu.known)) return std::nullopt;
    if (first.engine == Engine::kCpu) {
      seconds += seconds_on_cpu(machine.cpu, work);
      continue;
    }
    machine.gpus = gpus_in_use(work.planes_at_once, gpu::list_gpus().gpus.size());
    if (const auto gpu = load_gpu_costs(gpu_costs_path(), gpu_identity(), halftone.method)) {
      machine.gpu = *gpu;
      seconds += seconds_with_gpu(machine, work) - (gpu_is_started ? gpu->start_seconds : 0);
      gpu_is_started = true;
    } else {  // nothing is measured for a job that names its engine: as if halftoning were free
      machine.cpu.halftone = 0;
      seconds += seconds_on_cpu(machine.cpu, work);
    }
  }
  return seconds;
}

}  // namespace

void choose_engines(JobPlan& plan) {
  auto groups = group_sheets(plan, [](const SheetPlan& sheet) {
    return sheet.settings.halftone.engine == Engine::kAutomatic &&
           sheet.settings.halftone.schedule.empty();
  });
  uint64_t pixels = 0;
  std::vector<Candidate> candidates;
  for (auto& [key, group] : groups) {
    const std::string& method = group.front()->settings.halftone.method;
    if (!has_gpu_schedule(method)) {
      assign_cpu(group, "method '" + method + "' has no schedule for a GPU");
      continue;
    }
    candidates.push_back({group, work_of(group, plan), {}});
    if (candidates.back().searches()) continue;
    for (const SheetPlan* sheet : group) pixels += sheet->pixels;
  }
  if (pixels < kFewPixels) {
    std::erase_if(candidates, [](const Candidate& candidate) {
      if (candidate.searches()) return false;
      assign_cpu(candidate.sheets, "its pages are done before a GPU has started");
      return true;
    });
  }
  double seconds = 0;
  for (Candidate& candidate : candidates) {
    const SheetPlan& first = *candidate.sheets.front();
    candidate.cpu = cpu_costs(first.settings.halftone, first.compression);
    seconds += candidate.seconds();
  }
  // From here on CUDA is called, unless no sheet is left: to list the GPUs, and then, at most once
  // a machine, to measure one.
  const bool is_tiny = seconds < kTinySeconds;
  const gpu::GpuList gpus = is_tiny ? gpu::GpuList{} : gpu::list_gpus();
  for (const Candidate& candidate : candidates) {
    if (is_tiny) {
      assign_cpu(candidate.sheets,
                 fmt::format("{} take about {}, less than a GPU needs to start",
                             counted(plan.threads, "thread"),
                             duration_text(seconds)));
    } else if (gpus.gpus.empty()) {
      assign_cpu(candidate.sheets, "this machine has no GPU to use: " + gpus.why_none);
    } else {
      choose_with_gpu(candidate, gpus);
    }
  }
}

std::optional<double> estimate_seconds(const JobPlan& plan) {
  const bool has_inks = std::ranges::any_of(
      plan.sheets, [](const SheetPlan& sheet) { return !sheet.settings.inks.empty(); });
  return has_inks ? estimate_whole_sheets(split_by_ink(plan)) : estimate_whole_sheets(plan);
}

}  // namespace mezzo::plan
