// Columns of a plate that is scaled by kNearest, kLinear or kCubic, sample for sample as a Scaler makes them. The CPU
// compiles it for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/base/host_device.h"
#include "kernels/prepress/scale_axis.h"

namespace mezzo::prepress {

/// Rows of ink15 samples in the memory of a GPU, all of a plane's width.
template <typename Sample>
struct DeviceRows {
  Sample* samples;
  size_t pitch;        ///< samples from row to row
  uint32_t first_row;  ///< of the page, or of the plate
  uint32_t rows;

  MZ_HD Sample* row(uint32_t of_plane) const { return samples + (of_plane - first_row) * pitch; }
};

/// The tables of a PointAxis, by phase.
struct PointTable {
  explicit PointTable(const PointAxis& axis) {
    for (uint32_t phase = 0; phase < axis.ratio().p; ++phase) {
      first_taps.push_back(static_cast<int32_t>(axis.first_tap(phase)));
      weights.insert(weights.end(), axis.weights(phase), axis.weights(phase) + axis.taps());
    }
  }

  std::vector<int32_t> first_taps;
  std::vector<int16_t> weights;  ///< PointAxis::taps() of each phase
};

/// A PointAxis on a GPU. The memory is another's.
struct DeviceAxis {
  uint32_t page_samples, plate_samples;
  uint32_t p, q;
  const int32_t* first_taps;  ///< as in PointTable
  const int16_t* weights;

  MZ_HD int64_t first_tap(uint32_t x) const { return int64_t{x / p} * q + first_taps[x % p]; }
  /// A place, or the nearest one on the page.
  MZ_HD uint32_t on_page(int64_t at) const {
    const int64_t last = int64_t{page_samples} - 1;
    return static_cast<uint32_t>(at < 0 ? 0 : at > last ? last : at);
  }
};

/// A column of the plate: the taps along the rows, and the lines that are mixed across them.
template <uint32_t kTaps>
class PointColumn {
 public:
  MZ_HD PointColumn(const DeviceAxis& across, uint32_t x) {
    const uint32_t phase = x % across.p;
    const int64_t first = across.first_tap(x);
    for (uint32_t tap = 0; tap < kTaps; ++tap) {
      at_[tap] = across.on_page(first + tap);
      weights_[tap] = across.weights[size_t{phase} * kTaps + tap];
      lines_[tap] = 0;
    }
  }

  /// Drops the first line, and scales the row of the page along for the last.
  MZ_HD void advance(const uint16_t* row) {
    for (uint32_t tap = 0; tap + 1 < kTaps; ++tap) lines_[tap] = lines_[tap + 1];
    lines_[kTaps - 1] = along(row);
  }

  /// The sample of the plate, by kTaps weights.
  template <typename Weight>
  MZ_HD int across(const Weight* weights) const {
    if constexpr (kTaps == 1) return lines_[0];
    int sum = 0;
    for (uint32_t tap = 0; tap < kTaps; ++tap) sum += weights[tap] * lines_[tap];
    return level_of_sum(sum);
  }

 private:
  MZ_HD int along(const uint16_t* row) const {
    if constexpr (kTaps == 1) return row[at_[0]];
    int sum = 0;
    for (uint32_t tap = 0; tap < kTaps; ++tap) sum += weights_[tap] * int{row[at_[tap]]};
    return level_of_sum(sum);
  }

  uint32_t at_[kTaps];
  int weights_[kTaps];
  int lines_[kTaps];
};

}  // namespace mezzo::prepress
