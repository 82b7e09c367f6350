// The GPU's part of an error diffusion, as its registry line sees it.
#pragma once

#include <array>
#include <memory>

#include "kernels/core/error.h"
#include "kernels/diffusion/rule.h"
#include "kernels/registry.h"

namespace mezzo::diffusion {

/// Schedules for engine kGpu, the fastest last; every rule has all of them.
inline constexpr std::array<ScheduleInfo, 0> kGpuSchedules = {};

/// A halftoner that runs one of the above. Throws Error kDevice where this build has none.
template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R&, const ScheduleInfo& schedule) {
  throw Error(ErrorKind::kDevice,
              "this build has no schedule '" + std::string(schedule.name) + "' for a GPU");
}

}  // namespace mezzo::diffusion
