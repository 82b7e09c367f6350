// A halftoner that runs a method's GPU schedule on the machine's GPUs.
#pragma once

#include <functional>
#include <memory>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/halftoner.h"
#include "kernels/method_info.h"

namespace mezzo::gpu {

/// Makes the schedule for planes `width_px` wide and bands of at most `max_rows` rows, on the GPU
/// `device`. Throws Error, kOutOfMemory where the GPU has no room.
using MakeSchedule = std::function<std::unique_ptr<GpuSchedule>(
    Device device, uint32_t width_px, uint32_t max_rows)>;

/// All that Halftoner::on_gpu() tells of a method: a schedule's bands have the context and the bits
/// a pixel of its traits, and are of whole slabs where these ask for bands of their own.
struct MethodOnGpu {
  MakeSchedule make_schedule;
  Context* context;  ///< not null
};

/// `traits`: row_multiple also of the slabs that a plane travels in.
///
/// Runs each plane on the GPU with the fewest; a further GPU is woken when those in use have 8
/// each. Where a GPU has no memory left for a plane, even in small pieces, `on_cpu` runs it.
/// `schedule` is what the registry calls it; the context outlives the halftoner. Throws Error
/// kDevice where this machine has no GPU.
std::unique_ptr<Halftoner> make_gpu_halftoner(const HalftonerTraits& traits,
                                              MakeSchedule make_schedule,
                                              const ScheduleInfo& schedule,
                                              Context& context,
                                              std::unique_ptr<Halftoner> on_cpu);

}  // namespace mezzo::gpu
