// The eye's view of dots, as a filter of whole numbers.
//
// A search looks at a halftone through such a filter. Its weights are made in double precision
// once, on the host, and are integers from then on, so that sums of them are exact in any order and
// on any engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo::search {

/// All weights of a filter add up to this.
inline constexpr int kEyeSum = 1 << 14;

inline constexpr uint32_t kMostEyeRadius = 8;

/// A square of (2 radius + 1)^2 values about its centre, the same when turned or mirrored.
class Square {
 public:
  explicit Square(uint32_t radius) : radius_(static_cast<int>(radius)), values_(side() * side()) {}

  int radius() const { return radius_; }
  size_t side() const { return 2 * static_cast<size_t>(radius_) + 1; }

  /// |dy|, |dx| <= radius
  int32_t& at(int dy, int dx) { return values_[index(dy, dx)]; }
  int32_t at(int dy, int dx) const { return values_[index(dy, dx)]; }

  /// Row by row.
  const std::vector<int32_t>& values() const { return values_; }

 private:
  size_t index(int dy, int dx) const {
    return static_cast<size_t>(dy + radius_) * side() + static_cast<size_t>(dx + radius_);
  }

  int radius_;
  std::vector<int32_t> values_;
};

/// exp(-(x^2 + y^2) / (2 sigma^2)): that of published local exhaustive search (sigma 1.0, radius 3;
/// Kouge, Ito and Nakano, formula 1). Weights are not negative and sum to kEyeSum.
Square gaussian_eye(double sigma_px, uint32_t radius);

/// The point spread of Nasanen's eye: the Fourier pair of exp(-k f), f in cycles per pixel, with
/// k = (pi S / 180) / (0.525 ln 11 + 3.91); `scale` S is resolution times viewing distance, in
/// pixels (3500: 300 dpi at 11.7 inches). Fades out over the last pixel before radius + 1.
Square nasanen_eye(double scale, uint32_t radius);

/// sum over p of eye(p) eye(p + d), for |dy|, |dx| <= 2 radius. The sum of all is kEyeSum^2 = 2^28.
Square autocorrelation(const Square& eye);

}  // namespace mezzo::search
