// The light of a print's pixels, as square roots: steps 1 and 2 of colour_report.h, but for the scatter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/rect.h"
#include "kernels/quality/colour/colour_report.h"
#include "kernels/quality/gaussian.h"
#include "kernels/quality/window.h"

namespace mezzo::quality {

/// Three fields of one size: X, Y, Z or L*, a*, b*.
using Fields = std::array<Patch, 3>;

/// A part of the page, mirrored beyond its borders, with inks out of register.
struct Place {
  int64_t x = 0, y = 0;  ///< top left corner
  uint32_t width_px = 0, height_px = 0;
  uint32_t moved_inks = 0;  ///< bit k for ink k
  uint32_t shift_px = 0;    ///< by how much these lie to the right
};

/// Read-only; shared by threads.
class PrintedLight {
 public:
  explicit PrintedLight(const Print& print);

  /// The roots of light of the contone. `windows`, one an ink, hold the rows.
  void of_contone(std::span<const Window> windows, const Place& place, Fields& roots) const;

  /// Of the plates. With gain, one more row around the place must be held.
  void of_plates(std::span<const Window> windows, const Place& place, Fields& roots) const;

 private:
  proof::Xyz mix(std::span<const double> coverage) const;
  void of_grown_plates(std::span<const Window> windows, const Place& place, Fields& roots) const;
  void of_bits(std::span<const Window> windows, const Place& place, Fields& roots) const;

  std::vector<proof::Xyz> roots_;  ///< of each set of inks
  double gain_px_;
};

/// Whether neither contone nor plates have ink there.
bool is_blank(std::span<const Window> windows, const Place& place);

}  // namespace mezzo::quality
