#include "kernels/search/eye.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/base/error.h"

namespace mezzo::search {
namespace {

/// Rounded to kEyeSum in all; the centre takes the rounding error.
template <typename Weight>
Square rounded(uint32_t radius, const Weight& weight) {
  Square eye(radius);
  const int r = eye.radius();
  double sum = 0;
  for (int dy = -r; dy <= r; ++dy) {
    for (int dx = -r; dx <= r; ++dx) sum += weight(dy * dy + dx * dx);
  }
  int others = 0;
  for (int dy = -r; dy <= r; ++dy) {
    for (int dx = -r; dx <= r; ++dx) {
      if (dy == 0 && dx == 0) continue;
      eye.at(dy, dx) =
          static_cast<int32_t>(std::llround(weight(dy * dy + dx * dx) / sum * kEyeSum));
      others += eye.at(dy, dx);
    }
  }
  eye.at(0, 0) = kEyeSum - others;
  MZ_ASSERT(eye.at(0, 0) >= 0);
  return eye;
}

}  // namespace

Square gaussian_eye(double sigma_px, uint32_t radius) {
  return rounded(radius, [=](int square) { return std::exp(-square / (2 * sigma_px * sigma_px)); });
}

Square nasanen_eye(double scale, uint32_t radius) {
  constexpr double kPi = std::numbers::pi;
  const double k = kPi * scale / 180 / (0.525 * std::log(11.0) + 3.91);
  return rounded(radius, [=](int square) {
    const double fade = std::clamp(radius + 1 - std::sqrt(square), 0.0, 1.0);
    return fade * std::pow(k * k + 4 * kPi * kPi * square, -1.5);
  });
}

Square autocorrelation(const Square& eye) {
  const int r = eye.radius();
  Square sums(static_cast<uint32_t>(2 * r));
  for (int dy = -2 * r; dy <= 2 * r; ++dy) {
    for (int dx = -2 * r; dx <= 2 * r; ++dx) {
      // p and p + d both inside the eye
      for (int y = std::max(-r, -r - dy); y <= std::min(r, r - dy); ++y) {
        for (int x = std::max(-r, -r - dx); x <= std::min(r, r - dx); ++x) {
          sums.at(dy, dx) += eye.at(y, x) * eye.at(y + dy, x + dx);
        }
      }
    }
  }
  return sums;
}

}  // namespace mezzo::search
