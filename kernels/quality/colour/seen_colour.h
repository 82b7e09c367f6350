// The colour that is seen of light: steps 2 to 4 of colour_report.h, after its roots.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/quality/colour/printed_light.h"
#include "kernels/quality/fft.h"
#include "kernels/quality/gaussian.h"
#include "kernels/quality/quality.h"

namespace mezzo::quality {

/// Radius of the eye for chrominance, in pixels; that of luminance is smaller.
uint32_t chroma_radius(const Viewing& viewing);

/// k of the spectrum exp(-k f) of the eye for chrominance, f in cycles per pixel.
double chroma_k(const Viewing& viewing);

/// The filters for places of up to `place_px` squared. Read-only; shared by threads.
class ColourEye {
 public:
  ColourEye(const Viewing& viewing, double scatter_px, uint32_t place_px);

  /// Pixels around a place from which its colours come.
  uint32_t margin() const { return scatter_.radius() + radius_; }

  uint32_t scatter_radius() const { return scatter_.radius(); }
  uint32_t radius() const { return radius_; }
  Fft2d make_fft() const { return {fft_px_, fft_px_}; }
  uint32_t fft_px() const { return fft_px_; }
  const Gaussian& scatter() const { return scatter_; }
  const std::vector<double>& luminance() const { return luminance_; }
  const std::vector<double>& chrominance() const { return chrominance_; }

 private:
  uint32_t radius_;
  uint32_t fft_px_;
  Gaussian scatter_;
  std::vector<double> luminance_, chrominance_;  ///< spectra in the order of Fft2d, over its size
};

/// Looks at pairs of prints; each thread has one of its own.
class ColourLook {
 public:
  explicit ColourLook(const ColourEye& eye);

  /// CIELAB of two prints of one place. Their roots of light, which are spoilt, have margin() more on
  /// every side.
  void see(Fields& roots_a, Fields& roots_b, Fields& lab_a, Fields& lab_b);

 private:
  void scatter(Fields& roots);
  void filter(Patch& real, Patch& imaginary, const std::vector<double>& spectrum);

  const ColourEye& eye_;
  Fft2d fft_;
  Patch scratch_, blurred_;
};

}  // namespace mezzo::quality
