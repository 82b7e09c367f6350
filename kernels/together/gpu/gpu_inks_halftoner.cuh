// A halftoner of inks together that runs a method's GPU schedule on the machine's GPUs.
#pragma once

#include <memory>

#include "kernels/gpu/planes_on_gpu.cuh"
#include "kernels/method_info.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::together {

/// As gpu::make_gpu_halftoner(): all inks of a group run on one GPU.
std::unique_ptr<InksHalftoner> make_gpu_inks_halftoner(const HalftonerTraits& traits,
                                                       gpu::MakeInksSchedule make_schedule,
                                                       const ScheduleInfo& schedule,
                                                       gpu::Context& context,
                                                       std::unique_ptr<InksHalftoner> on_cpu);

}  // namespace mezzo::together
