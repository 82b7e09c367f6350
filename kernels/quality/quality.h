// The visual quality of a halftone in numbers: the metrics of a bilevel plane against its contone.
//
// Words and rules that hold for every metric:
//  - a = ink asked for, sample / max_sample turned to coverage, 0..1; b = ink put down, 0 or 1;
//    e = b - a. All arithmetic is in double, no transfer curve is applied.
//  - "of 255" is a value of coverage times 255.
//  - "mirrored" is the page continued by reflection about its outermost pixels (d c b | a b c d |
//    c b a, "reflect-101"); "page surrounded by nothing" has e = 0 outside.
//  - G(sigma, r) is the Gaussian exp(-(x^2 + y^2) / (2 sigma^2)) over |x|, |y| <= r, divided by its
//    sum.
//  - light = 1 - a or 1 - b, the values of a grey image of the page.
// A metric that the page is too small for, or that is undefined, is NaN; a perfect match has the
// infinite signal-to-noise ratio.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/quality/periods.h"

namespace mezzo::quality {

/// The viewing conditions. Only the HVS metrics (hvs_rms, startup_rms, interior_rms) depend on it,
/// through the product dpi x distance.
struct Viewing {
  double dpi = 300;                ///< pixels an inch of the plate
  double distance_inch = 11.6667;  ///< eye to sheet; dpi x distance = 3500 is the usual setting of
                                   ///< print research
};

/// All metrics of one plane.
struct Report {
  uint32_t width_px = 0, height_px = 0;
  double contone_coverage = 0;  ///< mean of a
  double ink_coverage = 0;      ///< mean of b
  uint64_t dots = 0;            ///< ink pixels
  // A neighbour that would lie outside the page does not count as either.
  uint64_t isolated_dots = 0;   ///< ink pixels with no ink among the 8 neighbours
  uint64_t isolated_holes = 0;  ///< paper pixels with no paper among the 8 neighbours

  /// Of 255: rms of p * e over the pixels at least R from every border; p and R as in hvs.h
  /// (Nasanen's eye). NaN when there is no such pixel.
  double hvs_rms = 0;
  double gaussian_rms_1_5 = 0;  ///< of 255: rms of G(1.5, 6) * e, mirrored
  double gaussian_rms_3 = 0;    ///< of 255: rms of G(3, 12) * e, mirrored

  /// Of 255: mean |a - G(1, 3) * b|, where the kernel is cut at the border and divided by the sum
  /// of the rest. Only b is blurred, so sharpening is rewarded: never judge by it alone (Kouge et
  /// al., local exhaustive search, table II).
  double average_error = 0;

  /// 10 log10(1 / mean (G(2, 5) * e)^2), mirrored. Sigma is that of an 11 x 11 kernel by 0.3 ((11 -
  /// 1) / 2 - 1) + 0.8.
  double hpsnr_db = 0;

  /// 10 log10(sum |X|^2 / sum |C E|^2) over the spectra of all whole tiles of 512 x 512 px (a page
  /// that is less wide or high has tiles of its width or height; the rest at the right and the
  /// bottom does not count). X is light, not weighted; E is e, weighted with the contrast
  /// sensitivity C of wsnr.h.
  double wsnr_db = 0;

  /// Mean SSIM of light, both blurred by G(1.5, 6) first so that texture is judged as it is seen;
  /// then window G(1.5, 5), K1 = 0.01, K2 = 0.03, L = 1, mirrored, a value for every pixel.
  double ssim = 0;

  /// Tone of the pixels of one of 256 levels of ink: level = 255 a, rounded to nearest.
  struct Tone {
    uint32_t level;
    uint64_t pixels;
    double asked;  ///< mean of a, 0..1
    double got;    ///< mean of b, 0..1
  };
  std::vector<Tone> tones;  ///< the levels that occur, ascending
  /// Of 255: mean and maximum of |got - asked| over the levels that have at least 4096 pixels; NaN
  /// when none has.
  double tone_error_mean = 0, tone_error_max = 0;

  /// A ring of the power spectrum, see spectrum.h.
  struct Ring {
    double frequency;  ///< cycles per pixel
    double power;      ///< relative to g (1 - g), g = ink coverage of the tile: 1 is white noise
    double anisotropy_db;  ///< isotropic noise has -10 log10(spectrum_tiles); NaN: none
  };
  std::vector<Ring> spectrum;   ///< mean over the flattest tiles of 256 x 256 px; empty: none flat
  uint32_t spectrum_tiles = 0;  ///< how many tiles that are, at most 64

  /// Of 255: rms of p * e as for hvs_rms, but over whole rows of the page surrounded by nothing:
  /// its first 16 rows, and all others (NaN: none).
  double startup_rms = 0, interior_rms = 0;
  double startup_tone_error =
      0;  ///< of 255: mean of b - a in the first 16 rows; negative: too pale

  /// The strongest line that returns every so many rows (columns): its error power over that of the
  /// rows around it; 1 when none stands out. See seams.h.
  double seam_row_ratio = 0, seam_column_ratio = 0;
  uint32_t seam_row_period = 0, seam_column_period = 0;  ///< its period in pixels; 0: none

  /// Lines in the flat tints of `spectrum_tiles`, of periods from 8 to 128 px; see periods.h.
  Periods periods;
  /// Waves from 32 px on in e, which the contone does not have; see moire.h.
  Periods moire;
};

}  // namespace mezzo::quality
