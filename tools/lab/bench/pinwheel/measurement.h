// The measurements of bench pinwheel: the ways to halftone by pinwheel error diffusion, and their
// speeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tools/lab/bench/harness.h"

namespace mezzo::bench {

/// A way to halftone by pinwheel error diffusion.
struct PinwheelPoint {
  uint32_t block = 16;  ///< side, px
  std::string weights = "fs";
  std::string path = "spiral";
  double threshold_noise = 0;  ///< percent of a dot

  bool operator==(const PinwheelPoint&) const = default;

  /// Engine and schedule are left open.
  HalftoneSettings settings() const;
};

/// The speed of a schedule on one page.
struct PinwheelMeasurement : Measurement {
  PinwheelPoint point = {};

  /// The figure of Zhang et al. for this schedule, block and page, if any.
  std::optional<double> paper_gpx_per_s() const;
};

/// The least bytes a pixel that the two phases move when neither finds the other's data in a cache
/// and memory is read in sectors of 32 bytes:
///   samples  1, and once more in the share of sectors that hold pixels of both colours, which is
///            min(1, 32 / s x (1 - gcd(s, 32) / 32)): 1 below s = 32, 0 at 32 and at 64
///   bits     1/8 cleared; each phase reads and writes all words to put its own in: 5/8 together
///   rims     an outward block writes 4 s errors of 2 bytes and an inward one reads as many, in
///            2 s^2 pixels: 8 / s
double pinwheel_bytes_per_px(uint32_t block);

/// All measurements of one block on one page, those of GPUs that failed left out.
using PinwheelRow = std::vector<PinwheelMeasurement>;

/// `row` is that of the result, for the figures that relate schedules to each other.
Record record_of(const PinwheelMeasurement& result, const PinwheelRow& row);

}  // namespace mezzo::bench
