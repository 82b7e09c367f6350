// The arithmetic of one pixel of pinwheel error diffusion, in integers: every engine computes it,
// or an equal form that is tested against it.
//
//     level      = (255 tone + 2048) >> 12                             of the pixel's own tone
//     n          = (block noise * noise factor) mod 2^16, as an int16
//     threshold  = middle[class][level] + (spread[class][level] n >> 16)
//                  + mul15(threshold_noise, noise)
//     u          = tone + the shares for the pixel (+ the starting error, at a block's first)
//     ink        = tone > 0, and u >= threshold or tone = 4096
//     error      = u - 4096 ink, held in -kMostError .. kMostError
//     share k    = mul15(weight[k], error), but the primary target gets the rest
//     mul15(a, b) = (a b + 2^14) >> 15                                 arithmetic shifts
//
// So paper stays paper and solid stays solid: their pixels hand on what they are handed. No part of
// an error is lost in handing it on, and as integer sums do not depend on the order, a block gets
// them from its neighbours in any order.
//
// No period. Blocks of a flat tint would all be alike, but for the spread of their first
// thresholds, which differs from block to block. A pixel whose mean error is not 0 shows in every
// block at the same place; as means add up, a tint has no pattern of the size of its blocks, and
// nothing is lost in the mean, when the mean error is 0 at every place of the walk. The trained
// thresholds make it so, class by class.
//
// Bounds. A pixel is handed at most 5 times kMostError (a test adds up the weights that can meet in
// a pixel, for all sizes, with all noise), so its sum with the tone, and every part of it, stays
// inside int16. The first pixel of a block, which gets the starting error, has shares from two
// sides of its block or none.
#pragma once

#include <cstdint>

#include "kernels/band/coverage.h"
#include "kernels/base/host_device.h"
#include "kernels/base/noise.h"
#include "kernels/pinwheel/block_path.h"

namespace mezzo::pinwheel {

inline constexpr int kLevels = 256;
inline constexpr int kMostError = 5632;  ///< 11/8 of a dot

/// Of a pixel's four targets, Q15; 0 for the primary one and for those that are not there.
struct alignas(8) Weights {
  int16_t part[kTargets] = {};
};

/// In tone steps.
struct alignas(4) Threshold {
  int16_t middle = kSolid / 2;
  int16_t spread = 0;  ///< from the least to the most, 0 .. 8192
};

MZ_HD constexpr int mul15(int a, int b) {
  return (a * b + (1 << 14)) >> 15;
}

MZ_HD constexpr int level_of(int tone) {
  return (tone * (kLevels - 1) + 2048) >> 12;
}

/// The amounts of noise, and its seed. All 0: none.
struct Noise {
  int threshold = 0;  ///< tone steps, 0 .. 2048
  int start = 0;      ///< tone steps, 0 .. 2048
  int weights = 0;    ///< Q15, 0 .. 16384
  uint32_t seed = 0;

  MZ_HD constexpr bool is_none() const { return threshold == 0 && start == 0 && weights == 0; }
};

/// Tables and noise; the tables must live where the rule runs. Where they do not depend on the
/// level there is one entry for all.
struct Rule {
  const Weights* weights;       ///< [kind][legal][level]
  const Threshold* thresholds;  ///< [class][level]
  int levels;                   ///< 1 or kLevels
  Noise noise;

