// The engine of screens: each pixel is compared with the threshold of a tile at its place.
//
// A screen is a tile for each ink; this header does rows, packing, threads and curves.
#pragma once

#include <functional>
#include <memory>

#include "kernels/halftoner.h"
#include "kernels/method_info.h"
#include "kernels/screen/tile.h"

namespace mezzo::screen {

/// The screen of one ink: a tile, and the pixel of it where the page begins.
struct PlacedTile {
  std::shared_ptr<const ThresholdTile> tile;
  uint32_t x = 0;
  uint32_t y = 0;
};

/// The screens of all inks.
struct InkScreens {
  /// Of the ink with this texture (ink_texture.h); may be called from any thread.
  std::function<PlacedTile(uint32_t texture)> of_ink;
  uint32_t width;   ///< of the largest tile
  uint32_t height;  ///< of the largest tile
};

/// The same tile for every ink.
InkScreens same_for_all(ThresholdTile tile);

class TileHalftoner final : public Halftoner {
 public:
  explicit TileHalftoner(InkScreens screens) : screens_(std::move(screens)) {}

  HalftonerTraits traits() const override { return {}; }
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
    {"rows", "each row by itself, rows spread over the threads", Engine::kCpu, true},
};

/// The registry's line for a screen: a struct with a name, a summary, its parameters, and `static
/// InkScreens screens(const HalftoneSettings&)`. It may have `check` and `kTakesTile`, as MethodInfo.
template <typename Screen>
constexpr MethodInfo screen_method() {
  MethodInfo info = {Screen::kName,
                     Screen::kSummary,
                     Screen::kParameters,
                     kTileSchedules,
                     [](const HalftoneSettings& settings,
                        const ScheduleInfo&,
                        gpu::Context&) -> std::unique_ptr<Halftoner> {
                       return std::make_unique<TileHalftoner>(Screen::screens(settings));
                     }};
  if constexpr (requires { &Screen::check; }) info.check = &Screen::check;
  if constexpr (requires { Screen::kTakesTile; }) info.takes_tile = Screen::kTakesTile;
  return info;
}

}  // namespace mezzo::screen
