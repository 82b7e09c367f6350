// Line work over a halftoned page: bilevel type, rules and bar codes of the plate's own resolution.
//
// With the line work's bits L and the finished bits P of a plate, 1 being ink:
//
//   kPrint     P or L         the line work's ink: its pixels are solid
//   kKnockOut  P and not L    another ink, which leaves its place free
//   kKeep      P              another ink, which is overprinted
//
// A page may have several line works. On each plate, a pixel that any of them prints is not knocked out by
// the others, so their order does not matter and type in two inks, a file for each, is output in both.
//
// It comes after halftoning and protection, whose pixels it takes, and before the plate is mirrored
// or made negative.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/band/bands.h"

namespace mezzo::prepress {

/// The effect of line work on a plate.
enum class Overlay { kKeep, kPrint, kKnockOut };

/// Pixels of line work that a plate prints, and those that it leaves free.
struct OverlayPixels {
  uint64_t printed_px = 0;
  uint64_t knocked_out_px = 0;

  OverlayPixels& operator+=(const OverlayPixels& other) {
    printed_px += other.printed_px;
    knocked_out_px += other.knocked_out_px;
    return *this;
  }
  bool operator==(const OverlayPixels&) const = default;
};

/// Lays `linework` over `bits`, of the same width and rows; padding bits of both are 0, and stay so.
OverlayPixels lay_over(Overlay overlay, const BitBand& linework, const BitBand& bits);

/// Lays several over `bits`; `overlays` has the effect of each. A pixel that several change counts once.
OverlayPixels lay_over(std::span<const Overlay> overlays,
                       std::span<const BitBand> linework,
                       const BitBand& bits);

/// Packs samples of 8 bits: those equal to `ink` become 1. Padding bits become 0.
void pack_bits(const SampleBand& samples, uint8_t ink, const BitBand& bits);

}  // namespace mezzo::prepress
