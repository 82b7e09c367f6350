// Planes on GPUs, those that are halftoned together and those alone: memory, streams and the way there
// and back, for any method. What a schedule does with a band once it is there is its own matter
// (gpu_schedule.cuh).
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// Makes a schedule for so many planes `width_px` wide, in bands of at most `max_rows` rows, on the
/// GPU `device`. Throws Error, kOutOfMemory where the GPU has no room.
using MakeInksSchedule = std::function<std::unique_ptr<InksSchedule>(
    Device device, uint32_t width_px, uint32_t max_rows, uint32_t inks)>;

/// All that together::InksHalftoner::on_gpu() tells of a method, as MethodOnGpu.
struct InksOnGpu {
  MakeInksSchedule make_schedule;
  Context* context;  ///< not null
};

/// A band of each plane, all of the same rows.
struct PlaneBands {
  std::span<const SampleBand> in;
  std::span<const ToneCurve* const> curves;
  std::span<const BitBand> out;
};

class PlanesOnGpu;

struct PlanesState final : HalftonerState {
  explicit PlanesState(Context& context);
  ~PlanesState() override;

  DeviceLease lease;
  std::unique_ptr<PlanesOnGpu> planes;     ///< null: on the CPU
  std::unique_ptr<HalftonerState> on_cpu;  ///< of the halftoner that takes over; others make it
  std::exception_ptr failure;              ///< of an earlier band
};

/// The state before the first row; without planes where the GPU with the fewest has no room, even for
/// small pieces.
std::unique_ptr<PlanesState> make_planes_state(Context& context,
                                               const HalftonerTraits& traits,
                                               const MakeInksSchedule& make_schedule,
                                               uint32_t width_px,
                                               uint32_t inks);

/// As Halftoner::start() and run(), of a state that has planes. The lists of `bands` are read at once.
void start_planes(PlanesState& state, const PlaneBands& bands, const Halftoner::Done& done);
void run_planes(PlanesState& state, const PlaneBands& bands);

}  // namespace mezzo::gpu
