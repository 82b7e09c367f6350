// The registry's line for Floyd-Steinberg, and its schedules.
#pragma once

#include "kernels/registry.h"

namespace mezzo {

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings& settings,
                                                const ScheduleInfo& schedule);

inline constexpr ScheduleInfo kFloydSteinbergSchedules[] = {
    {"ec", "error collection, one pixel after another on one core: the reference", Engine::kCpu},
    {"ed", "error diffusion, one pixel after another on one core", Engine::kCpu},
    {"wavefront", "SIMD, a lane a row, on as many threads as are free", Engine::kCpu, true},
};

inline constexpr MethodInfo kFloydSteinbergMethod = {
    "floyd-steinberg",
    "error diffusion to four neighbours: fine grain, sharp detail, exact tone",
    {},
    kFloydSteinbergSchedules,
    make_floyd_steinberg,
};

}  // namespace mezzo
