// The colour of a halftone print from the areas of its overprints.
//
// Neugebauer (1937): the light of an area is the mean of the light of its overprints, which are the
// paper, the solids, and these over each other. Yule and Nielsen (1951): paper spreads light between
// them, so the mean is taken of roots: X = (sum of a[i] X[i]^(1/n))^n, likewise Y and Z. n is 1 without
// spread, and about 2 on paper.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mezzo::proof {

/// CIELAB, white point D50, 2 degrees, as instruments of the trade say it.
struct Lab {
  double l = 0, a = 0, b = 0;
  bool operator==(const Lab&) const = default;
};

/// White point D50; Y of a perfect diffuser is 1.
using Xyz = std::array<double, 3>;

Xyz xyz_of(const Lab& lab);
Lab lab_of(const Xyz& xyz);

/// Inks over each other, bit k for ink k.
struct Overprint {
  uint32_t inks = 0;
  Lab lab;
};

/// What is known of a print.
struct PrintColours {
  Lab paper;
  std::vector<Lab> solids;            ///< of each ink, on the paper
  std::vector<Overprint> overprints;  ///< as far as they are known
};

/// The light of each of the 2^n sets of inks. One that is not known is the product of the reflectances,
/// relative to the paper, of the largest part of it that is, and of the rest.
std::vector<Xyz> light_of_sets(const PrintColours& colours);

/// The same print on paper that is white: all light is divided by that of the paper.
PrintColours on_white(const PrintColours& colours);

using Rgb8 = std::array<uint8_t, 3>;

/// sRGB (IEC 61966-2-1) by Bradford's adaptation; light that it cannot show is clipped.
Rgb8 srgb_of(const Xyz& xyz);

/// The light of a colour on the screen, and light through a filter of so much light of each kind.
Xyz xyz_of_srgb(const Rgb8& rgb);
Xyz through(Xyz light, const Xyz& filter);

/// Paper and inks mixed. Immutable, shared freely.
class Neugebauer {
 public:
  /// The first `counted` inks of `colours`, at most kMostCounted, have their overprints told apart; each
  /// one after them takes light away by itself, (1 - a + a R^(1/n))^n. `yule_nielsen`, n, is 1 .. 10.
  Neugebauer(const PrintColours& colours, size_t counted, double yule_nielsen);

  size_t counted() const { return counted_; }

  /// `areas`: of each set of the counted inks, in any unit; `others`: coverage of the inks after them,
  /// 0 .. 1.
  Xyz mix(std::span<const uint64_t> areas, std::span<const double> others) const;

  /// `coverage` of each ink, 0 .. 1, by dots that do not know of each other (Demichel).
  Xyz mix_apart(std::span<const double> coverage) const;

 private:
  Xyz finish(Xyz roots, std::span<const double> others) const;
  double power(double root) const;

  size_t counted_;
  std::vector<Xyz> roots_;        ///< of the sets: light^(1/n)
  std::vector<Xyz> other_roots_;  ///< of the other inks: reflectance on the paper^(1/n)
  std::vector<double>
      powers_;  ///< x^n at equal steps of x, as rows of pixels have no time for pow()
};

}  // namespace mezzo::proof
