// The engine of screens: each pixel is compared with the threshold of a tile at its place.
//
// A screen is a tile for each ink; this header does rows, packing, threads and curves.
#pragma once

#include <memory>
#include <utility>

#include "kernels/halftoner.h"
#include "kernels/method_info.h"
#include "kernels/screen/gpu/gpu_tile.h"
#include "kernels/screen/ink_screens.h"

namespace mezzo::screen {

class TileHalftoner final : public Halftoner {
 public:
  explicit TileHalftoner(InkScreens screens) : screens_(std::move(screens)) {}

  HalftonerTraits traits() const override { return {.making_bytes = screens_.making_bytes}; }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override;
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override;
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override;

 private:
  InkScreens screens_;
};

inline constexpr ScheduleInfo kTileSchedules[] = {
    {.name = "rows",
     .summary = "each row by itself, rows spread over the threads",
     .engine = Engine::kCpu,
     .uses_threads = true,
     .has_levels = true},
    {.name = "words",
     .summary = "32 words of a row to a warp",
     .engine = Engine::kGpu,
     .has_levels = true},
};

/// The registry's line for a screen: a struct with a name, a summary, its parameters, and `static
/// InkScreens screens(const HalftoneSettings&)`. It may have `check` and `kTakesTile`, as MethodInfo.
template <typename Screen>
constexpr MethodInfo screen_method() {
  MethodInfo info = {Screen::kName,
                     Screen::kSummary,
                     kWithDot<Screen::kParameters>,
                     kTileSchedules,
                     [](const HalftoneSettings& settings,
                        const ScheduleInfo& schedule,
                        gpu::Context& context) -> std::unique_ptr<Halftoner> {
                       const InkScreens screens = Screen::screens(settings);
                       auto on_cpu = std::make_unique<TileHalftoner>(screens);
                       if (schedule.engine != Engine::kGpu) return on_cpu;
                       return make_tiles_on_gpu(screens, schedule, context, std::move(on_cpu));
                     }};
  info.levels = LevelSupport::kByThreshold;
  if constexpr (requires { &Screen::check; }) info.check = &Screen::check;
  if constexpr (requires { Screen::kTakesTile; }) info.takes_tile = Screen::kTakesTile;
  return info;
}

}  // namespace mezzo::screen
