// Colours as numbers: XYZ, CIELAB and spectra, for the light D50 and the observer of 1931 (2 degrees), as the
// printing industry measures (ISO 13655).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace mezzo::curve {

using Xyz = std::array<double, 3>;  ///< a perfect white has Y = 100
using Lab = std::array<double, 3>;

/// Of D50, as ISO 13655 rounds it.
inline constexpr Xyz kWhite = {96.422, 100, 82.521};

/// CIELAB's (15:2004): V = 116 f(X / Xn) - 16 of one of X, Y and Z.
double lightness_of(double value, double white);
/// The other way.
double value_of_lightness(double lightness, double white);

Xyz xyz_of(const Lab& lab);

inline constexpr uint32_t kShortestWave = 380, kLongestWave = 780;  // of the tables, in nm

/// XYZ of reflectances (0 .. 1) measured every 10 nm from `first_nm` on, which is a multiple of 10, by
/// the sum over 380 .. 780 nm; what is missing at the ends is taken as their last value.
/// Empty unless they reach from 420 or shorter to 680 or longer.
std::optional<Xyz> xyz_of(std::span<const double> reflectances, uint32_t first_nm);

}  // namespace mezzo::curve
