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
//
// All that depends on the tone alone stands in a table of a row a tone.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/base/noise.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"

namespace mezzo::diffusion {

/// What a tone makes of its pixels; 16 bytes, so that a GPU could fetch it at once.
struct alignas(16) LevelEntry {
  int16_t second;  ///< the least s + n for the level above the lowest one allowed; INT16_MAX: none
  int16_t third;   ///< and for the next
  int16_t below;   ///< overlap room >> 12 where n < 0
  int16_t above;   ///< and where n > 0
  int16_t local;   ///< the tone within its gap, 0 .. 4096
  int16_t gap;
  int16_t lowest;  ///< level that is allowed
};

/// The table of the levels, kSolid + 1 entries; settings must be valid.
std::vector<LevelEntry> level_entries(const LevelSettings& settings);

/// The same table, made once for all that have these drops and overlap; it lasts as long as the
/// process, as the copies on GPUs do.
const LevelEntry* lasting_level_entries(const LevelSettings& settings);

/// As a Rule the ink of a pixel is one bit of its level.
struct LevelRule {
  static constexpr Pattern kPattern = FloydSteinbergRule::kPattern;
  static constexpr int kShift = FloydSteinbergRule::kShift;
  static constexpr uint32_t kSeed = 0x1E7E15;  ///< of the noise

  const LevelEntry* entries;  ///< in memory of the machine that runs the rule
  DropLevels levels;
  uint32_t bit = 0;  ///< of the level

  /// The same rule with its table elsewhere: on a GPU.
  LevelRule on(const LevelEntry* elsewhere) const { return {elsewhere, levels, bit}; }

  MZ_HD constexpr bool takes_texture() const { return true; }
  MZ_HD constexpr Shares shares(int error, int tone) const {
    return FloydSteinbergRule{}.shares(error, tone);
  }

  MZ_HD constexpr Decision decide(int tone, int collected, const Place& place) const {
    const LevelEntry& entry = entries[tone];
    const int s = tone + texture(entry, place) + ((collected + (1 << (kShift - 1))) >> kShift);
    const int moved = s + noise(entry, place);
    const int level = entry.lowest + int{moved >= entry.second} + int{moved >= entry.third};
    return {(static_cast<uint32_t>(level) >> bit & 1) != 0, s - levels.tones[level]};
  }

 private:
  MZ_HD static constexpr int texture(const LevelEntry& entry, const Place& place) {
    if (place.texture == 0) return 0;
    return ((textured_tone(entry.local, place.texture) - entry.local) * entry.gap) >> 12;
  }

  MZ_HD static constexpr int noise(const LevelEntry& entry, const Place& place) {
    if ((entry.below | entry.above) == 0) return 0;
    const int random =
        static_cast<int>(pixel_noise(kSeed, place.plane, place.y, place.x) >> 20) - 2048;
    return (9 * random * (random < 0 ? entry.below : entry.above)) >> 15;
  }
};
static_assert(Rule<LevelRule>);

}  // namespace mezzo::diffusion
