// The point spreads of the eye in colour direct binary search (colour_dbs.h): tables made once, as their
// numbers decide bits.
#pragma once

#include <cstdint>

#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/eye.h"

namespace mezzo::search::colour {

/// A quarter of a point spread, from the centre right and down; the rest mirrors it.
using EyeQuarter = int16_t[kEyeRadius + 1][kEyeRadius + 1];

/// Of luminance: Nasanen's eye at 3500 pixels (300 dpi at 11.7 inches), as in nasanen_eye(), cut off
/// beyond 7 pixels from its centre and rounded to a sum of at most 1023.
inline constexpr EyeQuarter kLuminanceEye = {
    {63, 43, 20, 9, 5, 3, 2, 1},
    {43, 32, 17, 8, 4, 3, 2, 0},
    {20, 17, 11, 6, 4, 2, 1, 0},
    {9, 8, 6, 4, 3, 2, 1, 0},
    {5, 4, 4, 3, 2, 1, 0, 0},
    {3, 3, 2, 2, 1, 0, 0, 0},
    {2, 2, 1, 1, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 0, 0, 0},
};

/// Of chrominance: the Fourier pair of exp(-0.293 f), f in cycles per degree, likewise. That is 0.7 of
/// the exponent of Kolpatzik and Bouman, whose point spread is too wide for 7 pixels: cut off there, it
/// lets colour noise pass.
inline constexpr EyeQuarter kChrominanceEye = {
    {32, 27, 18, 10, 6, 4, 3, 2},
    {27, 23, 16, 10, 6, 4, 2, 0},
    {18, 16, 11, 8, 5, 3, 2, 0},
    {10, 10, 8, 6, 4, 3, 2, 0},
    {6, 6, 5, 4, 3, 2, 0, 0},
    {4, 4, 3, 3, 2, 0, 0, 0},
    {3, 2, 2, 2, 0, 0, 0, 0},
    {2, 0, 0, 0, 0, 0, 0, 0},
};

/// All of the point spread.
Square eye_of(const EyeQuarter& quarter);

}  // namespace mezzo::search::colour
