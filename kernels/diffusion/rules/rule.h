// The differences between error diffusions, apart from the schedule that runs them: the neighbours,
// the decision, and the weights. Every schedule is a template over a Rule, so a new diffusion of
// the same reach is a rule and a line in the registry, on the CPU and on the GPU.
//
// The common definition, in raster order, with integers only:
//
//     collected    = sum of the finished neighbours' shares for this pixel
//     bit, residue = the rule's decision, by tone, collected and place
//     shares       = parts of the residue for right, down-left, down and down-right
//
// A residue is all that a pixel leaves behind. A schedule stores residues and adds up shares; their
// meaning is the rule's, but a pixel outside the page has the residue 0, whose shares are 0. Shares
// that leave the page are lost. Integer sums do not depend on the order, so a schedule may push
// shares on (error diffusion) or fetch them (error collection).
//
// Most rules decide by a threshold, and their residue is the error (decide_by_threshold()):
//
//     wanted = textured_tone(tone, texture) of ink_texture.h, or the tone itself
//     s      = wanted + ((collected + 2^(shift-1)) >> shift)        arithmetic shift
//     bit    = s >= threshold - lowered              lowered: 0, or by other inks (together/account.h)
//     error  = s - 4096 bit, held in -kMostError .. kMostError
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kernels/band/coverage.h"
#include "kernels/band/ink_texture.h"
#include "kernels/base/host_device.h"

namespace mezzo::diffusion {

/// The finished neighbours that a pixel may take errors from.
struct Pattern {
  bool left = false;
  bool up_left = false;
  bool up = false;
  bool up_right = false;
};

/// Columns that a row must stay behind the row above it, so that the pixels of a wavefront need
/// nothing of each other (Deshpande et al., figure 18: the knight's move where up-right is used).
constexpr int slope(const Pattern& pattern) {
  return pattern.up_right ? 2 : 1;
}

/// A pixel of the page, and the ink that it is decided for.
struct Place {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t plane = 0;
  int texture = 0;  ///< of the ink, here; 0 where there is none or the rule takes none
  int lowered = 0;  ///< of the threshold, by the dots of other inks; no part of the error
};

/// The shares that a pixel hands on, in units of the rule.
struct Shares {
  int right = 0;
  int down_left = 0;
  int down = 0;
  int down_right = 0;
};

/// The largest residue: schedules keep twice a residue and a bit in 16 bits.
inline constexpr int kMostResidue = (INT16_MAX - 1) / 2;

struct Decision {
  bool ink = false;
  int residue = 0;  ///< -kMostResidue .. kMostResidue
};

/// A Rule is a small value that a kernel can take by copy. Tables that it points at must live where
/// it runs: on_gpu() of rule_on_gpu.cuh gives the rule for a GPU. It is listed in rules.h.
///   kPattern               the neighbours in use; the share of an unused one must be 0 (left of
///                          the receiver is right of the giver, up_left down_right, up_right
///                          down_left)
///   takes_texture()        whether inks need a texture, as else their dots would be the same
///   decide(tone, sum, p)   the decision on a pixel that has collected `sum`. Also called for pixels
///                          beside the plane, at any x; the result is then not used
///   shares(residue, tone)  of a pixel, `tone` its own; of the residue 0 all 0. At most four meet
///                          in a pixel, and their sum must lie inside int32
template <typename R>
concept Rule = std::is_trivially_copyable_v<R> &&
    requires(const R& rule, int number, const Place& place) {
  { R::kPattern } -> std::convertible_to<Pattern>;
  { rule.takes_texture() } -> std::same_as<bool>;
  { rule.decide(number, number, place) } -> std::same_as<Decision>;
  { rule.shares(number, number) } -> std::same_as<Shares>;
};

/// The largest error: where weights depend on the tone, the sum that reaches a pixel can exceed any
/// single error, so errors are clamped here. Floyd-Steinberg never comes near.
inline constexpr int kMostError = static_cast<int>(kSolid) - 1;

/// The error in a residue: the residue itself, unless the rule has more in it and says so.
template <Rule R>
MZ_HD constexpr int error_of(int residue) {
  if constexpr (requires { R::error(residue); }) {
    return R::error(residue);
  } else {
    return residue;
  }
}

/// The tone that a pixel is to have, with the errors of its neighbours: s above. `collected` is in
/// 2^-kShift of a tone step, kShift 1 .. 16.
template <int kShift>
MZ_HD constexpr int tone_with_errors(int tone, int collected, const Place& place) {
  const int wanted = place.texture == 0 ? tone : textured_tone(tone, place.texture);
  return wanted + ((collected + (1 << (kShift - 1))) >> kShift);
}

/// The decision of a rule whose residue is the error; `threshold` is the least s that becomes ink.
MZ_HD constexpr Decision decide_by_threshold(int s, int threshold) {
  const bool ink = s >= threshold;
  const int error = ink ? s - static_cast<int>(kSolid) : s;
  return {ink, error > kMostError ? kMostError : error < -kMostError ? -kMostError : error};
}

}  // namespace mezzo::diffusion
