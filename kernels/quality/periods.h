// Periods of what should have none: lines in the spectrum that stand above their neighbours.
//
// A field of values (the dots of a flat tint, or an error) is cut into tiles of t x t, half a tile apart;
// t is 256 unless said. Each is weighted with sin^2(pi (x + 1/2) / t), likewise down, after its weighted
// mean was taken away, and P is |DFT|^2, averaged over the tiles (Welch). Frequencies are in steps of 1/t
// cycle a value, as (u, v). One half of the plane is judged, from 2 steps on.
//
//  - The level of a frequency is that of its neighbours, up to 9 steps away across and down, but not within
//    2 both ways, where a line has its own power: the median of P of those about as far from 0 (by up to
//    1.5 steps + 1/16), or that of those in its direction (2 to 7 steps further in or out and up to 2
//    aside), whichever is higher, as textures are smooth in one way or the other. It is divided by the median
//    of P's distribution, (1 - 1 / (9 n))^3.
//  - The ratio is P over the level, which counts as at least 1/10,000 of white noise of the same power.
//  - Chance: if n tiles are independent, P of noise of any colour is the level times a gamma
//    distribution of mean 1 and shape n. Noise reaches a ratio anywhere with at most
//    chance = m Q(n, n ratio / (1 + 3 s)): m frequencies are judged, Q is the upper regularised incomplete
//    gamma function, and the level is taken 3 of its standard errors s too low. Of tiles that overlap by half
//    across or down, k count as k^2 / (k + (k - 1) / 18).
//  - A peak is the highest ratio within 2 steps, and has more than four times what stronger ones leak to it. The
//    statistic of a picture is the highest ratio of its peaks. A line is a peak with a chance below 1/1000:
//    one field of noise in a thousand, at most, has a line. Measured: 0 of 1000 fields of white noise of one tile,
//    0 of 700 of nine tiles, and 0 of 300 of blue noise.
//
// Fields of 1024 x 1024 px show lines of a ratio above 2.0, of 2048 x 2048 px above 1.5. Where all that
// repeats after more than t / 4 px is noise but for its repeating, as with a mask, its lines are each
// other's neighbours, and take a larger t.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/quality/fft.h"

namespace mezzo::quality {

struct PeriodRange {
  /// Waves of shorter periods are not judged. Dots have lines of 2 to 5 px that no eye sees; 8 leaves
  /// them out.
  double shortest_px = 0;
  /// t: even, at least 32. A pattern that repeats, with all its harmonics, is told apart from
  /// noise up to a period of t / 4, and a single wave up to t / 2.
  uint32_t tile_px = 256;
};

/// A wave in a field: waves that stand upright have down = 0.
struct SpectrumLine {
  double across = 0, down = 0;  ///< cycles a pixel, to about 1/50 of a step; across >= 0
  double ratio = 1;             ///< power over its neighbours'
  double chance = 1;            ///< that noise has such a line anywhere, at most
  double amplitude = 0;  ///< of the wave, in units of the field: it swings by so much either way

  double frequency() const { return std::hypot(across, down); }
  double period_px() const { return 1 / frequency(); }
  double lines_an_inch(double dpi) const { return frequency() * dpi; }
  /// In which the waves follow each other: 0 is to the right, 90 up; 0 .. 180, 180 excluded. The angle of
  /// a screen is one of its lines'.
  double angle_degrees() const;
};

struct Periods {
  std::vector<SpectrumLine> lines;  ///< the highest ratio first, at most 16
  double highest_ratio = 1;         ///< of all peaks, noise included; NaN without a tile
  double noise_ratio = 1;           ///< that noise reaches in one of 1000 such fields
  uint32_t tiles = 0;
};

/// Adds up tiles. One thread.
class PeriodFinder {
 public:
  explicit PeriodFinder(const PeriodRange& range = {});

  /// tile_px x tile_px values.
  void add(const BandView<const double>& tile);

  /// `independent`: how many tiles they count as, at most as many as there are.
  Periods find(double independent) const;

  uint32_t tiles() const { return tiles_; }

 private:
  PeriodRange range_;
  Fft2d fft_;
  std::vector<double> weights_;
  std::vector<double> power_;  ///< at [u * tile_px + v]
  uint32_t tiles_ = 0;
};

/// Of a whole field; nothing is found where no tile fits.
Periods find_periods(const BandView<const double>& field, const PeriodRange& range = {});

/// Of a flat tint.
Periods find_periods(const BitBand& bits, const PeriodRange& range = {});

/// The upper regularised incomplete gamma function Q(a, x), a > 0, x >= 0.
double upper_gamma(double a, double x);

}  // namespace mezzo::quality
