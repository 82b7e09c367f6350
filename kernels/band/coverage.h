// Tone: ink coverage in Q12, 0 for paper and kSolid for full coverage. Light, for kernels.
#pragma once

#include <cstdint>

namespace mezzo {

inline constexpr uint32_t kSolid = 4096;  ///< tone of full coverage (Q12)

/// round(v * 4096 / 255) for 0 <= v <= 255. 4096/255 is 16 + 16/255; the second term, rounded,
/// is (v + 8) / 16, and no tie occurs. A test checks all 256 values against the definition.
constexpr uint32_t identity_tone(uint32_t v) {
  return 16 * v + ((v + 8) >> 4);
}

/// round(v * 4096 / kInk15) for a sample v of ink15 (ink15.h). That is (v + v / 255) / 8, rounded;
/// v / 255 is cut off, which changes no result, and is (v + 1 + v / 256) / 256. No tie occurs.
constexpr uint32_t identity_tone15(uint32_t v) {
  return (v + 4 + ((v + 1 + (v >> 8)) >> 8)) >> 3;
}

}  // namespace mezzo
