// The registry's line for Floyd-Steinberg: the schedules of every error diffusion, and two of its
// own on the CPU. Several levels have those that are templates over a rule.
#pragma once

#include "kernels/diffusion/diffusion_method.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings& settings,
                                                const ScheduleInfo& schedule,
                                                gpu::Context& context);

/// The same for inks together, whose colours do not matter.
std::unique_ptr<mezzo::together::InksHalftoner> make_floyd_steinberg_together(
    const HalftoneSettings& settings,
    const ScheduleInfo& schedule,
    const mezzo::together::InkColours& colours,
    gpu::Context& context);

inline constexpr auto kFloydSteinbergParameters = together::with_inks_parameters(kCpuGpuParameters);

inline constexpr auto kFloydSteinbergSchedules = with_gpu_schedules(
    ScheduleInfo{
        "ec", "error collection, one pixel after another on one core: the reference", Engine::kCpu},
    kEd,
    kBlocks,
    ScheduleInfo{
        "wavefront", "SIMD, a lane a row, on as many threads as are free", Engine::kCpu, true});

inline constexpr MethodInfo kFloydSteinbergMethod = {
    .name = "floyd-steinberg",
    .summary = "error diffusion to four neighbours: fine grain, sharp detail, exact tone",
    .parameters = kWithDot<kFloydSteinbergParameters>,
    .schedules = kFloydSteinbergSchedules,
    .make = make_floyd_steinberg,
    .levels = LevelSupport::kOfItsOwn,
    .make_together = make_floyd_steinberg_together,
};

}  // namespace mezzo::diffusion
