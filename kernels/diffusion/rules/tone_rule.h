// Tone-dependent error diffusion (after Li and Allebach, IEEE Trans. Image Processing 13(2), 2004):
// the four neighbours of Floyd-Steinberg, with weights and thresholds that depend on the tone of
// the pixel. In integers, for CPU and GPU.
//
//     level      = (255 tone + 2048) >> 12                      0 .. 255, of the pixel's own tone
//     right, down_left, down = weight[level] error              weights in Q12
//     down_right = (4096 - the three weights) error
//     threshold  = lower[level] + ((noise mod 32768) (upper - lower)[level] >> 15)
//
// The shares are exact and sum to 4096 error. Why thresholds by tone: with a threshold of one half
// the mean of the carried errors is not zero, but at the top of a page they start with zero; light
// tones then have no dots in the first rows. With a threshold that makes the mean zero, they begin
// as they go on. Between the two thresholds noise decides, which breaks up worms and the patterns
// of special tones, and sets the dots of inks apart, as it differs from plane to plane.
//
// The row above the page has left nothing behind. Random residues there, with which a page would
// begin as a later row does, were tried: small ones change nothing, and larger ones put a grain of
// their own on the first rows.
//
// Bounds. |error| <= kMostError = 4095 and each weight lies in 0 .. 4096, so a share is at most
// 4096 * 4095 < 2^24 in magnitude. At most four shares meet in a pixel, one of each kind: the sum,
// with the rounding term of 2^11, stays below 2^26 + 2^11 < 2^27, inside int32.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/base/noise.h"
#include "kernels/diffusion/rules/rule.h"
#include "kernels/diffusion/rules/table_rule.h"

namespace mezzo::diffusion {

/// The weights and thresholds of a level of tone; 16 bytes, so that a GPU fetches it at once.
struct alignas(16) ToneEntry {
  uint16_t right;      ///< weight, Q12; the three sum to at most 4096
  uint16_t down_left;  ///< weight, Q12
  uint16_t down;       ///< weight, Q12
  uint16_t lower;      ///< threshold in tone units, 1 .. 4096
  uint16_t upper;      ///< the same, >= lower
};

struct ToneRule {
  static constexpr Pattern kPattern = {.left = true, .up_left = true, .up = true, .up_right = true};
  static constexpr int kShift = 12;

  const ToneEntry* entries;  ///< kTableLevels, in memory of the machine that runs the rule
  uint32_t seed = 0;         ///< of the noise

  /// The same rule with its table elsewhere: on a GPU.
  ToneRule on(const ToneEntry* elsewhere) const { return {elsewhere, seed}; }

  MZ_HD static constexpr int level(int tone) { return (tone * (kTableLevels - 1) + 2048) >> 12; }

  MZ_HD constexpr bool takes_texture() const { return false; }

  MZ_HD constexpr int threshold(int tone, const Place& place) const {
    const ToneEntry& entry = entries[level(tone)];
    const int range = entry.upper - entry.lower;
    if (range == 0) return entry.lower;
    return entry.lower +
           ((static_cast<int>(pixel_noise(seed, place.plane, place.y, place.x) & 0x7FFFU) *
             range) >>
            15);
  }

  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const int s = tone_with_errors<kShift>(tone, collected, place);
    return decide_by_threshold(s, threshold(tone, place) - place.lowered);
  }

  MZ_HD constexpr Shares shares(int error, int tone) const {
    const ToneEntry& entry = entries[level(tone)];
    const int right = entry.right * error, down_left = entry.down_left * error;
    const int down = entry.down * error;
    return {right, down_left, down, (1 << kShift) * error - right - down_left - down};
  }
};
static_assert(Rule<ToneRule>);

}  // namespace mezzo::diffusion
