// Makes the GPU schedules of inks together: gpu_together.cu the launched ones, plane after plane, and
// gpu_together_wavefront.cu the persistent one, all planes at once.
#pragma once

#include <memory>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"

namespace mezzo::diffusion {

/// Inks that make_together_wavefront() takes.
inline constexpr uint32_t kMostInksAtOnce = 6;

/// For `inks` planes, at least 2, in bands of at most `max_rows` rows; `rule` has its tables on the
/// GPU. Throws Error, kOutOfMemory where the GPU has no room.
template <Rule R>
std::unique_ptr<gpu::InksSchedule> make_together_wavefront(
    const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows, uint32_t inks);

}  // namespace mezzo::diffusion
