// Halftoning in one call: a picture in greys goes in, its dots come out.
//
//     const mezzo::Bits dots =
//         mezzo::halftone(grey, width, height, {.method = "floyd-steinberg"});
//
// For programs that have a picture in memory. Methods and their parameters: methods() of
// registry.h, or `mezzotint halftone --help`. Pages that do not fit into memory are halftoned band
// by band with a Halftoner (halftoner.h). All errors are exceptions of type Error.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/tone_settings.h"
#include "kernels/base/error.h"
#include "kernels/complete.h"
#include "kernels/screen/tile_values.h"
#include "kernels/settings.h"

namespace mezzo {

class Team;
class ToneCurve;

/// The value of a method's parameter: a number, or the name of a choice, as in
/// {{"block", 16}, {"path", "serpentine"}} of pinwheel.
class ParameterValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): {"block", 16} is how users write it
  template <typename T>
  requires std::integral<T> || std::floating_point<T> ParameterValue(T number)
      : value_(static_cast<double>(number)) {}
  template <typename T>
  requires std::convertible_to<const T&, std::string_view> ParameterValue(const T& name)
      : value_(std::string(std::string_view(name))) {}
  // NOLINTEND(google-explicit-constructor)

  /// Null where it is a name.
  const double* number() const { return std::get_if<double>(&value_); }
  /// Null where it is a number.
  const std::string* name() const { return std::get_if<std::string>(&value_); }

 private:
  std::variant<double, std::string> value_;
};

struct HalftoneOptions {
  std::string method = "floyd-steinberg";
  /// Those that are left out have their defaults.
  std::map<std::string, ParameterValue, std::less<>> parameters = {};
  /// kAutomatic is the CPU. Every engine gives the same bits.
  Engine engine = Engine::kAutomatic;
  Polarity polarity = Polarity::kMaxIsPaper;
  /// The value of white (or, with kMaxIsInk, of solid); 0: the largest that the type holds.
  uint32_t max_sample = 0;
  ToneSettings tone = {};
  /// From row to row, in samples; 0: rows follow each other without a gap.
  size_t stride = 0;
  /// Number of the ink: every method but threshold gives another one other dots. 0 is black.
  uint32_t ink = 0;
  /// Its name, for the usual angle of its screen; empty: not known, and `am` needs `angle` for inks but 0.
  std::string ink_name = {};
  /// Resolution of the plate; 0: not known, and `am` needs it, here or as its parameter.
  double dpi = 0;
  /// The schedule of the method on its engine; empty: the fastest.
  std::string schedule = {};
  /// Of the method `tile`: its array of thresholds.
  std::shared_ptr<const screen::TileValues> tile = {};
  /// The threads that share the work (band/team.h); null: the calling thread alone.
  Team* team = nullptr;

  // What halftone() makes of them, for those who run the method themselves. All throw Error(kUsage).

  /// For make_halftoner(), with an engine that this machine has; else Error(kDevice). Refuses
  /// parameters that this call cannot honour, and what complete() refuses.
  CompleteSettings settings() const;
  /// From samples of 1 or 2 bytes to tones.
  ToneCurve curve(uint32_t bytes_per_sample) const;
  /// Names the place of a sample above max_sample, which the curve does not know.
  void check_samples(const SampleBand& in) const;
};

/// Dots in rows of bytes: 1 is ink, the first pixel of a row is the highest bit of its first byte,
/// bits behind the last pixel are 0.
struct Bits {
  std::vector<uint8_t> bytes;
  uint32_t width = 0;
  uint32_t height = 0;

  /// From row to row.
  size_t stride_bytes() const { return (size_t{width} + 7) / 8; }
  bool ink(uint32_t x, uint32_t y) const {
    return (bytes[y * stride_bytes() + x / 8] >> (7 - x % 8) & 1) != 0;
  }
};

/// The largest width and height of a picture.
inline constexpr uint32_t kMostPixelsASide = 1U << 20;

/// Halftones a picture of width x height greys of 8 or 16 bits. Throws Error: kUsage for invalid
/// options or sizes, kDevice and kOutOfMemory when a GPU was asked for and is missing, fails or has
/// no room.
Bits halftone(std::span<const uint8_t> grey,
              uint32_t width,
              uint32_t height,
              const HalftoneOptions& options = {});
Bits halftone(std::span<const uint16_t> grey,
              uint32_t width,
              uint32_t height,
              const HalftoneOptions& options = {});

}  // namespace mezzo
