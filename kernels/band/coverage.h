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

}  // namespace mezzo
