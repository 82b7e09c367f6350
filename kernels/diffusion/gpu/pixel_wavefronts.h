// The wavefronts of single pixels that a plane falls into (Kasagi et al. section II; Deshpande et
// al. figure 3): wavefront k holds pixel x = k - slope * i of every row i that has one, and its
// pixels need wavefronts k - 1, k - 2 and k - 3 only. Geometry only, for CPU and GPU.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"

namespace mezzo::diffusion {

template <uint32_t kSlope>
struct PixelWavefronts {
  uint32_t width_px;
  uint32_t rows;

  MZ_HD constexpr uint32_t count() const { return width_px + kSlope * (rows - 1); }
  MZ_HD constexpr uint32_t index(uint32_t x, uint32_t i) const { return x + kSlope * i; }
  MZ_HD constexpr uint32_t column(uint32_t k, uint32_t i) const { return k - kSlope * i; }

  /// The rows [first, last) with a pixel in wavefront k; none in some wavefronts of narrow planes.
  MZ_HD constexpr uint32_t first_row(uint32_t k) const {
    return k < width_px ? 0 : (k - width_px) / kSlope + 1;
  }
  MZ_HD constexpr uint32_t last_row(uint32_t k) const {
    return k / kSlope + 1 < rows ? k / kSlope + 1 : rows;
  }

  /// The most pixels that a wavefront has.
  MZ_HD constexpr uint32_t most_pixels() const {
    const uint32_t across = (width_px + kSlope - 1) / kSlope;
    return across < rows ? across : rows;
  }
};

}  // namespace mezzo::diffusion
