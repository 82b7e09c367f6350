#include "kernels/together/gpu/gpu_inks_halftoner.cuh"

#include <utility>

#include "kernels/band/team.h"
#include "kernels/gpu/gpu.h"

namespace mezzo::together {
namespace {

class GpuInksHalftoner final : public InksHalftoner {
 public:
  GpuInksHalftoner(const HalftonerTraits& traits,
                   gpu::InksOnGpu method,
                   std::unique_ptr<InksHalftoner> on_cpu)
      : traits_(traits), method_(std::move(method)), on_cpu_(std::move(on_cpu)) {}

  HalftonerTraits traits() const override { return traits_; }
  const gpu::InksOnGpu* on_gpu() const override { return &method_; }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override {
    auto state =
        gpu::make_planes_state(*method_.context, traits_, method_.make_schedule, width_px, inks);
    if (state->planes == nullptr) state->on_cpu = on_cpu_->make_state(width_px, inks);
    return state;
  }

  void run(const InksBand& band, HalftonerState* state, Team& team) const override {
    auto& on_gpu = static_cast<gpu::PlanesState&>(*state);
    if (on_gpu.planes == nullptr) {
      on_cpu_->run(band, on_gpu.on_cpu.get(), team);
    } else {
      gpu::run_planes(on_gpu, bands(band));
    }
  }

  void start(const InksBand& band,
             HalftonerState* state,
             Team& team,
             Halftoner::Done done) const override {
    auto& on_gpu = static_cast<gpu::PlanesState&>(*state);
    if (on_gpu.planes == nullptr) {
      on_cpu_->start(band, on_gpu.on_cpu.get(), team, std::move(done));
    } else {
      gpu::start_planes(on_gpu, bands(band), done);
    }
  }

 private:
  static gpu::PlaneBands bands(const InksBand& band) { return {band.in, band.curves, band.out}; }

  HalftonerTraits traits_;
  gpu::InksOnGpu method_;
  std::unique_ptr<InksHalftoner> on_cpu_;
};

}  // namespace

std::unique_ptr<InksHalftoner> make_gpu_inks_halftoner(const HalftonerTraits& traits,
                                                       gpu::MakeInksSchedule make_schedule,
                                                       const ScheduleInfo& schedule,
                                                       gpu::Context& context,
                                                       std::unique_ptr<InksHalftoner> on_cpu) {
  gpu::require_gpu(schedule.name);
  return std::make_unique<GpuInksHalftoner>(
      traits, gpu::InksOnGpu{std::move(make_schedule), &context}, std::move(on_cpu));
}

}  // namespace mezzo::together
