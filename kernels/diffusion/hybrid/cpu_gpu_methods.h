// Engines `handover` and `hybrid` of an error diffusion, as its registry line sees them.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "kernels/diffusion/hybrid/handover.h"
#include "kernels/diffusion/hybrid/hybrid.h"
#include "kernels/diffusion/hybrid/measured_costs.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

inline constexpr std::array kCpuGpuSchedules = {
    ScheduleInfo{"handover",
                 "bwec's blocks: the CPU the first and last steps, the GPU those between",
                 Engine::kHandover,
                 true,
                 true},
    ScheduleInfo{"hybrid",
                 "bwec's blocks: the CPU the upper rows, the GPU the lower ones, at once",
                 Engine::kHybrid,
                 true,
                 true},
};

/// Parameters of every error diffusion. They change the time, never the bits.
inline constexpr std::array kCpuGpuParameters = {
    ParameterInfo{.name = "handover_steps",
                  .summary = "engine handover: steps at either end on the CPU; -1: measured",
                  .minimum = -1,
                  .maximum = 1e6,
                  .default_value = -1,
                  .integer = true,
                  .tuning = true},
    ParameterInfo{.name = "cpu_share",
                  .summary = "engine hybrid: part of the page for the CPU, 0 .. 1; -1: measured",
                  .minimum = -1,
                  .maximum = 1,
                  .default_value = -1,
                  .tuning = true},
};

/// A method's `own` parameters, followed by the above.
template <size_t kOwn>
constexpr auto with_cpu_gpu_parameters(const std::array<ParameterInfo, kOwn>& own) {
  std::array<ParameterInfo, kOwn + kCpuGpuParameters.size()> all = {};
  for (size_t i = 0; i < kOwn; ++i) all[i] = own[i];
  for (size_t i = 0; i < kCpuGpuParameters.size(); ++i) all[kOwn + i] = kCpuGpuParameters[i];
  return all;
}

/// A halftoner that runs one of the above. Throws Error kDevice where this build or machine has no
/// GPU.
template <Rule R>
std::unique_ptr<Halftoner> make_cpu_gpu_diffusion(const R& rule,
                                                  const HalftoneSettings& settings,
                                                  const ScheduleInfo& schedule,
                                                  gpu::Context& context) {
  if (gpu::device_count() == 0) {
    throw Error(ErrorKind::kDevice,
                "schedule '" + std::string(schedule.name) +
                    "' shares a plane with a GPU, and there is none: " + gpu::list_gpus().why_none +
                    "; without engine and schedule the CPU does the work");
  }
  CpuGpuParts<R> parts{rule,
                       [rule, &context](uint32_t width_px) {
                         return make_gpu_block_device(rule, context, width_px);
                       },
                       [rule, &context] { return measured_costs(rule, context); }};
  const auto value = [&](const char* name) { return settings.parameters.find(name)->second; };
  if (schedule.engine == Engine::kHandover) {
    return std::make_unique<HandoverDiffusion<R>>(std::move(parts),
                                                  static_cast<int>(value("handover_steps")));
  }
  return std::make_unique<HybridDiffusion<R>>(std::move(parts), value("cpu_share"));
}

}  // namespace mezzo::diffusion
