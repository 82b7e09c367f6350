// The visible error of a halftone: its error, blurred.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/lab/train/lanes.h"

namespace mezzo::train {

/// A rectangle of errors (ink - tone, 0 .. 1), all patterns at once; row by row.
struct ErrorField {
  size_t width = 0;
  size_t height = 0;
  RealField errors;
};

/// One half of a Gaussian of `sigma` pixels, from the middle tap on, cut at four sigma; the whole
/// sums to 1.
std::vector<float> gaussian(double sigma);

/// The field under a symmetric filter with half `taps`, at every `step`-th pixel of every `step`-th
/// row (both sizes must be multiples). The field repeats in both directions.
ErrorField blurred(const ErrorField& field, const std::vector<float>& taps, size_t step);

/// Of a field on the 0 .. 255 scale.
struct Window {
  size_t left = 0, top = 0, right = 0, bottom = 0;  ///< right and bottom are outside
};
double mean_square(const ErrorField& field, const Window& window);
inline double mean_square(const ErrorField& field) {
  return mean_square(field, {0, 0, field.width, field.height});
}

/// The mean square of the window under a filter, given as its squared response to each frequency of
/// a transform of the window, in the order of a Fourier transform, row by row. The sides of the
/// window are powers of two.
double filtered_mean_square(const ErrorField& field,
                            const Window& window,
                            const std::vector<double>& squared_response);

/// The mean square of the part that repeats, pattern by pattern, along (period / 2, period / 2) and
/// (period, 0): the texture of pinwheel blocks of period / 2 pixels. An odd period repeats along
/// (period, 0) and (0, period) alone. Of noise, which does not repeat, about 0. Both sizes are
/// multiples of the period, the field is at least two periods large.
double repeated_mean_square(const ErrorField& field, size_t period);

/// The field's likeness to itself along two directions: the root mean square, over pairs of lags
/// that are mirror images, of the difference between the two correlation coefficients. 0 for a
/// texture without a direction. Lags reach 3 pixels beyond the window.
double anisotropy(const ErrorField& field, const Window& window);

}  // namespace mezzo::train
