// Several levels of ink: a pixel gets one of 2 to 16 drops; the smallest is no drop.
//
// In tones (coverage.h) the largest drop is a solid, and drop j is v[j] = lround(4096 drop[j] /
// drop[last]). So two levels are the tones of bilevel plates.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/band/coverage.h"
#include "kernels/base/host_device.h"
#include "kernels/settings.h"

namespace mezzo {

inline constexpr uint32_t kFewestLevels = 2, kMostLevels = 16;

/// The tones of drops. A small value that a kernel can take by copy.
struct DropLevels {
  uint32_t count = kFewestLevels;            ///< kFewestLevels .. kMostLevels
  uint16_t tones[kMostLevels] = {0, 4096U};  ///< `count` of them, rising from 0 to kSolid

  /// The interval between two levels that has the tone: k with tones[k] <= tone < tones[k + 1]; the
  /// last one for a solid.
  MZ_HD constexpr uint32_t interval(int tone) const {
    uint32_t k = 0;
    while (k + 2 < count && tone >= tones[k + 1]) ++k;
    return k;
  }
  MZ_HD constexpr int gap(uint32_t k) const { return tones[k + 1] - tones[k]; }

  /// The part of a tone that lies in the gap below level j > 0, stretched to 0 .. kSolid and rounded
  /// up.
  MZ_HD constexpr uint16_t stretched(uint32_t tone, uint32_t j) const {
    const uint32_t below = tones[j - 1], gap = tones[j] - below;
    const uint32_t above = tone <= below ? 0 : tone - below;
    return static_cast<uint16_t>(((above < gap ? above : gap) * kSolid + gap - 1) / gap);
  }

  /// A bit of the levels of pixels, with room for the others: bit i at bit i * bits_per_px, of 16
  /// pixels of 2 bits or of 8 of 4.
  MZ_HD static constexpr uint32_t spread(uint32_t bits, uint32_t bits_per_px) {
    if (bits_per_px == 2) {
      bits = (bits | bits << 8) & 0x00FF00FFU;
      bits = (bits | bits << 4) & 0x0F0F0F0FU;
      bits = (bits | bits << 2) & 0x33333333U;
      return (bits | bits << 1) & 0x55555555U;
    }
    bits = (bits | bits << 12) & 0x000F000FU;
    bits = (bits | bits << 6) & 0x03030303U;
    return (bits | bits << 3) & 0x11111111U;
  }

  /// The level nearest to a tone, also below paper and above a solid; of two the larger one.
  MZ_HD constexpr uint32_t nearest(int tone) const {
    uint32_t level = 0;
    while (level + 1 < count && tone >= (tones[level] + tones[level + 1] + 1) >> 1) ++level;
    return level;
  }
};

/// An empty string when the settings are valid, else one sentence with the mistake.
std::string check(const LevelSettings& settings);

/// Settings must be valid.
DropLevels drop_levels(const LevelSettings& settings);

/// Bits that tell so many levels apart: 1 .. 4.
constexpr uint32_t drop_bits(size_t levels) {
  uint32_t bits = 1;
  while (size_t{1} << bits < levels) ++bits;
  return bits;
}

/// Bits of a pixel that holds one of so many levels: 1, 2 or 4.
constexpr uint32_t packed_bits(size_t levels) {
  const uint32_t bits = drop_bits(levels);
  return bits == 3 ? 4 : bits;
}

/// Bits that a pixel takes on the plates of a method: 1; of packed levels 1, 2 or 4.
constexpr uint32_t bits_per_pixel(const HalftoneSettings& settings) {
  if (!settings.levels || settings.levels->format != LevelFormat::kPacked) return 1;
  return packed_bits(settings.levels->drops.size());
}

}  // namespace mezzo
