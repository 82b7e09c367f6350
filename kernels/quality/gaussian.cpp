#include "kernels/quality/gaussian.h"

#include <cmath>

#include "kernels/base/error.h"

namespace mezzo::quality {
namespace {

/// out[x] = w[0] centre[x] + sum of w[k] (lower[k][x] + upper[k][x]), with lower[k] = centre - k
/// step.
void weigh(const double* centre,
           size_t step,
           const Gaussian& gaussian,
           uint32_t width_px,
           double* __restrict out) {
  const double middle = gaussian[0];
  for (uint32_t x = 0; x < width_px; ++x) out[x] = middle * centre[x];
  for (uint32_t k = 1; k <= gaussian.radius(); ++k) {
    const double weight = gaussian[k];
    const double* lower = centre - k * step;
    const double* upper = centre + k * step;
    for (uint32_t x = 0; x < width_px; ++x) out[x] += weight * (lower[x] + upper[x]);
  }
}

}  // namespace

Gaussian::Gaussian(double sigma_px, uint32_t radius_px) : weights_(size_t{radius_px} + 1) {
  double sum = 0;
  for (uint32_t k = 0; k <= radius_px; ++k) {
    weights_[k] = std::exp(-1.0 * k * k / (2 * sigma_px * sigma_px));
    sum += k == 0 ? weights_[k] : 2 * weights_[k];
  }
  for (double& weight : weights_) weight /= sum;
}

double Gaussian::weight_inside(uint32_t x, uint32_t size) const {
  double sum = weights_[0];
  for (uint32_t k = 1; k <= radius(); ++k) {
    if (k <= x) sum += weights_[k];
    if (k < size - x) sum += weights_[k];
  }
  return sum;
}

void blur(const BandView<const double>& in, const Gaussian& gaussian, Patch& scratch, Patch& out) {
  const uint32_t r = gaussian.radius();
  MZ_ASSERT(in.width_px > 2 * r && in.rows > 2 * r);
  scratch.resize(in.width_px - 2 * r, in.rows);
  for (uint32_t y = 0; y < in.rows; ++y) {
    weigh(in.row(y) + r, 1, gaussian, scratch.width_px(), scratch.row(y));
  }
  out.resize(scratch.width_px(), in.rows - 2 * r);
  for (uint32_t y = 0; y < out.rows(); ++y) {
    weigh(scratch.row(y + r), scratch.width_px(), gaussian, out.width_px(), out.row(y));
  }
}

}  // namespace mezzo::quality
