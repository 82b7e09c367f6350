// The settings of the C functions, and what they make.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/halftone.h"
#include "kernels/halftoner.h"
#include "pipeline/run/arena_team.h"
#include "tools/library/mezzotint/mezzotint.h"

struct mezzotint_settings {
  mezzo::HalftoneOptions options;
  uint32_t threads = 0;
  std::optional<uint32_t> plane;                          ///< SampleBand::plane; none: as the ink
  std::map<std::string, std::string, std::less<>> texts;  ///< of parameters, as they were set
  mezzotint_on_pulse on_pulse = nullptr;
  void* pulse_context = nullptr;
};

namespace mezzo::library {

/// The threads of the settings.
class Threads {
 public:
  explicit Threads(const mezzotint_settings& settings);
  Team& team() { return team_; }

 private:
  tbb::task_arena arena_;
  run::ArenaTeam team_{arena_};
};

/// For HalftonerState::on_round, and between bands: throws Error(kInterrupted) if the pulse says to stop. Empty
/// if the settings have no pulse.
std::function<void(const RoundReport&)> pulse_of(const mezzotint_settings& settings);

/// A halftoner for samples of so many bytes, and its curve.
struct Method {
  /// Throws Error (kUsage, kDevice). `engine`: instead of that of the settings, where not kAutomatic.
  Method(const mezzotint_settings& settings,
         uint32_t bytes_per_sample,
         Engine engine = Engine::kAutomatic);

  ToneCurve curve;
  std::unique_ptr<Halftoner> halftoner;
};

/// The image, checked, as a band on the host or on a GPU. Throws Error(kUsage).
SampleBand band_of(const mezzotint_image& image, const mezzotint_settings& settings);

/// The band with the ink of the settings.
SampleBand with_ink(SampleBand band, const mezzotint_settings& settings);

/// Most bytes from pixel to pixel and from row to row; times 2^20 it is the whole address space.
inline constexpr size_t kMostApart = size_t{1} << 43;

/// Bytes from row to row: 0 stands for `least`. Throws Error(kUsage) where rows would overlap, or lie
/// further apart than kMostApart; `what` begins the message.
size_t checked_row_bytes(std::string_view what, size_t row_bytes, size_t least, uint32_t width_px);

/// Bytes from row to row of the dots.
size_t row_bytes_of(const mezzotint_dots& dots, uint32_t width_px);

/// Copies a row whose samples are `pixel_bytes` apart, so that they are side by side.
void gather(const std::byte* row,
            size_t pixel_bytes,
            uint32_t width_px,
            uint32_t bytes_per_sample,
            std::byte* out);

/// Writes dots that are packed eight to a byte, as a byte each.
void spread(const uint8_t* packed, uint32_t width_px, uint8_t* out);

}  // namespace mezzo::library
