// Inks halftoned together: error diffusion in which each plane knows the dots of the planes before
// it, in integers, for CPU and GPU.
//
// Planes that are halftoned each alone overlap at random, and the chance of how much of two inks
// lies on each other is most of the colour noise of a print. So the overlap of a pair of inks is
// diffused as an error of its own, its account: where more of the two has met than their tones ask
// for, the next dots of the later ink keep away from those of the earlier one, and the reverse. On
// the mean the overlap stays that of planes halftoned apart (the product of the tones, Demichel), and
// so does the mean colour.
//
// Planes are numbered in their order, 0 first, the darkest. Plane k has accounts with the planes
// j < min(k, 3). With t its tone and b its bit at a pixel, D = 4096 b - t is the ink that the pixel
// has beyond its tone. Plane k, after planes j at the same pixel; o_jk is the field of an account, 0
// outside the page:
//
//     a_j  = (o_jk(left) + o_jk(up-right) + 1) >> 1                         overlap owed here
//     sum  = sum over j of ((a_j - ((D_j (2048 - t)) >> 12)) D_j) >> 12     each term shifted
//     z    = sum >> 1, held in -1023 .. 1023
//     b    = 0 where t = 0, 1 where t = 4096, else s + z reaches the rule's threshold
//     o_jk = a_j - ((D D_j) >> 12), held in -4095 .. 4095
//
// All shifts are arithmetic. The decision and s are the rule's (rules/rule.h), and its error stays
// s - 4096 b, without z: the tone of each plane is as exact as alone. Plane 0 has no accounts, and
// the bits of the rule alone; no plane has a texture (band/ink_texture.h), as accounts set equal
// planes apart: at equal first dots a_j is 0 and the term (2048 - t) D_j alone decides.
//
// Rules. z is in units of tone, as thresholds are, and lowers the threshold of a rule (Place::lowered):
// by z that of Floyd-Steinberg and of the tables, also where noise moves it; by z (1 + H / 4096) that
// of green noise, whose errors grow with its feedback H. Rules of several levels do not take part: a
// bit of a level is no dot.
//
// Light tones side by side (an option, LightTones): where the inks so far are light, dots keep away
// from each other even where chance would let some meet. With t_j, e_j of the same planes j,
//
//     l    = max(0, 1024 - t - sum of t_j)
//     z    = (sum >> 1) + ((l sum of e_j) >> 11), held as above
//     o_jk = v - ((v l) >> 12), v = a_j - ((D D_j) >> 12), held as above
//
// Bounds. |D| <= 4096, and |D| <= 4095 where paper takes no ink and solid all. |o| <= 4095, so |a| <=
// 4095, |a - ((D_j (2048 - t)) >> 12)| <= 6143, each term lies in -6143 .. 6143, and three of them
// fit int16. Products are below 2^25. A plane's error: without accounts a rule with threshold 2048
// and weights that sum to 1 has -2048 <= e <= 2047; z widens that to |e| <= 2048 + 1023 = 3071, by
// the same induction. Rules that hold their errors hold these too: green noise has |e| <= 8189, and
// the sum of three fits int16.
#pragma once

#include <cstdint>

#include "kernels/band/coverage.h"
#include "kernels/base/host_device.h"

namespace mezzo::diffusion::together {

inline constexpr uint32_t kMostAccounts = 3;  ///< of a plane: with the darkest of those before it
inline constexpr int kMostLowered = 1023;     ///< |z|
inline constexpr int kMostOwed = 4095;        ///< |o|
inline constexpr int kLightTone = 1024;       ///< of all inks, below which tones are light
/// Lowers any threshold below, or raises it above, all that a pixel can collect.
inline constexpr int kCertain = 1 << 16;

/// What light tones do (the option above).
enum class LightTones { kAsIs, kSideBySide };

/// Accounts of plane k: with planes 0, 1, .. below this.
MZ_HD constexpr uint32_t accounts_of(uint32_t plane) {
  return plane < kMostAccounts ? plane : kMostAccounts;
}

/// Accounts of all planes before this one, which makes the number of its first in a list of all.
MZ_HD constexpr uint32_t accounts_before(uint32_t plane) {
  return plane <= kMostAccounts ? plane * (plane - 1) / 2 : kMostAccounts * (plane - 2);
}

MZ_HD constexpr int hold(int value, int most) {
  return value < -most ? -most : value > most ? most : value;
}

/// D, from a pixel's tone and bit.
MZ_HD constexpr int beyond_tone(int tone, bool ink) {
  return (ink ? static_cast<int>(kSolid) : 0) - tone;
}

/// a, of the account at the pixels to the left and up-right.
MZ_HD constexpr int owed_here(int left, int up_right) {
  return (left + up_right + 1) >> 1;
}

/// The term of an account in the sum; `earlier` is D of its earlier plane, `tone` of the later one.
MZ_HD constexpr int term(int owed, int earlier, int tone) {
  return ((owed - ((earlier * (static_cast<int>(kSolid / 2) - tone)) >> 12)) * earlier) >> 12;
}

/// z by the sum of terms; `by_light` is light_part(), or 0.
MZ_HD constexpr int lowered_by(int sum, int by_light = 0) {
  return hold((sum >> 1) + by_light, kMostLowered);
}

/// Place::lowered of a plane with accounts: z, or certainty on paper and solid.
MZ_HD constexpr int lowered_at(int tone, int z) {
  return tone == 0 ? -kCertain : tone == static_cast<int>(kSolid) ? kCertain : z;
}

/// l; `earlier_tones` is the sum of t_j. Without the option it is 0.
MZ_HD constexpr int lightness(int tone, int earlier_tones) {
  const int light = kLightTone - tone - earlier_tones;
  return light > 0 ? light : 0;
}

/// The part of light tones in z; `earlier_errors` is the sum of e_j, error_of() of rules/rule.h.
MZ_HD constexpr int light_part(int earlier_errors, int light) {
  return (earlier_errors * light) >> 11;
}

/// o, once the pixel is decided; `own` is its D, `light` l or 0.
MZ_HD constexpr int owed_after(int owed, int own, int earlier, int light = 0) {
  const int left = owed - ((own * earlier) >> 12);
  return hold(left - ((left * light) >> 12), kMostOwed);
}

static_assert(accounts_before(0) == 0 && accounts_before(1) == 0 && accounts_before(2) == 1 &&
              accounts_before(3) == 3 && accounts_before(4) == 6 && accounts_before(5) == 9);

}  // namespace mezzo::diffusion::together
