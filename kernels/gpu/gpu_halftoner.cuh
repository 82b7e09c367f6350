// A halftoner that runs a method's GPU schedule on the machine's GPUs.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/halftoner.h"
#include "kernels/method_info.h"

namespace mezzo::gpu {

struct GpuMethod {
  HalftonerTraits traits;  ///< row_multiple also of the slabs that a plane travels in
  /// Makes the schedule for planes `width_px` wide and slabs of at most `max_rows` rows, on the GPU
  /// `device`. Throws Error, kOutOfMemory where the GPU has no room.
  std::function<std::unique_ptr<GpuSchedule>(Device device, uint32_t width_px, uint32_t max_rows)>
      make_schedule;
};

/// Runs each plane on the GPU with the fewest; a further GPU is woken when those in use have 8
/// each. Where a GPU has no memory left for a plane, even in small pieces, `on_cpu` runs it.
/// `schedule` is what the registry calls it; the context outlives the halftoner. Throws Error
/// kDevice where this machine has no GPU.
std::unique_ptr<Halftoner> make_gpu_halftoner(GpuMethod method,
                                              const ScheduleInfo& schedule,
                                              Context& context,
                                              std::unique_ptr<Halftoner> on_cpu);

/// The method of a halftoner that make_gpu_halftoner() made, and its context.
struct MethodOnGpu {
  const GpuMethod& method;
  Context& context;
};
std::optional<MethodOnGpu> method_on_gpu(const Halftoner& halftoner);

}  // namespace mezzo::gpu
