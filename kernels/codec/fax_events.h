// Events: a coded row as a list of columns, with a code that ends there.
//
// All that T.6 and T.4 write for a row can be said by the column at which a code ends, by its kind,
// and where it is a run, by the distance from the column before. A horizontal mode is two events:
// its first run, with the mode's code in front of it, and its second.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/codec/fax_bit_writer.h"
#include "kernels/codec/fax_codes.h"

namespace mezzo::codec {

/// Kinds are numbers of four bits, so that they can be found a bit at a time for many columns at
/// once.
enum FaxEvent : uint8_t {
  kNoEvent = 0,
  kVertical = 1,       ///< V(0)
  kHorizontal = 2,     ///< the mode's code alone, in front of a long run
  kVerticalRight = 4,  ///< + 1 .. 3: VR(1) .. VR(3)
  kPass = 8,
  kVerticalLeft = 8,  ///< + 1 .. 3: VL(1) .. VL(3)
  kRun = 12,          ///< runs: + kInkRun, + kSecondRun
  kMakeup = 16,       ///< + kInkRun: the beginning of a long run; its distance is in units of 64 px
};
inline constexpr uint8_t kInkRun = 1;     ///< a black run, else a white one
inline constexpr uint8_t kSecondRun = 2;  ///< or one of T.4: without the code of the mode in front

/// Runs of this length and longer take more than one code.
inline constexpr uint32_t kLongRun = 64;

/// A code with its first bit lowest, as FaxBitWriter takes it.
constexpr FaxCode turned(FaxCode code) {
  FaxCode turned;
  turned.length = code.length;
  for (uint32_t i = 0; i < code.length; ++i) {
    turned.bits = static_cast<uint16_t>(turned.bits << 1 | (code.bits >> i & 1));
  }
  return turned;
}

constexpr FaxCode joined(FaxCode first, FaxCode second) {
  FaxCode both;
  both.bits = static_cast<uint16_t>(first.bits << second.length | second.bits);
  both.length = static_cast<uint16_t>(first.length + second.length);
  return both;
}

/// The code of an event below kMakeup, turned; `distance` counts for runs alone.
constexpr FaxCode event_code(uint32_t kind, uint32_t distance) {
  if (kind >= kRun) {
    const FaxCode run = kRunCodes[kind & kInkRun].terminating[distance];
    return turned((kind & kSecondRun) != 0 ? run : joined(kHorizontalCode, run));
  }
  if (kind == kPass) return turned(kPassCode);
  if (kind > kVerticalLeft) return turned(kVerticalCodes[3 - (kind - kVerticalLeft)]);
  if (kind > kVerticalRight) return turned(kVerticalCodes[3 + (kind - kVerticalRight)]);
  if (kind == kHorizontal) return turned(kHorizontalCode);
  return kind == kVertical ? turned(kVerticalCodes[3]) : FaxCode();
}

struct FaxEventCodes {
  FaxCode codes[16][kLongRun];  ///< [kind][distance]

  constexpr FaxEventCodes() : codes() {
    for (uint32_t kind = 0; kind < 16; ++kind) {
      for (uint32_t distance = 0; distance < kLongRun; ++distance) {
        codes[kind][distance] = event_code(kind, distance);
      }
    }
  }
};
inline constexpr FaxEventCodes kEventCodes;

/// Writes a run of any length. By value, as no hot loop has the address of its writer.
[[nodiscard]] inline FaxBitWriter put_run(FaxBitWriter out, uint32_t kind, uint32_t run) {
  const FaxRunCodes& codes = kRunCodes[kind & kInkRun];
  const auto put = [&out](FaxCode code) {
    out.put(turned(code).bits, code.length);
    out.flush();
  };
  if ((kind & kSecondRun) == 0) put(kHorizontalCode);
  for (; run >= kLongestMakeup + 64; run -= kLongestMakeup) put(codes.makeup[kLongestMakeup / 64]);
  if (run >= 64) put(codes.makeup[run / 64]);
  put(codes.terminating[run % 64]);
  return out;
}

}  // namespace mezzo::codec
