// Inks together as the registry's lines of error diffusions see them: the parameters, and a halftoner
// for each of their schedules.
#pragma once

#include <array>
#include <memory>

#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/together/account.h"
#include "kernels/diffusion/together/inks_blocks.h"
#include "kernels/method_info.h"
#include "kernels/together/inks_halftoner.h"
#include "kernels/together/parameter.h"

namespace mezzo::diffusion::together {

inline constexpr std::string_view kLightTonesChoices[] = {"as-is", "side-by-side"};

inline constexpr ParameterInfo kLightTonesParameter = [] {
  ParameterInfo light = choice_parameter(
      "light_tones",
      "with inks together: side-by-side keeps the dots of different inks apart where less than a "
      "quarter is covered, for finer grain and a slight change of colour; as-is leaves them to "
      "chance",
      kLightTonesChoices);
  light.unnamed_default = true;
  light.source = ParameterInfo::Source::kSheet;
  return light;
}();

/// A method's parameters, followed by those of inks together.
template <size_t kOwn>
constexpr auto with_inks_parameters(const std::array<ParameterInfo, kOwn>& own) {
  std::array<ParameterInfo, kOwn + 2> all = {};
  for (size_t i = 0; i < kOwn; ++i) all[i] = own[i];
  all[kOwn] = mezzo::together::kInksParameter;
  all[kOwn + 1] = kLightTonesParameter;
  return all;
}

/// Of complete settings.
inline LightTones light_tones_of(const HalftoneSettings& settings) {
  return static_cast<LightTones>(settings.parameters.find(kLightTonesParameter.name)->second);
}

/// A halftoner that runs the rule by a schedule of diffusion_method.h; `fastest_on_cpu` takes over when
/// a GPU has no room. The engines that share a plane with a GPU leave all of it to the GPU.
template <Rule R>
std::unique_ptr<mezzo::together::InksHalftoner> make_inks_diffusion(
    const R& rule,
    const HalftoneSettings& settings,
    const ScheduleInfo& schedule,
    gpu::Context& context,
    std::unique_ptr<mezzo::together::InksHalftoner> fastest_on_cpu) {
  const LightTones light = light_tones_of(settings);
  if (schedule.engine != Engine::kCpu) {
    return make_gpu_together(rule, light, schedule, context, std::move(fastest_on_cpu));
  }
  const uint32_t most_threads = schedule.uses_threads ? UINT32_MAX : 1;
  return std::make_unique<InksBlockDiffusion<R>>(rule, light, most_threads);
}

}  // namespace mezzo::diffusion::together
