#include "kernels/quality/hvs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/base/error.h"

namespace mezzo::quality {
namespace {

using std::numbers::pi;

/// Width of the model's spectrum, in pixels per cycle.
double eye_k(const Viewing& viewing) {
  const double sight = viewing.dpi * viewing.distance_inch;
  return (pi * sight / 180) / (0.525 * std::log(11.0) + 3.91);
}

void divide_by_sum(std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  for (double& value : values) value /= sum;
}

}  // namespace

uint32_t eye_radius(const Viewing& viewing) {
  const double radius = std::round(23 * viewing.dpi * viewing.distance_inch / 3500);
  return static_cast<uint32_t>(std::max(radius, 1.0));
}

std::vector<double> eye_spread(const Viewing& viewing) {
  return exponential_spread(eye_k(viewing), eye_radius(viewing));
}

std::vector<double> exponential_spread(double k, uint32_t radius_px) {
  const auto radius = static_cast<int32_t>(radius_px);
  std::vector<double> spread;
  std::vector<double> taper;
  for (int32_t j = -radius; j <= radius; ++j) {
    for (int32_t i = -radius; i <= radius; ++i) {
      const double r2 = double(i) * i + double(j) * j;
      spread.push_back(2 * pi * k / std::pow(k * k + 4 * pi * pi * r2, 1.5));
      taper.push_back(std::clamp(radius + 1 - std::sqrt(r2), 0.0, 1.0));
    }
  }
  divide_by_sum(spread);
  for (size_t n = 0; n < spread.size(); ++n) spread[n] *= taper[n];
  divide_by_sum(spread);
  return spread;
}

EyeFilter::EyeFilter(const Viewing& viewing, uint32_t tile_px)
    : tile_px_(tile_px), radius_(eye_radius(viewing)) {
  MZ_ASSERT(tile_px % 2 == 0);
  Fft2d fft = make_fft();
  const std::vector<double> spread = eye_spread(viewing);
  // p about (0, 0), so that filtering does not shift; negative positions wrap around.
  for (uint32_t j = 0; j <= 2 * radius_; ++j) {
    const uint32_t y = (j + fft.rows() - radius_) % fft.rows();
    for (uint32_t i = 0; i <= 2 * radius_; ++i) {
      const uint32_t x = (i + fft.columns() - radius_) % fft.columns();
      fft.values()[size_t{y} * fft.columns() + x] = spread[size_t{j} * (2 * radius_ + 1) + i];
    }
  }
  fft.forward();
  const double size = static_cast<double>(fft.spectrum().size());
  for (const std::complex<double>& value : fft.spectrum()) {
    spectrum_.push_back(value.real() / size);
  }
}

void EyeFilter::apply(Fft2d& fft) const {
  MZ_ASSERT(fft.spectrum().size() == spectrum_.size());
  fft.forward();
  for (size_t n = 0; n < spectrum_.size(); ++n) fft.spectrum()[n] *= spectrum_[n];
  fft.inverse();
}

}  // namespace mezzo::quality
