// The function of CIELAB (CIE 15:2004), by which light becomes lightness: L* = 116 f(Y / Yn) - 16.
#pragma once

#include <cmath>

namespace mezzo::proof {

inline constexpr double kCielabCorner = 6.0 / 29;  // where the cube root becomes a line

/// f of light relative to that of white.
inline double cielab_root(double ratio) {
  return ratio > kCielabCorner * kCielabCorner * kCielabCorner
             ? std::cbrt(ratio)
             : ratio / (3 * kCielabCorner * kCielabCorner) + 4.0 / 29;
}

/// The light relative to that of white.
inline double from_cielab_root(double root) {
  return root > kCielabCorner ? root * root * root
                              : 3 * kCielabCorner * kCielabCorner * (root - 4.0 / 29);
}

}  // namespace mezzo::proof
