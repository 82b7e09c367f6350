#include "kernels/diffusion/floyd_steinberg_method.h"

#include "kernels/diffusion/cpu/sequential.h"
#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"

namespace mezzo::diffusion {

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings& settings,
                                                const ScheduleInfo& schedule,
                                                gpu::Context& context) {
  if (schedule.engine == Engine::kCpu) {
    if (schedule.name == "ec") return std::make_unique<SequentialCollection>();
    if (schedule.name == "wavefront") return std::make_unique<WavefrontDiffusion>();
  }
  return make_diffusion(
      FloydSteinbergRule{}, settings, schedule, context, std::make_unique<WavefrontDiffusion>());
}

}  // namespace mezzo::diffusion
