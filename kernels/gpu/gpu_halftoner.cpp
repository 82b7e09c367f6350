#include "kernels/gpu/gpu_halftoner.cuh"

#include <utility>

#include "kernels/band/team.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/gpu/planes_on_gpu.cuh"

namespace mezzo::gpu {
namespace {

class GpuHalftoner final : public Halftoner {
 public:
  GpuHalftoner(const HalftonerTraits& traits, MethodOnGpu method, std::unique_ptr<Halftoner> on_cpu)
      : traits_(traits), method_(std::move(method)), on_cpu_(std::move(on_cpu)) {}

  HalftonerTraits traits() const override { return traits_; }
  const MethodOnGpu* on_gpu() const override { return &method_; }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    const auto make = [&](Device device, uint32_t width, uint32_t max_rows, uint32_t) {
      return one_plane(method_.make_schedule(device, width, max_rows), device, width);
    };
    auto state = make_planes_state(*method_.context, traits_, make, width_px, 1);
    if (state->planes == nullptr) state->on_cpu = on_cpu_->make_state(width_px);
    return state;
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    auto& on_gpu = static_cast<PlanesState&>(*state);
    if (on_gpu.planes == nullptr) {
      on_cpu_->run(in, curve, out, on_gpu.on_cpu.get(), team);
      return;
    }
    const ToneCurve* const curves[] = {&curve};
    run_planes(on_gpu, {{&in, 1}, curves, {&out, 1}});
  }

  void start(const SampleBand& in,
             const ToneCurve& curve,
             const BitBand& out,
             HalftonerState* state,
             Team& team,
             Done done) const override {
    auto& on_gpu = static_cast<PlanesState&>(*state);
    if (on_gpu.planes == nullptr) {
      on_cpu_->start(in, curve, out, on_gpu.on_cpu.get(), team, std::move(done));
      return;
    }
    const ToneCurve* const curves[] = {&curve};
    start_planes(on_gpu, {{&in, 1}, curves, {&out, 1}}, done);
  }

 private:
  HalftonerTraits traits_;
  MethodOnGpu method_;
  std::unique_ptr<Halftoner> on_cpu_;
};

}  // namespace

std::unique_ptr<Halftoner> make_gpu_halftoner(const HalftonerTraits& traits,
                                              MakeSchedule make_schedule,
                                              const ScheduleInfo& schedule,
                                              Context& context,
                                              std::unique_ptr<Halftoner> on_cpu) {
  require_gpu(schedule.name);
  return std::make_unique<GpuHalftoner>(
      traits, MethodOnGpu{std::move(make_schedule), &context}, std::move(on_cpu));
}

}  // namespace mezzo::gpu
