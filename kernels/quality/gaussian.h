// Small Gaussians, applied directly: a row pass and a column pass in double.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"

namespace mezzo::quality {

/// One axis of G(sigma, r): weights()[k] is exp(-k^2 / (2 sigma^2)) for 0 <= k <= r, divided by the
/// sum over -r .. r.
class Gaussian {
 public:
  Gaussian(double sigma_px, uint32_t radius_px);
  uint32_t radius() const { return static_cast<uint32_t>(weights_.size() - 1); }
  double operator[](uint32_t k) const { return weights_[k]; }

  /// The part of the weights about pixel `x` that lies inside [0, size): 1 away from the borders.
  double weight_inside(uint32_t x, uint32_t size) const;

 private:
  std::vector<double> weights_;
};

/// A rectangle of values that keeps its memory between uses.
class Patch {
 public:
  void resize(uint32_t width_px, uint32_t rows) {
    width_px_ = width_px;
    rows_ = rows;
    values_.resize(size_t{width_px} * rows);
  }
  double* row(uint32_t i) { return values_.data() + size_t{i} * width_px_; }
  uint32_t width_px() const { return width_px_; }
  uint32_t rows() const { return rows_; }

  /// The patch without its outermost `margin_px` pixels on every side.
  BandView<const double> inner(uint32_t margin_px) const {
    const size_t offset = size_t{margin_px} * width_px_ + margin_px;
    return {
        values_.data() + offset, width_px_ - 2 * margin_px, rows_ - 2 * margin_px, width_px_, 0};
  }

 private:
  std::vector<double> values_;
  uint32_t width_px_ = 0;
  uint32_t rows_ = 0;
};

/// out = G * in where all of the kernel lies inside `in`: out is narrower and lower than `in` by
/// twice the radius, at least 1 x 1. `scratch` and `out` may not be the memory of `in`.
void blur(const BandView<const double>& in, const Gaussian& gaussian, Patch& scratch, Patch& out);

}  // namespace mezzo::quality
