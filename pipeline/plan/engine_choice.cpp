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
#include "pipeline/plan/chain_steps.h"
#include "pipeline/plan/cost_model.h"
#include "pipeline/plan/gpu_costs.h"
#include "pipeline/plan/sheet_parts.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/codecs.h"

namespace mezzo::plan {
namespace {

/// Fewer pixels than this are tiny work for any method that does not search, and need no measuring.
constexpr double kFewPixels = 4'000'000;

/// A part of a sheet, or of a `const` one.
template <typename Sheet>
struct PartOf {
  Sheet* sheet;
  SheetPart part;
};

/// Parts whose time is worked out together: of one method, engine, schedule, compression and speed.
using Group = std::vector<PartOf<SheetPlan>>;

template <typename Plan, typename Wanted>
auto group_parts(Plan& plan, const Wanted& wanted) {
  using Sheet = std::remove_reference_t<decltype(plan.sheets.front())>;
  std::map<std::string, std::vector<PartOf<Sheet>>> groups;
  for (Sheet& sheet : plan.sheets) {
    if (sheet.failure) continue;
    for (SheetPart& part : parts_of(sheet)) {
      const HalftoneSettings& halftone = part.halftone;
      if (!wanted(halftone)) continue;
      const std::string key = fmt::format("{}/{}/{}/{}/{}",
                                          halftone.method,
                                          to_string(halftone.engine),
                                          halftone.schedule,
                                          static_cast<int>(part.compression),
                                          speed_key(halftone, part.traits));
      groups[key].push_back({&sheet, std::move(part)});
    }
  }
  return groups;
}

/// Planes at one time when these parts run: pages of a sheet follow each other, sheets run side by
/// side as far as threads and memory go.
template <typename Parts>
uint32_t planes_at_once(const Parts& parts, const JobPlan& plan) {
  size_t planes = 0, running = 0;
  uint64_t memory = kProgramBytes;
  const SheetPlan* last = nullptr;
  for (const auto& [sheet, part] : parts) {
    if (sheet != last) {
      memory += sheet->memory_bytes;
      if (running > plan.threads || (running > 0 && memory > plan.memory_bytes)) break;
      ++running;
      last = sheet;
    }
    planes += part.plates.size();
  }
  return static_cast<uint32_t>(std::max<size_t>(planes, 1));
}

/// Of one plane.
double sample_bytes(const PageInfo& page) {
  return static_cast<double>(page.width_px) * page.height_px * page.bytes_per_sample;
}

template <typename Parts>
Work work_of(const Parts& parts, const JobPlan& plan) {
  Work work;
  work.threads = plan.threads;
  work.planes_at_once = planes_at_once(parts, plan);
  for (const auto& [sheet, part] : parts) {
    work.pixels += pixels_of(*sheet, part);
    const auto planes = static_cast<double>(part.plates.size());
    for (size_t i = 0; i < sheet->infos.size(); ++i) {
      const PageInfo &plate = sheet->infos[i], &page = source_of(*sheet, i);
      work.page_bytes += planes * sample_bytes(page);
      work.plate_bytes += planes * sample_bytes(plate);
      work.scaled_pixels +=
          work_of_steps(page, plate, sheet->settings) * planes * plate.width_px * plate.height_px;
    }
  }
  const SheetPart& first = parts.front().part;
  // Before the choice a part has no engine yet, and its settings still say 'auto'.
  const bool to_strips =
      first.engine == Engine::kGpu || first.halftone.engine == Engine::kAutomatic;
  work.to_strips = to_strips && std::ranges::none_of(
                                    parts, [](const auto& of) { return of.sheet->scales_on_cpu; });
  work.coded_there = to_strips && tiff::codec_of(first.compression).on_gpu.has_value();
  const auto is_decoded = [](const auto& of) {
    return of.sheet->settings.output.verify != tiff::VerifyLevel::kBytes;
  };
  work.decoded = std::ranges::any_of(parts, is_decoded);
  return work;
}

/// The reason is that of the page's own method; of the first ink where all have methods of their own.
void assign(const Group& group, const EngineChoice& choice) {
  for (const auto& [sheet, part] : group) {
    const auto follows = [&](const PlatePlan& plate) { return follows_page(*sheet, plate); };
    const bool is_of_page =
        std::ranges::any_of(part.plates, [&](const PlatePlan* plate) { return follows(*plate); });
    const bool is_first = part.plates.front() == sheet->plates.data();
    if (is_of_page || (is_first && std::ranges::none_of(sheet->plates, follows))) {
      sheet->schedule_reason = choice.reason;
    }
    for (const PlatePlan* plate : part.plates) set_engine(*sheet, *plate, choice.engine);
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

/// A group, with its costs on the CPU.
struct Candidate {
  Group parts;
  Work work;
  CpuCosts cpu;

  bool searches() const { return parts.front().part.traits.band_rows != 0; }
  double seconds() const {
    return cpu.known ? seconds_on_cpu(cpu, work) : std::numeric_limits<double>::infinity();
  }
};

/// Gives the first sheets of a group that a GPU makes to the CPU, which has them done when the GPU has
/// started. Half of the threads' time goes to the sheets that follow: they are opened, and memory is
/// locked for them.
void use_start(const Candidate& candidate, const JobPlan& plan, double start_seconds) {
  constexpr double kFreeTime = 0.5;
  std::vector<Work> sheets;
  for (const PartOf<SheetPlan>& one : candidate.parts) {
    if (one.part.plates.size() < one.sheet->plates.size())
      break;  // the rest would wait for the GPU
    sheets.push_back(work_of(Group{one}, plan));
  }
  const size_t count = sheets_beside_start(candidate.cpu, sheets, kFreeTime * start_seconds);
  assign_cpu({candidate.parts.begin(), candidate.parts.begin() + static_cast<ptrdiff_t>(count)},
             fmt::format("threads finish the first pages while the GPU starts, {}",
                         duration_text(start_seconds)));
}

/// `is_started`: a GPU is, or will be for a group before this one.
void choose_with_gpu(const Candidate& candidate,
                     const JobPlan& plan,
                     const gpu::GpuList& gpus,
                     bool& is_started) {
  if (candidate.searches()) {
    assign(candidate.parts, choose_engine_of_search(candidate.cpu, candidate.work));
    is_started = true;
    return;
  }
  MachineCosts machine;
  machine.cpu = candidate.cpu;
  machine.gpus = gpus_in_use(candidate.work.planes_at_once, gpus.gpus.size());
  try {
    machine.gpu = gpu_costs(candidate.parts.front().part.halftone.method);
    is_started = is_started || gpu::is_awake();  // by measuring it
  } catch (const Error& error) {
    assign_cpu(candidate.parts, std::string("the GPU could not be measured: ") + error.what());
    return;
  }
  const EngineChoice choice = choose_engine(machine, candidate.work);
  assign(candidate.parts, choice);
  if (choice.engine != Engine::kGpu) return;
  if (!is_started) use_start(candidate, plan, machine.gpu.start_seconds);
  is_started = true;
}

}  // namespace

void choose_engines(JobPlan& plan) {
  auto groups = group_parts(plan, [](const HalftoneSettings& halftone) {
    return halftone.engine == Engine::kAutomatic && halftone.schedule.empty();
  });
  double pixels = 0;
  std::vector<Candidate> candidates;
  for (auto& [key, group] : groups) {
    const std::string& method = group.front().part.halftone.method;
    if (group.front().part.halftone.levels) {
      assign_cpu(group, "method '" + method + "' with levels is not measured on a GPU");
      continue;
    }
    if (!has_gpu_schedule(method)) {
      assign_cpu(group, "method '" + method + "' has no schedule for a GPU");
      continue;
    }
    candidates.push_back({group, work_of(group, plan), {}});
    if (candidates.back().searches()) continue;
    pixels += candidates.back().work.pixels;
  }
  if (pixels < kFewPixels) {
    std::erase_if(candidates, [](const Candidate& candidate) {
      if (candidate.searches()) return false;
      assign_cpu(candidate.parts, "its pages are done before a GPU has started");
      return true;
    });
  }
  double seconds = 0;
  for (Candidate& candidate : candidates) {
    const SheetPart& first = candidate.parts.front().part;
    const SheetPlan& sheet = *candidate.parts.front().sheet;
    candidate.cpu = cpu_costs(settings_of(sheet, first), first.compression);
    seconds += candidate.seconds();
  }
  // From here on CUDA is called, unless no sheet is left: to list the GPUs, and then, at most once
  // a machine, to measure one.
  const bool is_tiny = seconds < kTinySeconds;
  bool is_started = gpu::is_awake();
  const gpu::GpuList gpus = is_tiny ? gpu::GpuList{} : gpu::list_gpus();
  for (const Candidate& candidate : candidates) {
    if (is_tiny) {
      assign_cpu(candidate.parts,
                 fmt::format("{} take about {}, and a GPU about as long to start and to end",
                             counted(plan.threads, "thread"),
                             duration_text(seconds)));
    } else if (gpus.gpus.empty()) {
      assign_cpu(candidate.parts, "this machine has no GPU to use: " + gpus.why_none);
    } else {
      choose_with_gpu(candidate, plan, gpus, is_started);
    }
  }
}

std::optional<double> estimate_seconds(const JobPlan& plan) {
  const auto is_recomputed = [](const SheetPlan& sheet) {
    return !sheet.failure && sheet.settings.output.verify == tiff::VerifyLevel::kRecompute;
  };
  if (std::ranges::any_of(plan.sheets, is_recomputed)) return std::nullopt;
  double seconds = 0;
  bool gpu_is_started = false;
  for (const auto& [key, group] : group_parts(plan, [](const auto&) { return true; })) {
    const SheetPart& first = group.front().part;
    const Work work = work_of(group, plan);
    MachineCosts machine;
    machine.cpu = cpu_costs(settings_of(*group.front().sheet, first), first.compression);
    const bool searches = first.traits.band_rows != 0;
    if (searches && (first.engine != Engine::kCpu || !machine.cpu.known)) return std::nullopt;
    if (first.engine == Engine::kCpu) {
      seconds += seconds_on_cpu(machine.cpu, work);
      continue;
    }
    machine.gpus = gpus_in_use(work.planes_at_once, gpu::list_gpus().gpus.size());
    std::optional<GpuCosts> gpu;
    if (!first.halftone.levels) {  // what is measured of a method is without
      gpu = load_gpu_costs(gpu_costs_path(), gpu_identity(), first.halftone.method);
    }
    if (gpu) {
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

}  // namespace mezzo::plan
