// The tone form: the sum that searches make small so that tone and detail both hold.
//
// With a the page's tones and b the bits, from 0 to 1,
//
//     E(b) = |a - G b|^2 + 3 <b - a, C (b - a)> - sum over m of mu(m) (b(m) - a(m))
//
// - G is the narrow eye of published local exhaustive search (sigma 1, radius 3). What it sees is
//   compared with the page itself, not with what it would see of that: that is the sharpness.
// - C is the square of a wide eye: half of it looks like a Gaussian of sigma 3, half like one of
//   sigma 6. It sees tone, which the narrow eye does not: there a lone dot is a greater error than
//   none.
// - mu is the price of ink, by the tone around a pixel: as much as a lone dot costs without being
//   seen as tone. It is 0.12 (1 - sqrt(u / 5 %)) for tones u below 5 %, the opposite for holes in
//   tones above 95 %, and 0 between. Without it light tints have less ink than they should.
//
// All of it is one quadratic form, E(b) = b'Q b - 2 T'b + a constant, as that of direct binary
// search (dbs.h): its visits and moves are the same, with Q for C.
//
// In whole numbers. The narrow eye is k(dy) k(dx) of kEye (sum 256 each way), and
//
//     Q(d) = v(dy) v(dx) + u(dy) u(dx) + w(dy) w(dx)   v kNear (sum 2048), u kMiddle, w kFar (2508)
//     T(m) = near(m) + wide(m; u) + wide(m; w) + dot(m)
//     c(m) = sum over n of Q(n - m) b(n) - T(m)
//
// With t the tones in Q12, columns (rows) outside the page standing for the nearest one wherever a
// place is written [x], and M(x) the sum of k(j - x) over the columns j of the page:
//
//     near(m): R(y, x)    = sum over dx of k(dx) M(x + dx) t(y, [x + dx])
//              near(y, x) = (sum over dy of k(dy) M(y + dy) ((R([y + dy], x) + 2^13) >> 14) + 2^7) >> 8
//     wide(m): R(y, x)    = (sum over dx of u(dx) t(y, x + dx) + 8) >> 4       t is 0 outside
//              wide(y, x) = (sum over dy of u(dy) R(y + dy, x) + 2^7) >> 8
//     dot(m):  R(y, x)    = sum over dx of s(dx) t(y, [x + dx])                s kBlur
//              a          = (sum over dy of s(dy) R([y + dy], x) + 2^15) >> 16
//              dot        = kDot[a], or -kDot[4096 - a] where a > 2048; 0 past the end of kDot
//
// and dot(m) = 0 where m and all pixels next to it are paper, or all are solid: blank paper near a
// picture stays blank. So flat tints hold their tone up to the borders of a page.
//
// E is counted over the free pixels, in parts of kSum (with U(m) >= 0 but for rounding and mu):
//
//     E    = sum over m of b(m) (c(m) - T(m)) + U(m)
//     U(m) = ((t^2 N(y) N(x)) >> 34) + ((t (wide(m; u) + wide(m; w) + 2 dot(m))) >> 12)
//     N(x) = sum of M(x')^2 over the places x' with [x'] = x
//
// Bounds. 0 <= Q and its sum is below 2^24, so |c| < 2^24 + 2^18. Of the 16 pixels of a window the
// linear parts add up to less than 2^29 + 2^23, the squares to at most 2^28: all fits int32.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "kernels/search/eye.h"
#include "kernels/search/form_tables.h"

namespace mezzo::search {

/// The windows that a search with the tone form goes on with, after its moves.
enum class FormWindows {
  kNone,     ///< moves alone: direct binary search
  kAll,      ///< all patterns of a window: local exhaustive search
  kSameInk,  ///< patterns with as much ink as there is, or one pixel more or less
};

struct FormSettings {
  uint32_t cell = 19;  ///< form::kLeastCell .. kMostDbsCell
  bool moves = true;   ///< begins with direct binary search
  FormWindows windows = FormWindows::kAll;
};

}  // namespace mezzo::search

namespace mezzo::search::form {

/// Of Q; half of it is the radius of an eye that c would reach as far.
inline constexpr int kRadius = 16;
inline constexpr int kHalfRadius = kRadius / 2;

/// The error of a page that is wrong everywhere, per pixel.
inline constexpr int32_t kSum = 1 << 24;

/// Pixels on a side of a window.
inline constexpr int kWindow = 4;

/// The smallest cells that do not see each other: windows reach kWindow - 1 past their own.
inline constexpr uint32_t kLeastCell = kRadius + kWindow - 1;

/// Windows up to so many pixels from a changed pixel are searched again. Q goes further; from there
/// a change hardly ever makes another pattern the best, and never makes much of a difference.
inline constexpr int kReach = 3;

/// L of a pixel of a window that is not there, so that ink there is never better, whatever the
/// number of ink pixels: no other pixel costs as much, with all that Q adds. Those of 15 pixels and
/// all the rest still fit int32.
inline constexpr int32_t kAbsent = 5 * kSum;

/// Q(dy, dx); 0 beyond kRadius.
constexpr int32_t q(int dy, int dx) {
  const auto y = static_cast<size_t>(dy < 0 ? -dy : dy), x = static_cast<size_t>(dx < 0 ? -dx : dx);
  if (y >= kFar.size() || x >= kFar.size()) return 0;
  const int32_t near = y < kNear.size() && x < kNear.size() ? kNear[y] * kNear[x] : 0;
  return near + kMiddle[y] * kMiddle[x] + kFar[y] * kFar[x];
}

/// Q as a table.
inline Square q_square() {
  Square square(kRadius);
  for (int dy = -kRadius; dy <= kRadius; ++dy) {
    for (int dx = -kRadius; dx <= kRadius; ++dx) square.at(dy, dx) = q(dy, dx);
  }
  return square;
}

/// dot() of a pixel, from the tone around it, 0 .. 4096.
constexpr int32_t dot_at(int32_t tone) {
  const auto part = static_cast<size_t>(tone <= 2048 ? tone : 4096 - tone);
  const int32_t price = part < kDot.size() ? kDot[part] : 0;
  return tone <= 2048 ? price : -price;
}

}  // namespace mezzo::search::form
