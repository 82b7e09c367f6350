// The engine of methods that decide each pixel from its own tone and position alone.
//
// A point method is a struct with a name, a summary, its parameters, a constructor from settings
// and one function, `bool ink(tone, place) const`; this header does the rest. The smallest complete
// one is threshold.h.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/halftoner.h"
#include "kernels/method_info.h"

namespace mezzo::screen {

/// A pixel of the page, and the ink that it is decided for.
struct PixelPlace {
  uint32_t x;
  uint32_t y;
  uint32_t plane;
  uint32_t texture;  ///< of the ink, ink_texture.h
};

template <typename Method>
class PointHalftoner final : public Halftoner {
 public:
  explicit PointHalftoner(const HalftoneSettings& settings) : method_(settings) {}

  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override { return nullptr; }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState*,
           Team& team) const override {
    for_each_index(team, in.rows, [&](uint32_t i) {
      if (in.bytes_per_sample == 1) {
        halftone_row(in.row8(i), curve, in.slice(i, 1), out.row(i));
      } else {
        halftone_row(in.row16(i), curve, in.slice(i, 1), out.row(i));
      }
    });
  }

 private:
  template <typename Sample>
  void halftone_row(const Sample* samples,
                    const ToneCurve& curve,
                    const SampleBand& row,
                    uint8_t* bits) const {
    const uint16_t* tones = curve.table().data();
    for (uint32_t x = 0; x < row.width_px; x += 8) {
      const uint32_t pixels = std::min(row.width_px - x, 8U);
      uint32_t byte = 0;
      for (uint32_t i = 0; i < pixels; ++i) {
        const PixelPlace place{x + i, row.first_row, row.plane, row.texture};
        byte |= uint32_t{method_.ink(tones[samples[x + i]], place)} << (7 - i);
      }
      bits[x / 8] = static_cast<uint8_t>(byte);
    }
  }

  Method method_;
};

inline constexpr ScheduleInfo kPointSchedules[] = {
    {.name = "rows",
     .summary = "each row by itself, rows spread over the threads",
     .engine = Engine::kCpu,
     .uses_threads = true,
     .has_levels = true},
};

/// The registry's line for a point method.
template <typename Method>
constexpr MethodInfo point_method() {
  return {.name = Method::kName,
          .summary = Method::kSummary,
          .parameters = Method::kParameters,
          .schedules = kPointSchedules,
          .make = [](const HalftoneSettings& settings,
                     const ScheduleInfo&,
                     gpu::Context&) -> std::unique_ptr<Halftoner> {
            return std::make_unique<PointHalftoner<Method>>(settings);
          },
          .levels = LevelSupport::kByThreshold};
}

}  // namespace mezzo::screen
