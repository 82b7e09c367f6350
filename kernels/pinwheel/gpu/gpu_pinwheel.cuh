// Makes the GPU schedules of pinwheel error diffusion, to be run or timed.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/pinwheel/pinwheel.h"

namespace mezzo::pinwheel {

/// The schedule of that name (kGpuSchedules) for planes `width_px` wide and bands of at most
/// `max_rows` rows, on the GPU `device`. Throws Error, kOutOfMemory where the GPU has no room.
std::unique_ptr<gpu::GpuSchedule> make_gpu_schedule(const Settings& settings,
                                                    std::string_view schedule,
                                                    gpu::Device device,
                                                    uint32_t width_px,
                                                    uint32_t max_rows);

}  // namespace mezzo::pinwheel
