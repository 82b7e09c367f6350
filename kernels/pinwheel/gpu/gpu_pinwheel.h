// Pinwheel error diffusion on the GPU, as its registry line sees it. No CUDA header.
#pragma once

#include <array>
#include <memory>

#include "kernels/method_info.h"
#include "kernels/pinwheel/pinwheel.h"

namespace mezzo::pinwheel {

/// Schedules for engine kGpu, the fastest last. Y. Zhang et al. unrolled the walk of a block into
/// straight code and did not compare it with a loop.
inline constexpr std::array kGpuSchedules = {
    ScheduleInfo{"loop", "a block to a thread, its walk read from a table", Engine::kGpu},
    ScheduleInfo{"unrolled",
                 "its walk compiled, for spirals of even sizes to 16 without noise; else as loop",
                 Engine::kGpu},
};

/// A halftoner that runs one of the above; `on_cpu` takes over when a GPU has no room. Throws Error
/// kDevice where this build or machine has no GPU.
std::unique_ptr<Halftoner> make_gpu(const Settings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context,
                                    std::unique_ptr<Halftoner> on_cpu);

}  // namespace mezzo::pinwheel
