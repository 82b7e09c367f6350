#include "kernels/pinwheel/pinwheel_method.h"

#include <cmath>

#include "kernels/pinwheel/pinwheel.h"

namespace mezzo::pinwheel {

Settings settings_of(const HalftoneSettings& asked) {
  const auto number = [&](std::string_view name) { return asked.parameters.find(name)->second; };
  const auto part = [&](std::string_view name, int one) {
    return static_cast<int>(std::lround(number(name) / 100 * one));
  };
  static const auto floyd_steinberg =
      std::make_shared<const Tables>(floyd_steinberg_parameters(), nullptr);
  return {
      .size = static_cast<uint32_t>(number("block")),
      .path = static_cast<Path>(number("path")),
      .noise = {.threshold = part("threshold-noise", kSolid),
                .start = part("start-noise", kSolid),
                .weights = part("weight-noise", 1 << 15),
                .seed = static_cast<uint32_t>(number("seed"))},
      .tables = floyd_steinberg,
  };
}

std::unique_ptr<Halftoner> make_pinwheel(const HalftoneSettings& asked,
                                         const ScheduleInfo& schedule) {
  const Settings settings = settings_of(asked);
  if (schedule.engine == Engine::kGpu) return make_gpu(settings, schedule, make_lanes(settings));
  return schedule.name == "lanes" ? make_lanes(settings) : make_scalar(settings);
}

}  // namespace mezzo::pinwheel
