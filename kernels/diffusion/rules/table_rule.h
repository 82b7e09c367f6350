// Error diffusion to three neighbours with weights that depend on the tone of the pixel that the
// error comes from, and a threshold that may be blurred by noise: Ostromoukhov (SIGGRAPH 2001) and
// Zhou and Fang (SIGGRAPH 2003), in integers, for CPU and GPU.
//
//     level      = (255 tone + 2048) >> 12                      0 .. 255, of the pixel's own tone
//     right      = weight_right[level] error                    weights in Q12
//     down_left  = weight_down_left[level] error
//     down       = (4096 - weight_right - weight_down_left) error
//     threshold  = 2048 + ((noise mod 2048) modulation[level] >> 12)
//
// The shares are exact and sum to 4096 error. Zhou and Fang's T = 128 + (r mod 128) strength of an
// 8-bit scale is the threshold here, with r on the finer scale of tones; where the strength is 0,
// as it is everywhere for Ostromoukhov, the threshold is 2048. The tables are symmetric about the
// middle, so a level may mean lightness, as theirs, or ink, as ours.
//
// The bits are not those of the papers' programs, which scan every other row from right to left:
// such a row begins where the one above it ends, and rows could never run side by side. Here every
// row runs from left to right.
//
// Bounds. |error| <= kMostError = 4095 and each weight lies in 0 .. 4096, so a share is at most
// 4096 * 4095 < 2^24 in magnitude. At most three shares meet in a pixel, one of each kind: the sum,
// with the rounding term of 2^11, stays below 3 * 2^24 + 2^11 < 2^26, far inside int32.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/base/noise.h"
#include "kernels/diffusion/rules/rule.h"

namespace mezzo::diffusion {

/// The weights and modulation of a level of tone; 8 bytes, so that a GPU fetches it at once. All in
/// Q12.
struct alignas(8) TableEntry {
  uint16_t right;       ///< weight, 0 .. 4096
  uint16_t down_left;   ///< weight; right + down_left <= 4096
  uint16_t modulation;  ///< of the threshold, 0 .. 4096: none to half the scale
};

inline constexpr int kTableLevels = 256;

struct TableRule {
  static constexpr Pattern kPattern = {.left = true, .up = true, .up_right = true};
  static constexpr int kShift = 12;

  const TableEntry* entries;  ///< kTableLevels, in memory of the machine that runs the rule
  uint32_t seed = 0;          ///< of the noise
  bool has_noise = true;      ///< that differs from ink to ink

  /// The same rule with its table elsewhere: on a GPU.
  TableRule on(const TableEntry* elsewhere) const { return {elsewhere, seed, has_noise}; }

  MZ_HD static constexpr int level(int tone) { return (tone * (kTableLevels - 1) + 2048) >> 12; }

  MZ_HD constexpr bool takes_texture() const { return !has_noise; }

  MZ_HD constexpr int threshold(int tone, const Place& place) const {
    const int modulation = entries[level(tone)].modulation;
    if (modulation == 0) return kHalf;
    const uint32_t noise = pixel_noise(seed, place.plane, place.y, place.x);
    return kHalf + ((static_cast<int>(noise % kHalf) * modulation) >> 12);
  }

  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const int s = tone_with_errors<kShift>(tone, collected, place);
    return decide_by_threshold(s, threshold(tone, place) - place.lowered);
  }

  MZ_HD constexpr Shares shares(int error, int tone) const {
    const TableEntry& entry = entries[level(tone)];
    const int right = entry.right * error, down_left = entry.down_left * error;
    return {right, down_left, kOne * error - right - down_left, 0};
  }

 private:
  static constexpr int kOne = 1 << kShift;
  static constexpr int kHalf = static_cast<int>(kSolid / 2);
};
static_assert(Rule<TableRule>);

}  // namespace mezzo::diffusion
