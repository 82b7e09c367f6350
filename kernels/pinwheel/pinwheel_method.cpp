#include "kernels/pinwheel/pinwheel_method.h"

#include <cmath>
#include <map>
#include <mutex>

#include "kernels/pinwheel/pinwheel.h"
#include "kernels/pinwheel/tables/tables.h"

namespace mezzo::pinwheel {

namespace {

/// Tables are made once and shared.
std::shared_ptr<const Tables> tables_of(uint32_t size, bool by_tone) {
  static const auto kFloydSteinberg = std::make_shared<const Tables>(floyd_steinberg_parameters());
  if (!by_tone) return kFloydSteinberg;
  static std::mutex mutex;
  static std::map<const ToneTable*, std::shared_ptr<const Tables>> made;
  const std::lock_guard lock(mutex);
  const ToneTable& table = tone_table(size);
  auto& tables = made[&table];
  if (!tables) tables = std::make_shared<const Tables>(table);
  return tables;
}

}  // namespace

Settings settings_of(const HalftoneSettings& asked) {
  const auto number = [&](std::string_view name) { return asked.parameters.find(name)->second; };
  const auto part = [&](std::string_view name, int one) {
    return static_cast<int>(std::lround(number(name) / 100 * one));
  };
  return {
      .size = static_cast<uint32_t>(number("block")),
      .path = static_cast<Path>(number("path")),
      .noise = {.threshold = part("threshold_noise", kSolid),
                .start = part("start_noise", kSolid),
                .weights = part("weight_noise", 1 << 15),
                .seed = static_cast<uint32_t>(number("seed"))},
      .tables = tables_of(static_cast<uint32_t>(number("block")), number("weights") != 0),
  };
}

std::unique_ptr<Halftoner> make_pinwheel(const HalftoneSettings& asked,
                                         const ScheduleInfo& schedule,
                                         gpu::Context& context) {
  const Settings settings = settings_of(asked);
  if (schedule.engine == Engine::kGpu) {
    return make_gpu(settings, schedule, context, make_simd(settings));
  }
  return schedule.name == "lanes" ? make_simd(settings) : make_scalar(settings);
}

}  // namespace mezzo::pinwheel
