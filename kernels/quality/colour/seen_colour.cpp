#include "kernels/quality/colour/seen_colour.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/quality/hvs.h"

namespace mezzo::quality {
namespace {

using proof::Xyz;

double sight_of(const Viewing& viewing) {
  return viewing.dpi * viewing.distance_inch;
}

/// Without scatter the only weight is 1.
Gaussian scatter_of(double sigma_px) {
  return {std::max(sigma_px, 1e-3), static_cast<uint32_t>(std::ceil(4 * sigma_px))};
}

/// The spectrum of a point spread about (0, 0), real as it is even, divided by the size of `fft`.
std::vector<double> spectrum_of(const std::vector<double>& spread, uint32_t radius, Fft2d& fft) {
  std::ranges::fill(fft.values(), 0.0);
  const uint32_t side = 2 * radius + 1;
  for (uint32_t j = 0; j < side; ++j) {
    const uint32_t y = (j + fft.rows() - radius) % fft.rows();
    for (uint32_t i = 0; i < side; ++i) {
      const uint32_t x = (i + fft.columns() - radius) % fft.columns();
      fft.values()[size_t{y} * fft.columns() + x] = spread[size_t{j} * side + i];
    }
  }
  fft.forward();
  std::vector<double> spectrum;
  for (const auto& value : fft.spectrum()) {
    spectrum.push_back(value.real() / static_cast<double>(fft.spectrum().size()));
  }
  return spectrum;
}

const Xyz kWhite = proof::xyz_of({100, 0, 0});

/// Roots of X, Y, Z become X - Y, Y, Y - Z, relative to white.
void oppose(Fields& roots) {
  const size_t size = size_t{roots[0].width_px()} * roots[0].rows();
  for (size_t i = 0; i < size; ++i) {
    Xyz light;
    for (size_t c = 0; c < 3; ++c) {
      const double root = roots[c].row(0)[i];
      light[c] = root * root / kWhite[c];
    }
    roots[0].row(0)[i] = light[0] - light[1];
    roots[1].row(0)[i] = light[1];
    roots[2].row(0)[i] = light[1] - light[2];
  }
}

/// The colours of X - Y, Y, Y - Z within `margin`.
void to_lab(const Fields& opposed, uint32_t margin, Fields& lab) {
  const std::array<BandView<const double>, 3> in = {
      opposed[0].inner(margin), opposed[1].inner(margin), opposed[2].inner(margin)};
  for (Patch& field : lab) field.resize(in[0].width_px, in[0].rows);
  for (uint32_t y = 0; y < in[0].rows; ++y) {
    for (uint32_t x = 0; x < in[0].width_px; ++x) {
      const double light = in[1].row(y)[x];
      const proof::Lab seen = proof::lab_of({kWhite[0] * std::max(light + in[0].row(y)[x], 0.0),
                                             kWhite[1] * std::max(light, 0.0),
                                             kWhite[2] * std::max(light - in[2].row(y)[x], 0.0)});
      lab[0].row(y)[x] = seen.l;
      lab[1].row(y)[x] = seen.a;
      lab[2].row(y)[x] = seen.b;
    }
  }
}

}  // namespace

uint32_t chroma_radius(const Viewing& viewing) {
  return static_cast<uint32_t>(std::max(std::round(50 * sight_of(viewing) / 3500), 1.0));
}

double chroma_k(const Viewing& viewing) {
  return 0.419 * std::numbers::pi * sight_of(viewing) / 180;
}

ColourEye::ColourEye(const Viewing& viewing, double scatter_px, uint32_t place_px)
    : radius_(std::max(chroma_radius(viewing), eye_radius(viewing))),
      fft_px_(fast_fft_size(place_px + 2 * radius_)),
      scatter_(scatter_of(scatter_px)) {
  Fft2d fft = make_fft();
  luminance_ = spectrum_of(eye_spread(viewing), eye_radius(viewing), fft);
  const uint32_t radius = chroma_radius(viewing);
  chrominance_ = spectrum_of(exponential_spread(chroma_k(viewing), radius), radius, fft);
}

ColourLook::ColourLook(const ColourEye& eye) : eye_(eye), fft_(eye.make_fft()) {}

void ColourLook::see(Fields& roots_a, Fields& roots_b, Fields& lab_a, Fields& lab_b) {
  for (Fields* roots : {&roots_a, &roots_b}) {
    scatter(*roots);
    oppose(*roots);
  }
  filter(roots_a[1], roots_b[1], eye_.luminance());
  filter(roots_a[0], roots_a[2], eye_.chrominance());
  filter(roots_b[0], roots_b[2], eye_.chrominance());
  to_lab(roots_a, eye_.radius(), lab_a);
  to_lab(roots_b, eye_.radius(), lab_b);
}

void ColourLook::scatter(Fields& roots) {
  for (Patch& field : roots) {
    blur(field.inner(0), eye_.scatter(), scratch_, blurred_);
    std::swap(field, blurred_);
  }
}

/// Two real fields at once, as spreads are even. What is less than the radius from their borders is
/// spoilt.
void ColourLook::filter(Patch& real, Patch& imaginary, const std::vector<double>& spectrum) {
  MZ_ASSERT(real.rows() <= fft_.rows() && real.width_px() <= fft_.columns());
  std::ranges::fill(fft_.values(), 0.0);
  for (uint32_t y = 0; y < real.rows(); ++y) {
    std::complex<double>* values = fft_.values().data() + size_t{y} * fft_.columns();
    for (uint32_t x = 0; x < real.width_px(); ++x)
      values[x] = {real.row(y)[x], imaginary.row(y)[x]};
  }
  fft_.forward();
  for (size_t i = 0; i < spectrum.size(); ++i) fft_.spectrum()[i] *= spectrum[i];
  fft_.inverse();
  for (uint32_t y = 0; y < real.rows(); ++y) {
    const std::complex<double>* values = fft_.values().data() + size_t{y} * fft_.columns();
    for (uint32_t x = 0; x < real.width_px(); ++x) {
      real.row(y)[x] = values[x].real();
      imaginary.row(y)[x] = values[x].imag();
    }
  }
}

}  // namespace mezzo::quality
