// Moire: waves of long periods in what plates should not have together.
//
// Two regular patterns of nearly one pitch beat: a screen with the weave of a photographed cloth, or the
// screens of two inks. The beat of a plate with its page is in its error e = b - a, that of two plates in the
// product of their errors, by which their dots fall on each other more or less often than Demichel has it.
//
// A field of these is looked at from afar: means over cells of c x c px, c from 4 to 16 by the size of the
// page, each weighted with a Blackman window of 6 c x 6 c px, so that waves shorter than 2 c do not show
// as longer ones (by less than 1/800 of their swing). Lines of periods from 32 px on are those of
// periods.h in that field, with tiles of 256 cells, or 128 or 64 where no larger ones fit; the longest
// period is half a tile. Waves that swing by less than 1/255 are left out: error diffusions sharpen, and so
// give back some of what returns in a page. A screen that is coarser than 32 px would be one of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/quality/periods.h"

namespace mezzo::quality {

inline constexpr double kShortestMoirePx = 32;

/// A field in cells, made row by row. One thread.
class FarField {
 public:
  FarField(uint32_t width_px, uint32_t height_px);

  /// The next row, from the top: width_px values.
  void add_row(std::span<const double> values);

  /// After the last row: waves in pixels of the page, with their full swing, the widest first. Nothing
  /// where the page is smaller than 276 px.
  Periods find_moire() const;

  uint32_t cell_px() const { return cell_px_; }

 private:
  double response(double cycles_a_px) const;

  uint32_t width_px_;
  uint32_t cell_px_;
  uint32_t columns_, rows_;  ///< whole windows
  uint32_t next_row_ = 0;
  std::vector<double> weights_;
  std::vector<double> row_;
  std::vector<double> cells_;
};

}  // namespace mezzo::quality
