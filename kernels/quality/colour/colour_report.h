// The quality of a printed picture of several inks in numbers: its plates against its contone planes,
// both as they are seen on paper.
//
// What quality.h says of a, b, "mirrored", G(sigma, r) and NaN holds here as well; a[k] and b[k] are those
// of ink k, and s = dpi x distance in inches / 3500. The print of a page, contone or plates, is seen so:
//
//  1. Press (plates only): with a dot gain of g pixels each dot is a square whose sides stand g further
//     out. Of a pixel without a dot the ink covers c = 1 - max(0, w h - g^2 n), where w is max(0, 1 - g
//     times the dots left and right of it), h that of the dots above and below, and n counts the
//     diagonal dots between two neighbours that are paper: the exact area for g up to 1/2. Without gain
//     c = b.
//  2. Paper: the square root of the light (X, Y, Z; Yule and Nielsen with n = 2) of each set of inks, mixed
//     by the areas of the sets, which are products of c[k] and 1 - c[k] (Demichel); of the contone by
//     those of a[k]. Light scatters: G(scatter, ceil(4 scatter)) of the roots. Then it is squared.
//  3. Eye: white is D50 at 1. Y is filtered by the eye of hvs.h (Nasanen's luminance), X - Y and Y - Z by
//     that of Kolpatzik and Bouman for chrominance: spectrum exp(-0.419 f), f in cycles per degree, as a
//     point spread like that of hvs.h with k = 0.419 pi S / 180 and R = max(1, round(50 s)).
//  4. CIELAB of what comes out, light below 0 taken as 0.
//
// The page is mirrored at first. D = (dL, da, db) is that of the plates minus that of the contone, at each pixel, and
// T = D - G(16 s, round(48 s)) * D is its texture: the dots that remain visible, without slow
// changes of colour.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/proof/neugebauer.h"
#include "kernels/quality/periods.h"

namespace mezzo::quality {

inline constexpr uint32_t kMostColourInks = 8;

/// The print that is judged.
struct Print {
  proof::PrintColours colours;  ///< of the inks, in the order of the pages
  double scatter_px = 1.2;      ///< sigma of light in paper, 0 .. 8 px
  double gain_px = 0;           ///< how far ink runs beyond the edge of a dot, 0 .. 1 px
};

struct ColourReport {
  uint32_t width_px = 0, height_px = 0;

  double delta_e = 0;     ///< mean |D|: CIELAB 1976, 1 is just seen side by side
  double delta_e_99 = 0;  ///< 99 % of all pixels have at most this |D|, rounded down to 1/64
  double texture = 0;     ///< mean |T|
  double grain_l = 0;     ///< graininess: root mean square of T's L*
  double grain_c = 0;     ///< and of its a* and b*, sqrt(mean (Ta^2 + Tb^2))
  proof::Lab shift;       ///< mean D: what the print as a whole is off by

  /// Two inks over each other.
  struct Pair {
    uint32_t first, second;  ///< numbers of the inks, first < second
    double asked;            ///< mean a a, the part of the page where Demichel has them overlap
    double got;              ///< mean b b
    /// Of the errors b - a of both inks: 1 is dot on dot, 0 independent, below 0 dot beside dot. NaN
    /// where an ink has no error.
    double correlation;
  };
  std::vector<Pair> pairs;
  double overlap = 0;  ///< sum of got over sum of asked; NaN where nothing overlaps

  /// The widest wave in how the dots of two inks fall on each other, of the pairs that have one: its
  /// amplitude is in parts of the area. See moire.h.
  struct Moire {
    uint32_t first, second;
    SpectrumLine line;
  };
  std::vector<Moire> moire;

  /// The same with inks out of register: mirrored planes are moved to the right, plate and contone alike.
  struct Register {
    uint32_t inks;  ///< that are moved, bit k for ink k; 0: none, for comparison
    uint32_t shift_px;
    double delta_e, texture;
  };
  /// The first is in register, the others each ink, and all inks but the darkest, by 1 and by 2 px. Of at
  /// most kRegisterTiles tiles spread evenly over the page. Empty for one ink, or when not asked for.
  std::vector<Register> registers;
  uint32_t register_tiles = 0;

  /// The highest delta_e of registers; NaN without any.
  double worst_register() const;
};

}  // namespace mezzo::quality
