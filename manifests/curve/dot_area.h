// Dot areas of tints, from what instruments measure on paper, tint and solid. All are fractions: 0 as
// the paper, 1 as the solid; noise may lead a little out of that.
#pragma once

#include "manifests/curve/spectrum.h"

namespace mezzo::curve {

/// Densities. Murray and Davies (1936); with `n` above 1 Yule and Nielsen (1951), who divide each
/// exponent by n: (1 - 10^-((Dt - Dp) / n)) / (1 - 10^-((Ds - Dp) / n)).
double area_by_density(double tint, double paper, double solid, double n);

/// Reflectances, or one of X, Y and Z, on any scale; the same formula:
/// (Rp^(1/n) - Rt^(1/n)) / (Rp^(1/n) - Rs^(1/n)). Values below 0 count as 0.
double area_by_reflectance(double tint, double paper, double solid, double n);

/// The part of the way from paper to solid, of lightness L*.
double area_by_lightness(double tint, double paper, double solid);

/// The spot colour tone value of ISO 20654, of XYZ: the part of the way from paper to solid, in the
/// lightnesses of X, Y and Z.
double area_by_sctv(const Xyz& tint, const Xyz& paper, const Xyz& solid);

}  // namespace mezzo::curve
