// Random dither: ink where noise falls below the tone. Not for the press, but the start image of
// searches as published, and the worst case that other methods are compared with.
#pragma once

#include <array>

#include "kernels/base/noise.h"
#include "kernels/screen/point_method.h"

namespace mezzo::search {

/// Ink with a probability of tone / 4096.
MZ_HD constexpr bool random_ink(
    uint32_t seed, uint32_t plane, uint32_t y, uint32_t x, uint32_t tone) {
  return pixel_noise(seed, plane, y, x) >> 20 < tone;
}

inline constexpr ParameterInfo kSeedParameter{
    .name = "seed",
    .summary = "seed of the noise",
    .minimum = 0,
    .maximum = 4294967295.0,
    .default_value = 1,
    .integer = true,
};

struct Random {
  static constexpr std::string_view kName = "random";
  static constexpr std::string_view kSummary =
      "ink where noise falls below the tone: the start of searches";
  static constexpr std::array<ParameterInfo, 1> kParameters = {kSeedParameter};

  explicit Random(const HalftoneSettings& settings)
      : seed(static_cast<uint32_t>(settings.parameters.find("seed")->second)) {}

  bool ink(uint32_t tone, screen::PixelPlace at) const {
    return random_ink(seed, at.plane, at.y, at.x, tone);
  }

  uint32_t seed;
};

/// Throws Error kDevice where this build or machine has no GPU.
std::unique_ptr<Halftoner> make_random_on_gpu(const HalftoneSettings& settings,
                                              const ScheduleInfo& schedule,
                                              gpu::Context& context);

inline constexpr std::array kRandomSchedules = {
    ScheduleInfo{"rows", "each row by itself, rows spread over the threads", Engine::kCpu, true},
    ScheduleInfo{"words", "a word of 32 pixels to a thread", Engine::kGpu},
};

inline constexpr MethodInfo kRandomMethod = {
    Random::kName,
    Random::kSummary,
    kWithDot<Random::kParameters>,
    kRandomSchedules,
    [](const HalftoneSettings& settings,
       const ScheduleInfo& schedule,
       gpu::Context& context) -> std::unique_ptr<Halftoner> {
      if (schedule.engine == Engine::kGpu) return make_random_on_gpu(settings, schedule, context);
      return std::make_unique<screen::PointHalftoner<Random>>(settings);
    },
};

}  // namespace mezzo::search
