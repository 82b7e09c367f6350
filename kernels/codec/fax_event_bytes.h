// The codes of events as bytes, for look-ups in registers.
#pragma once

#include <cstdint>

#include "kernels/codec/fax_codes.h"
#include "kernels/codec/fax_events.h"

namespace mezzo::codec {

/// The codes of events as bytes, in tables that registers take: runs by the lowest two bits of the
/// kind and by distance, makeups by ink and distance, other events by kind.
struct CodeBytes {
  alignas(64) uint8_t run_low[4 * 64], run_high[4 * 64], run_length[4 * 64];
  alignas(64) uint8_t makeup_low[2 * 64], makeup_high[2 * 64], makeup_length[2 * 64];
  alignas(64) uint8_t other[64], other_length[64];

  constexpr CodeBytes()
      : run_low(),
        run_high(),
        run_length(),
        makeup_low(),
        makeup_high(),
        makeup_length(),
        other(),
        other_length() {
    for (uint32_t i = 0; i < 4 * 64; ++i) {
      set(kEventCodes.codes[kRun + i / 64][i % 64], run_low[i], run_high[i], run_length[i]);
    }
    for (uint32_t ink = 0; ink < 2; ++ink) {
      for (uint32_t n = 1; n <= kLongestMakeup / 64; ++n) {
        const FaxCode code = turned(kRunCodes[ink].makeup[n]);
        const uint32_t at = ink * 64 + n;
        set(code, makeup_low[at], makeup_high[at], makeup_length[at]);
      }
    }
    for (uint32_t i = 0; i < 64; ++i) {
      uint8_t none = 0;
      set(kEventCodes.codes[i % 16][0], other[i], none, other_length[i]);
    }
  }

 private:
  static constexpr void set(FaxCode code, uint8_t& low, uint8_t& high, uint8_t& length) {
    low = static_cast<uint8_t>(code.bits & 0xFF);
    high = static_cast<uint8_t>(code.bits >> 8);
    length = static_cast<uint8_t>(code.length);
  }
};
inline constexpr CodeBytes kCodeBytes;

}  // namespace mezzo::codec
