#include "kernels/diffusion/floyd_steinberg_method.h"

#include "kernels/diffusion/cpu/sequential.h"
#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/level_rule.h"
#include "kernels/diffusion/together/inks_wavefront.h"
#include "kernels/diffusion/together/reference.h"

namespace mezzo::diffusion {
namespace {

std::unique_ptr<Halftoner> make_levels(const HalftoneSettings& settings,
                                       const ScheduleInfo& schedule,
                                       gpu::Context& context) {
  const LevelSettings& levels = *settings.levels;
  const LevelRule rule{lasting_level_entries(levels), drop_levels(levels), levels.bit};
  return make_diffusion(
      rule, settings, schedule, context, std::make_unique<BlockDiffusion<LevelRule>>(rule));
}

}  // namespace

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings& settings,
                                                const ScheduleInfo& schedule,
                                                gpu::Context& context) {
  if (settings.levels) return make_levels(settings, schedule, context);
  if (schedule.engine == Engine::kCpu) {
    if (schedule.name == "ec") return std::make_unique<SequentialCollection>();
    if (schedule.name == "wavefront") return std::make_unique<WavefrontDiffusion>();
  }
  return make_diffusion(
      FloydSteinbergRule{}, settings, schedule, context, std::make_unique<WavefrontDiffusion>());
}

std::unique_ptr<mezzo::together::InksHalftoner> make_floyd_steinberg_together(
    const HalftoneSettings& settings,
    const ScheduleInfo& schedule,
    const mezzo::together::InkColours&,
    gpu::Context& context) {
  const together::LightTones light = together::light_tones_of(settings);
  if (schedule.engine == Engine::kCpu) {
    if (schedule.name == "ec") return std::make_unique<together::InksCollection>(light);
    if (schedule.name == "wavefront") return std::make_unique<together::InksWavefront>(light);
  }
  return together::make_inks_diffusion(FloydSteinbergRule{},
                                       settings,
                                       schedule,
                                       context,
                                       std::make_unique<together::InksWavefront>(light));
}

}  // namespace mezzo::diffusion
