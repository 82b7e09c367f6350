#include "kernels/quality/wsnr.h"

#include <cmath>

namespace mezzo::quality {
namespace {

/// Frequency number n of a transform of `size`, in cycles per pixel.
double frequency(uint32_t n, uint32_t size) {
  const double cycles = 2 * n < size ? 1.0 * n : 1.0 * n - size;
  return cycles / size;
}

}  // namespace

double contrast_sensitivity(double along_x, double along_y) {
  constexpr double kOblique = 0.7;
  constexpr double kDegree = 120;  // pixels: half a cycle a pixel is 60 cycles a degree
  const double theta = std::atan2(along_y, along_x);
  const double s = (1 - kOblique) / 2 * std::cos(4 * theta) + (1 + kOblique) / 2;
  const double f = kDegree * std::hypot(along_x, along_y) / s;
  if (f < 7.8909) return 0.9809;
  return 2.6 * (0.0192 + 0.114 * f) * std::exp(-std::pow(0.114 * f, 1.1));
}

std::vector<double> squared_sensitivity(uint32_t rows, uint32_t columns) {
  std::vector<double> weights;
  for (uint32_t u = 0; u < columns; ++u) {
    for (uint32_t v = 0; v < rows; ++v) {
      const double c = contrast_sensitivity(frequency(u, columns), frequency(v, rows));
      weights.push_back(c * c);
    }
  }
  return weights;
}

}  // namespace mezzo::quality
