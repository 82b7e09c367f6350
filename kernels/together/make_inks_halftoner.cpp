#include "kernels/together/make_inks_halftoner.h"

#include <string>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "kernels/together/parameter.h"

namespace mezzo::together {
namespace {

/// Levels and squares are made of planes by themselves.
void refuse_levels_and_dots(const MethodInfo& method, const HalftoneSettings& settings) {
  const bool has_dot = method.square_side(settings) != 1;
  if (!settings.levels && !has_dot) return;
  throw Error(
      ErrorKind::kUsage,
      "method '" + std::string(method.name) +
          "': 'inks: together' goes with plates of single pixels of ink or paper; leave out " +
          (has_dot ? "'dot'" : "'levels'") + ", or use 'inks: apart'");
}

}  // namespace

bool are_together(const HalftoneSettings& settings) {
  const auto inks = settings.parameters.find(kInksParameter.name);
  const MethodInfo* method = find_method(settings.method);
  return inks != settings.parameters.end() && inks->second == 1 && method != nullptr &&
         method->make_together != nullptr;
}

ChosenInksHalftoner make_inks_halftoner(const HalftoneSettings& settings,
                                        const InkColours& colours,
                                        gpu::Context& context) {
  MZ_ASSERT(are_together(settings));
  const MethodInfo& method = *find_method(settings.method);
  refuse_levels_and_dots(method, settings);
  // Planes by themselves have the same schedules.
  const ScheduleInfo* schedule = make_halftoner(settings, context).schedule;
  return {method.make_together(with_defaults(settings), *schedule, colours, context), schedule};
}

std::unique_ptr<InksHalftoner> make_inks_reference(const HalftoneSettings& settings,
                                                   const InkColours& colours) {
  MZ_ASSERT(are_together(settings));
  const MethodInfo& method = *find_method(settings.method);
  return method.make_together(
      with_defaults(settings), method.schedules.front(), colours, gpu::Context::of_process());
}

}  // namespace mezzo::together
