// Floyd-Steinberg with output feedback (Levien, IS&T 8th International Congress on Advances in
// Non-Impact Printing Technologies, 1992): a pixel beside ink becomes ink more easily, one beside
// paper less easily. So dots gather into clusters, whose size the feedback controls: green noise
// (Lau, Arce and Gallagher, Proc. IEEE 86(12), 1998). In integers, for CPU and GPU.
//
// With eL, eUL, eU, eUR the errors of the left, upper-left, upper and upper-right pixels, and H the
// feedback in Q12:
//
//     s   = tone with texture + ((7 eL + eUL + 5 eU + 3 eUR + 8) >> 4)     arithmetic shift
//     f   = H if the neighbour is ink, -H if it is paper: the left one where the noise is odd, else
//           the upper one; 0 if that is outside the page
//     ink = s + f >= 2048 - g                  g = 0, or by other inks: z + (z H >> 12)
//     e   = s - 4096 ink        the feedback is no error: the mean tone stays
//
// Why noise draws the neighbour: with half of the feedback from either, clusters join into parallel
// diagonal lines from tints of 20 % on, and their size jumps with H. Drawn, they keep bending, and
// grow evenly with H up to its bound.
//
// Bounds. |f| <= H. Claim: -2048 - H <= e <= 2047 + H always. The weights sum to 16, so with errors
// in that range the shifted bracket lies in it too, and s in -2048 - H .. 6143 + H. Without ink
// s < 2048 - f, so s <= 2047 + H, and e = s. With ink s >= 2048 - f >= 2048 - H, and e = s - 4096
// lies in -2048 - H .. 2047 + H. Errors start at 0, so the claim holds by induction. With H <= 4095
// no error exceeds 6143. Where other inks lower the threshold (together/account.h), |z| <= 1023, so
// |g| <= 2046, and by the same induction |e| <= 8189. z grows with H as errors do: else other inks
// would have little say beside the feedback.
//
// A pixel leaves 2 e + ink behind. Its shares are 4 times those of its error; ink adds 1 to the one
// to the right and 2 to the one down. So what a pixel collects is 4 F + n, with F the sum of the
// weighted errors, and n telling which of the two neighbours are ink. The shift loses n: (4 F + n +
// 32) >> 6 = (F + 8) >> 4. Whether a neighbour is on the page follows from the place. |4 F + n| <
// 2^19.
#pragma once

#include "kernels/base/noise.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"

namespace mezzo::diffusion {

struct FeedbackRule {
  static constexpr Pattern kPattern = {.left = true, .up_left = true, .up = true, .up_right = true};
  static constexpr int kMostFeedback = 4095;

  int feedback;       ///< H, 0 .. kMostFeedback; 0 is Floyd-Steinberg
  uint32_t seed = 0;  ///< of the noise

  MZ_HD constexpr bool takes_texture() const { return true; }
  MZ_HD static constexpr int error(int residue) { return residue >> 1; }

  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const int s = tone_with_errors<kShift>(tone, collected, place);
    const bool is_left = pixel_noise(seed, place.plane, place.y, place.x) % 2 == 1;
    const bool beside_ink = (collected & (is_left ? kLeftIsInk : kUpIsInk)) != 0;
    const int on_page = (is_left ? place.x : place.y) > 0 ? feedback : 0;
    const int lowered = place.lowered + ((place.lowered * feedback) >> 12);
    const bool ink = s + (beside_ink ? on_page : -on_page) >= fs::kHalf - lowered;
    const int error = ink ? s - static_cast<int>(kSolid) : s;
    return {ink, 2 * error + (ink ? 1 : 0)};
  }

  MZ_HD constexpr Shares shares(int residue, int) const {
    const int error = kOne * (residue >> 1), ink = residue & 1;
    return {fs::kLeft * error + ink * kLeftIsInk,
            fs::kUpRight * error,
            fs::kUp * error + ink * kUpIsInk,
            fs::kUpLeft * error};
  }

 private:
  static constexpr int kLeftIsInk = 1, kUpIsInk = 2;
  static constexpr int kOne = 4;    ///< more than both together
  static constexpr int kShift = 6;  ///< sixteenths of kOne
};
static_assert(Rule<FeedbackRule>);
static_assert(2 * (2048 + FeedbackRule::kMostFeedback + 2 * 1023) < kMostResidue);

}  // namespace mezzo::diffusion
