// What a halftone looks like to a person, in numbers: the metrics of a bilevel plane against its contone.
// (interface agreed between the library and the page; the library's author may add fields and comments)
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::quality {

struct Viewing {
  double dpi = 300;               ///< pixels an inch of the plate
  double distance_inch = 11.6667; ///< eye to sheet; dpi x distance = 3500 is the usual setting of print research
};

/// A metric that the plane is too small for, or that is undefined, is NaN.
struct Report {
  uint32_t width_px = 0, height_px = 0;
  double contone_coverage = 0;   ///< mean ink asked for, 0..1
  double ink_coverage = 0;       ///< mean ink put down, 0..1
  uint64_t dots = 0;             ///< ink pixels
  uint64_t isolated_dots = 0;    ///< ink pixels with no ink among the 8 neighbours
  uint64_t isolated_holes = 0;   ///< paper pixels with no paper among the 8 neighbours
  double hvs_rms = 0;            ///< of 255, Nasanen
  double gaussian_rms_1_5 = 0;   ///< of 255, eye = Gaussian of sigma 1.5 px
  double gaussian_rms_3 = 0;     ///< of 255, sigma 3 px
  double average_error = 0;      ///< Kouge's definition: 255 mean |a - G*b|, sigma 1, 7x7
  double hpsnr_db = 0, wsnr_db = 0, ssim = 0;
  struct Tone { uint32_t level; uint64_t pixels; double asked; double got; };  // coverage 0..1, over the pixels of that contone level
  std::vector<Tone> tones;       ///< the levels that occur, ascending; 256 levels of ink
  double tone_error_mean = 0, tone_error_max = 0; ///< of 255, over the levels with enough pixels
  struct Ring { double frequency; double power; double anisotropy_db; };      // cycles per pixel; power relative to g(1-g)
  std::vector<Ring> spectrum;    ///< RAPSD of the flattest 256 x 256 tiles
  double startup_rms = 0, interior_rms = 0; ///< HVS RMS of the first 16 rows and of the rest
  double startup_tone_error = 0; ///< of 255: mean coverage got - asked in the first 16 rows
  double seam_row_ratio = 0, seam_column_ratio = 0; ///< strongest periodic line found: its error power over the median; 1 is none
  uint32_t seam_row_period = 0, seam_column_period = 0; ///< its period in pixels, 0: none stands out
};
}