  MZ_HD constexpr int level(int tone) const { return levels == 1 ? 0 : level_of(tone); }
  MZ_HD constexpr const Weights* weights_of(Kind kind, int legal) const {
    return weights + (static_cast<int>(kind) * 16 + legal) * levels;
  }
  MZ_HD constexpr const Threshold* thresholds_of(int threshold_class) const {
    return thresholds + threshold_class * levels;
  }
};

/// The noise of a block whose first pixel of the page is (y, x): 0 .. 65535.
MZ_HD constexpr uint32_t block_noise(uint32_t seed, uint32_t plane, uint32_t y, uint32_t x) {
  return pixel_noise(seed, plane, y, x) >> 16;
}

MZ_HD constexpr int threshold_of(Threshold threshold, uint32_t of_block, uint32_t noise_factor) {
  return threshold.middle +
         ((threshold.spread * static_cast<int16_t>(of_block * noise_factor)) >> 16);
}

/// A pixel of the page, for the rule.
struct Pixel {
  int tone = 0;
  int received_error = 0;
  uint32_t y = 0;
  uint32_t x = 0;
  uint32_t block_noise = 0;
  bool first = false;  ///< of its block
};

struct Outcome {
  bool ink = false;
  int shares[kTargets] = {};  ///< of targets that are there
  int error = 0;
};

/// The lowest bit that is set in 1 .. 15.
MZ_HD constexpr int primary_target(int legal) {
  return legal & 1 ? 0 : legal & 2 ? 1 : legal & 4 ? 2 : 3;
}

MZ_HD constexpr int clamped(int value, int most) {
  return value > most ? most : value < -most ? -most : value;
}

/// Weights with noise, after Ulichney: one of a pair of like weights gains as much as the other
/// loses.
MZ_HD constexpr Weights perturbed(const Weights& weights,
                                  int legal,
                                  int amplitude,
                                  uint32_t noise) {
  Weights result = weights;
  const int first = mul15(weights.part[1], (amplitude * static_cast<int8_t>(noise >> 16)) >> 7);
  const int second = mul15(weights.part[2], (amplitude * static_cast<int8_t>(noise >> 24)) >> 7);
  const int change[kTargets] = {0, first, second, -second};
  const int primary = primary_target(legal);
  for (int k = 1; k < kTargets; ++k) {
    if (k == primary || (legal >> k & 1) == 0) continue;
    result.part[k] = static_cast<int16_t>(clamped(weights.part[k] + change[k], 32767));
  }
  return result;
}

/// The place of a pixel on its walk, as tables have it.
struct Place {
  Kind kind = kFour;
  int legal = 0;
  int threshold_class = 0;
  uint32_t noise_factor = 1;
};

/// The tables' entry for a pixel. A GPU fetches it ahead.
struct Entry {
  Weights weights;
  int threshold = 0;
};

MZ_HD constexpr Entry entry_of(const Rule& rule, const Place& place, const Pixel& pixel) {
  const int level = rule.level(pixel.tone);
  return {
      rule.weights_of(place.kind, place.legal)[level],
      threshold_of(
          rule.thresholds_of(place.threshold_class)[level], pixel.block_noise, place.noise_factor)};
}

/// Paper stays paper and solid stays solid.
MZ_HD constexpr bool is_ink(int tone, int u, int threshold) {
  return tone > 0 && (u >= threshold || tone >= static_cast<int>(kSolid));
}

/// Decides a pixel with the targets `legal` of a plane, whose entry is entry_of() it.
MZ_HD constexpr Outcome decide(
    const Noise& amplitudes, int legal, const Pixel& pixel, uint32_t plane, const Entry& entry) {
  Weights weights = entry.weights;
  int threshold = entry.threshold;
  int u = pixel.tone + pixel.received_error;
  if (!amplitudes.is_none()) {
    const uint32_t noise = pixel_noise(amplitudes.seed, plane, pixel.y, pixel.x);
    threshold += mul15(amplitudes.threshold, static_cast<int16_t>(noise));
    if (pixel.first) u += mul15(amplitudes.start, static_cast<int16_t>(mix_bits(noise)));
    if (amplitudes.weights != 0) weights = perturbed(weights, legal, amplitudes.weights, noise);
  }
  Outcome outcome;
  outcome.ink = is_ink(pixel.tone, u, threshold);
  outcome.error = clamped(outcome.ink ? u - static_cast<int>(kSolid) : u, kMostError);
  int rest = outcome.error;
  for (int k = 0; k < kTargets; ++k) {
    outcome.shares[k] = mul15(weights.part[k], outcome.error);
    rest -= outcome.shares[k];
  }
  const int primary = legal == 0 ? kTargets : primary_target(legal);
  // No indexing by a variable: a GPU would put the shares in memory for it.
  for (int k = 0; k < kTargets; ++k) outcome.shares[k] += k == primary ? rest : 0;
  return outcome;
}

}  // namespace mezzo::pinwheel
