// The GPU's part of an error diffusion, as its registry line sees it. No CUDA header.
#pragma once

#include <array>
#include <memory>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

/// Schedules for engine kGpu, the fastest last; every rule has all of them, in any build, so that a
/// manifest means the same everywhere.
inline constexpr std::array kGpuSchedules = {
    ScheduleInfo{
        "pwed", "error diffusion, one launch a wavefront of pixels", Engine::kGpu, false, true},
    ScheduleInfo{
        "pwec", "error collection, one launch a wavefront of pixels", Engine::kGpu, false, true},
    ScheduleInfo{
        "knight", "as pwec, pixels stored wavefront by wavefront", Engine::kGpu, false, true},
    ScheduleInfo{
        "bwed", "error diffusion, one launch a wavefront of blocks", Engine::kGpu, false, true},
    ScheduleInfo{
        "bwec", "error collection, one launch a wavefront of blocks", Engine::kGpu, false, true},
    ScheduleInfo{
        "wavefront", "one persistent launch a band, a lane a row", Engine::kGpu, false, true},
};

/// A halftoner that runs one of the above on the machine's GPUs, each plane on the one with the
/// fewest; a further GPU is woken when those in use have 8 each. Where a GPU has no memory left for
/// a plane, even in small pieces, `on_cpu` runs it. Throws Error kDevice where this build or
/// machine has no GPU. Defined for the rules of rules.h.
template <Rule R>
std::unique_ptr<Halftoner> make_gpu_diffusion(const R& rule,
                                              const ScheduleInfo& schedule,
                                              gpu::Context& context,
                                              std::unique_ptr<Halftoner> on_cpu);

}  // namespace mezzo::diffusion
