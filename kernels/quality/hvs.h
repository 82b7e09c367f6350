// The eye as a filter: Nasanen's model of contrast sensitivity, as print research uses it for
// direct binary search.
//
// Spectrum exp(-k f), f in cycles per pixel, k = (pi S / 180) / (0.525 ln 11 + 3.91), S = dpi x
// distance in inches (constants c = 0.525, d = 3.91 and a luminance of 11 cd/m^2 are Nasanen's;
// Lieberman and Allebach use them so). On the page that is the point spread
//     p(i, j) = 2 pi k / (k^2 + 4 pi^2 (i^2 + j^2))^(3/2),  |i|, |j| <= R,
// divided by its sum, tapered to a circle (r >= R + 1: 0; R < r < R + 1: times R + 1 - r), and
// divided by its sum again. R = 23 when S is 3500, which covers 99 % of the eye, and in proportion
// otherwise: R = max(1, round(23 S / 3500)).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/quality/fft.h"
#include "kernels/quality/quality.h"

namespace mezzo::quality {

/// R for this viewing, in pixels.
uint32_t eye_radius(const Viewing& viewing);

/// p, (2 R + 1) x (2 R + 1) values that sum to 1.
std::vector<double> eye_spread(const Viewing& viewing);

/// The same for a spectrum exp(-k f), f in cycles per pixel, cut at `radius`.
std::vector<double> exponential_spread(double k, uint32_t radius);

/// Filters a tile by overlap-save. p is real and even, so the two halves of a tile go through one
/// complex transform as its real and its imaginary part. Read-only after construction: threads
/// share it, each with a transform of make_fft().
class EyeFilter {
 public:
  /// For tiles of up to `tile_px` x `tile_px`, an even number.
  EyeFilter(const Viewing& viewing, uint32_t tile_px);

  uint32_t radius() const { return radius_; }
  uint32_t rows() const { return tile_px_ + 2 * radius_; }         ///< of a half, with its margins
  uint32_t columns() const { return tile_px_ / 2 + 2 * radius_; }  ///< of a half, with its margins
  Fft2d make_fft() const { return {fast_fft_size(rows()), fast_fft_size(columns())}; }

  /// Filters fft.values() in place. Before: value (i, j) is e at (i - R, j - R) from the tile's top
  /// left corner (real: left half; imaginary: right half), for all i < columns(), j < rows(), and 0
  /// elsewhere. After: p * e at the same places, right where the whole of p fits.
  void apply(Fft2d& fft) const;

 private:
  uint32_t tile_px_;
  uint32_t radius_;
  std::vector<double> spectrum_;  ///< of p, real, in the order of Fft2d, divided by its size
};

}  // namespace mezzo::quality
