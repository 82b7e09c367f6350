// The weight of the weighted signal-to-noise ratio: the eye's sensitivity to a frequency.
//
// C(f) = 2.6 (0.0192 + 0.114 f) exp(-(0.114 f)^1.1), and 0.9809 for f < 7.8909 (Mannos and
// Sakrison, low-pass as print needs it). f = radial frequency / s(theta), with s = (1 - w) / 2 cos
// 4 theta + (1 + w) / 2, w = 0.7: diagonals are seen less. Frequencies are in cycles per degree,
// and the page is seen so that the axes' highest (1/2 cycle per pixel) is 60 of them: dpi x
// distance = 6875, for any Viewing. This is the form of pymetrikz and of Damera- Venkata et al.;
// the signal is not weighted.
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::quality {

/// C of a frequency given in cycles per pixel along x and along y, -1/2 .. 1/2.
double contrast_sensitivity(double along_x, double along_y);

/// C^2 for a transform of rows x columns, in the order of Fft2d::spectrum().
std::vector<double> squared_sensitivity(uint32_t rows, uint32_t columns);

}  // namespace mezzo::quality
