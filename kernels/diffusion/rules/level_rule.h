// Floyd-Steinberg error diffusion to several levels of ink (drop_levels.h), in integers.
//
//     v[j]     = tone of level j;  m[j] = (v[j-1] + v[j] + 1) >> 1, half-way to the level below
//     k, gap   : v[k] <= tone < v[k+1], gap = v[k+1] - v[k]
//     wanted   = tone + ((textured_tone(local, texture) - local) gap >> 12), local = the tone within
//                the gap, 0 .. 4096
//     s        = wanted + ((7 eL + eUL + 5 eU + 3 eUR + 8) >> 4)          arithmetic shift
//     n        = 9 (noise - 2048) (overlap room >> 12) >> 15, noise 0 .. 4095 of the pixel's place
//     level    = number of j >= 1 with s + n >= m[j], held among the level nearest to the tone and
//                its two neighbours; 0 on paper, the last one in solids
//     e        = s - v[level]
//
// Why n: without it all pixels of a tint v[k] are of one level, its grain vanishes, and a gradient
// shows a line there. With n the levels on either side of v[k] overlap. At v[k] `room` is the gap
// above it where n > 0 and the gap below it where n < 0, at paper and solid, where no level is
// crossed, it is 0, and between two levels it is interpolated. So two levels have no noise, and are
// Floyd-Steinberg's bits. At an overlap of 1 n reaches 9/16 of a gap: beyond the half, as else a tint
// v[k] without errors would stay without.
//
// Bounds. Claim: |e| <= E = G (1 + 9/8 overlap) / 2 for the largest gap G; 2048 with two levels, and
// less than 4400 with more. Where the level is the nearest to s + n, s lies within G / 2 + |n| of it.
// Where it was held at a level above or below, s lies beyond that level by no more than wanted does,
// plus the E that the neighbours handed on; `wanted` stays between v[k] and v[k+1], which the levels
// allowed enclose. So the claim holds by induction.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/band/drop_levels.h"
#include "kernels/base/noise.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"

namespace mezzo::diffusion {

/// As a Rule the ink of a pixel is one bit of its level.
struct LevelRule {
  static constexpr Pattern kPattern = FloydSteinbergRule::kPattern;
  static constexpr int kShift = FloydSteinbergRule::kShift;
  static constexpr uint32_t kSeed = 0x1E7E15;  ///< of the noise
  static constexpr int kNoise = 9;             ///< eighths of half a gap

  DropLevels levels;
  int overlap = 0;   ///< Q12, 0 .. 4096
  uint32_t bit = 0;  ///< of the level

  MZ_HD constexpr bool takes_texture() const { return true; }
  MZ_HD constexpr Shares shares(int error, int tone) const {
    return FloydSteinbergRule{}.shares(error, tone);
  }

  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const uint32_t k = levels.interval(tone);
    const int gap = levels.gap(k), in_gap = tone - levels.tones[k];
    const int s =
        tone + texture(in_gap, gap, place) + ((collected + (1 << (kShift - 1))) >> kShift);
    const uint32_t level = held(tone, levels.nearest(s + noise(k, in_gap, gap, place)));
    return {(level >> bit & 1) != 0, s - levels.tones[level]};
  }

 private:
  MZ_HD static constexpr int texture(int in_gap, int gap, const Place& place) {
    if (place.texture == 0) return 0;
    const int local = in_gap * static_cast<int>(kSolid) / gap;
    return ((textured_tone(local, place.texture) - local) * gap) >> 12;
  }

  MZ_HD constexpr int noise(uint32_t k, int in_gap, int gap, const Place& place) const {
    if (overlap == 0) return 0;
    const int random =
        static_cast<int>(pixel_noise(kSeed, place.plane, place.y, place.x) >> 20) - 2048;
    const int low = reach(k, random), high = reach(k + 1, random);
    const int room = (low * (gap - in_gap) + high * in_gap) / gap;
    return (kNoise * random * ((overlap * room) >> 12)) >> 15;
  }

  /// The gap between the level and the next one in the direction of the noise.
  MZ_HD constexpr int reach(uint32_t level, int random) const {
    if (level == 0 || level + 1 == levels.count) return 0;
    return levels.gap(random < 0 ? level - 1 : level);
  }

  MZ_HD constexpr uint32_t held(int tone, uint32_t level) const {
    const uint32_t last = levels.count - 1;
    if (tone <= 0) return 0;
    if (tone >= static_cast<int>(kSolid)) return last;
    const uint32_t middle = levels.nearest(tone);
    const uint32_t low = middle == 0 ? 0 : middle - 1;
    const uint32_t high = middle == last ? last : middle + 1;
    return level < low ? low : level > high ? high : level;
  }
};

/// The rule of one bit of the levels; settings must be valid.
inline LevelRule level_rule(const LevelSettings& settings) {
  return {.levels = drop_levels(settings),
          .overlap = static_cast<int>(std::lround(settings.overlap_percent / 100 * kSolid)),
          .bit = settings.bit};
}

}  // namespace mezzo::diffusion
