// The registry's line for pinwheel error diffusion.
#pragma once

#include <cstdint>

#include "kernels/method_info.h"
#include "kernels/pinwheel/block_path.h"
#include "kernels/pinwheel/gpu/gpu_pinwheel.h"
#include "kernels/pinwheel/pinwheel.h"

namespace mezzo::pinwheel {

inline constexpr std::string_view kPathNames[] = {"spiral", "serpentine"};  // as enum Path has them
inline constexpr std::string_view kWeightNames[] = {"fs", "tone-dependent"};

inline constexpr ParameterInfo kParameters[] = {
    {.name = "block",
     .summary = "pixels a side of a block; large ones have finer texture and run slower",
     .minimum = kLeastSize,
     .maximum = kMostSize,
     .default_value = 16,
     .integer = true},
    choice_parameter("path", "walk through a block", kPathNames),
    choice_parameter(
        "weights",
        "weights of errors: Floyd-Steinberg's, or trained tone by tone, with thresholds",
        kWeightNames,
        1),
    {.name = "threshold_noise",
     .summary = "change of each pixel's threshold, at most so much of a dot up or down",
     .minimum = 0,
     .maximum = 50,
     .default_value = 0,
     .percent = true},
    {.name = "start_noise",
     .summary = "starting error of each block, at most so much of a dot",
     .minimum = 0,
     .maximum = 50,
     .default_value = 0,
     .percent = true},
    {.name = "weight_noise",
     .summary = "change of each pixel's weights, at most so much of them up or down",
     .minimum = 0,
     .maximum = 50,
     .default_value = 0,
     .percent = true},
    {.name = "seed",
     .summary = "seed of the noise",
     .minimum = 0,
     .maximum = UINT32_MAX,
     .default_value = 0,
     .integer = true},
};

inline constexpr ScheduleInfo kSchedules[] = {
    {"pixels", "block by block, pixel by pixel: the reference", Engine::kCpu, true},
    {"lanes", "SIMD, a block to a lane, on as many threads as are free", Engine::kCpu, true},
    kGpuSchedules[0],
    kGpuSchedules[1],
};

/// The options of a user's settings, which have a value for every parameter.
Settings settings_of(const HalftoneSettings& settings);

std::unique_ptr<Halftoner> make_pinwheel(const HalftoneSettings& settings,
                                         const ScheduleInfo& schedule,
                                         gpu::Context& context);

inline constexpr MethodInfo kPinwheelMethod = {
    "pinwheel",
    "error diffusion in blocks that run side by side: made for GPUs, coarser than floyd-steinberg",
    kWithDot<kParameters>,
    kSchedules,
    make_pinwheel,
};

}  // namespace mezzo::pinwheel
