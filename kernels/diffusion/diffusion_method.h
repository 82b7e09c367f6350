// The registry's line for an error diffusion, from its rule.
//
// A method is a struct with a name, a summary, its parameters and one function, `static Rule
// rule(const HalftoneSettings&)`; this header gives it every schedule that is a template over a
// rule. table_methods.h has the models.
#pragma once

#include <array>

#include "kernels/base/error.h"
#include "kernels/diffusion/cpu/blocks.h"
#include "kernels/diffusion/cpu/sequential.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/hybrid/cpu_gpu_methods.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/diffusion/together_method.h"
#include "kernels/method_info.h"

namespace mezzo::diffusion {

inline constexpr ScheduleInfo kEd = {
    .name = "ed",
    .summary = "error diffusion, one pixel after another on one core",
    .engine = Engine::kCpu,
    .has_levels = true};
inline constexpr ScheduleInfo kBlocks = {.name = "blocks",
                                         .summary = "slanted blocks, spread over the threads",
                                         .engine = Engine::kCpu,
                                         .uses_threads = true,
                                         .has_levels = true};

/// The schedules of the CPU, in their order, followed by those of the GPU and of both.
template <typename... OnCpu>
constexpr auto with_gpu_schedules(const OnCpu&... on_cpu) {
  constexpr size_t kOnGpu = kGpuSchedules.size(), kOnBoth = kCpuGpuSchedules.size();
  std::array<ScheduleInfo, sizeof...(OnCpu) + kOnGpu + kOnBoth> all = {on_cpu...};
  size_t next = sizeof...(OnCpu);
  for (const ScheduleInfo& schedule : kGpuSchedules) all[next++] = schedule;
  for (const ScheduleInfo& schedule : kCpuGpuSchedules) all[next++] = schedule;
  return all;
}

inline constexpr auto kDiffusionSchedules = with_gpu_schedules(kEd, kBlocks);

/// Asserts the conditions that schedules rely on: a residue of 0 has no shares, and a neighbour
/// outside the pattern gets none.
template <Rule R>
void check_rule(const R& rule) {
  constexpr Pattern kUsed = R::kPattern;
  for (const int tone : {0, 1, 1000, 2048, 4095, 4096}) {
    for (const int residue : {-kMostResidue, 0, 1, 7, kMostResidue}) {
      const Shares shares = rule.shares(residue, tone);
      MZ_ASSERT(kUsed.left || shares.right == 0);
      MZ_ASSERT(kUsed.up_right || shares.down_left == 0);
      MZ_ASSERT(kUsed.up || shares.down == 0);
      MZ_ASSERT(kUsed.up_left || shares.down_right == 0);
      if (residue != 0) continue;
      MZ_ASSERT(shares.right == 0 && shares.down_left == 0 && shares.down == 0 &&
                shares.down_right == 0);
    }
  }
}

/// A halftoner that runs the rule by one of the schedules above; `fastest_on_cpu` takes over when a
/// GPU has no room.
template <Rule R>
std::unique_ptr<Halftoner> make_diffusion(const R& rule,
                                          const HalftoneSettings& settings,
                                          const ScheduleInfo& schedule,
                                          gpu::Context& context,
                                          std::unique_ptr<Halftoner> fastest_on_cpu) {
  static_assert(kIsListed<R>, "add the type of this rule to kernels/diffusion/rules/rules.h");
  check_rule(rule);
  if (schedule.engine == Engine::kHandover || schedule.engine == Engine::kHybrid) {
    return make_cpu_gpu_diffusion(rule, settings, schedule, context);
  }
  if (schedule.engine != Engine::kCpu) {
    return make_gpu_diffusion(rule, schedule, context, std::move(fastest_on_cpu));
  }
  if (schedule.name == kBlocks.name) return std::make_unique<BlockDiffusion<R>>(rule);
  return std::make_unique<SequentialDiffusion<R>>(rule);
}

template <typename Method>
inline constexpr auto kParametersOf =
    together::with_inks_parameters(with_cpu_gpu_parameters(Method::kParameters));

template <typename Method>
std::unique_ptr<Halftoner> make_method(const HalftoneSettings& settings,
                                       const ScheduleInfo& schedule,
                                       gpu::Context& context) {
  const auto rule = Method::rule(settings);
  using R = decltype(Method::rule(settings));
  return make_diffusion(
      rule, settings, schedule, context, std::make_unique<BlockDiffusion<R>>(rule));
}

template <typename Method>
std::unique_ptr<mezzo::together::InksHalftoner> make_method_together(
    const HalftoneSettings& settings,
    const ScheduleInfo& schedule,
    const mezzo::together::InkColours&,
    gpu::Context& context) {
  const auto rule = Method::rule(settings);
  using R = decltype(Method::rule(settings));
  return together::make_inks_diffusion(
      rule,
      settings,
      schedule,
      context,
      std::make_unique<together::InksBlockDiffusion<R>>(rule, together::light_tones_of(settings)));
}

/// The registry's line.
template <typename Method>
constexpr MethodInfo diffusion_method() {
  return {.name = Method::kName,
          .summary = Method::kSummary,
          .parameters = kWithDot<kParametersOf<Method>>,
          .schedules = kDiffusionSchedules,
          .make = make_method<Method>,
          .make_together = make_method_together<Method>};
}

}  // namespace mezzo::diffusion
