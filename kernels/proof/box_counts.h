// The areas that the inks of a print cover alone and over each other, counted from the bits of its
// plates.
//
// Areas of one box are whole numbers, in units of 1 / (across.p * down.p) of a pixel, and sum to
// across.length(x) * down.length(y): nothing is rounded.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/band/bands.h"
#include "kernels/band/drop_levels.h"
#include "kernels/proof/box_axis.h"

namespace mezzo::proof {

/// Inks whose overprints are told apart: there are 2^n of them.
inline constexpr size_t kMostCounted = 4;

/// Writes, for each box of row `y` of boxes, the area of each set of inks: bit k of the set stands
/// for plate k, and set 0 is paper. So out[box << plates.size() | set]. The bands are bilevel, as
/// wide as the plate, at most kMostCounted, and hold all rows below the boxes.
void count_overprints(const BoxAxis& across,
                      const BoxAxis& down,
                      uint32_t y,
                      std::span<const BitBand> plates,
                      std::span<uint64_t> out);

/// The area that one plate covers in each box. `plate` holds levels of `levels`, or is bilevel without:
/// its areas are in units as above, times kSolid where there are levels.
void count_ink(const BoxAxis& across,
               const BoxAxis& down,
               uint32_t y,
               const BitBand& plate,
               const DropLevels* levels,
               std::span<uint64_t> out);

}  // namespace mezzo::proof
