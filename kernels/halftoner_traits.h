// The bands that a method needs, and its reports of rounds.
#pragma once

#include <cstdint>
#include <string_view>

namespace mezzo {

/// HalftonerTraits::band_rows of a method that needs a whole plane at once.
inline constexpr uint32_t kWholePlane = UINT32_MAX;

/// The bands that suit a method. The pipeline feeds the bands of a plane one at a time, top to
/// bottom, each row once.
struct HalftonerTraits {
  uint32_t row_multiple = 1;  ///< bands of a multiple of this run fastest
  uint32_t context_rows = 0;  ///< rows above and below each band that it reads
  uint32_t band_rows = 0;     ///< rows that every band must have but a plane's last; 0: any
  bool on_device = false;     ///< uses a GPU: large bands in page-locked memory run fastest
  uint32_t bits_per_px = 1;   ///< of the bands that it fills: 2 or 4 for packed levels
  bool by_the_clock = false;  ///< stops when its time is up: two runs may give different bits
  uint64_t making_bytes = 0;  ///< while it makes its tables, with the first band; screen/making.h
};

/// Progress of a multi-pass method. All numbers are of one band.
struct RoundReport {
  uint32_t first_row = 0;       ///< of the band
  uint32_t round = 0;           ///< from 1; 0 is the image that it starts from
  double part = 1;              ///< of the round done; reported about once a second within a round
  uint64_t changed = 0;         ///< pixels, in this round
  double average_error = 0;     ///< the minimised error per pixel, after this round; of 255
  std::string_view stage = {};  ///< of a method that goes through several: the name of the round's
  bool out_of_time = false;     ///< the last report: the budget ended the search, in this round

  /// For the page, where the pixels of the report are squares of side x side of its own.
  constexpr RoundReport in_squares(uint32_t side) const {
    RoundReport report = *this;
    report.first_row *= side;
    report.changed *= uint64_t{side} * side;
    return report;
  }
};

}  // namespace mezzo
