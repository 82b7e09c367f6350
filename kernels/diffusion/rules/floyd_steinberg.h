// Floyd-Steinberg error diffusion (Floyd and Steinberg 1976): the one integer definition of the
// bits that every schedule, scalar, SIMD or GPU, gives.
//
// Error collection in raster order. With eL, eUL, eU, eUR the errors that the left, upper-left,
// upper and upper-right pixels left behind (0 outside the page) and tone the coverage asked for in
// Q12:
//
//     s   = tone + ((7 eL + eUL + 5 eU + 3 eUR + 8) >> 4)       arithmetic shift
//     bit = s >= 2048
//     e   = s - 4096 bit
//
// Bounds. Claim: -2048 <= e <= 2047 always. The weights sum to 16, so with errors in that range the
// bracket lies in 16 * -2048 + 8 .. 16 * 2047 + 8 = -32760 .. 32760 (it fits int16), the shifted
// bracket in -2048 .. 2047, and s in -2048 .. 6143. Without ink s <= 2047 and e = s; with ink s >=
// 2048 and e = s - 4096 lies in -2048 .. 2047. Errors start at 0, so the claim holds by induction.
// Hence e is the low 12 bits of s, sign-extended, and the path from pixel to pixel has no compare.
#pragma once

#include <cstdint>

#include "kernels/band/coverage.h"
#include "kernels/diffusion/rules/rule.h"

namespace mezzo::diffusion::fs {

inline constexpr int kHalf = static_cast<int>(kSolid / 2);
inline constexpr int kLeft = 7, kUpLeft = 1, kUp = 5, kUpRight = 3;  // sixteenths
static_assert(kLeft + kUpLeft + kUp + kUpRight == 16, "the whole error is passed on");

struct Decision {
  bool ink;
  int error;  ///< -2048 .. 2047
};

/// The decision, given the tone (0 .. 4096) plus the error collected from the neighbours.
constexpr Decision decide(int tone, int left, int up_left, int up, int up_right) {
  const int collected = kLeft * left + kUpLeft * up_left + kUp * up + kUpRight * up_right;
  const int s = tone + ((collected + 8) >> 4);
  const bool ink = s >= kHalf;
  return {ink, ink ? s - static_cast<int>(kSolid) : s};
}

}  // namespace mezzo::diffusion::fs

namespace mezzo::diffusion {

/// The same, as a Rule for the schedules that are templates.
struct FloydSteinbergRule {
  static constexpr Pattern kPattern = {.left = true, .up_left = true, .up = true, .up_right = true};
  static constexpr int kShift = 4;

  MZ_HD constexpr bool takes_texture() const { return true; }
  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const int s = tone_with_errors<kShift>(tone, collected, place);
    return decide_by_threshold(s, fs::kHalf - place.lowered);
  }
  MZ_HD constexpr Shares shares(int error, int) const {
    return {fs::kLeft * error, fs::kUpRight * error, fs::kUp * error, fs::kUpLeft * error};
  }
};
static_assert(Rule<FloydSteinbergRule>);

}  // namespace mezzo::diffusion
