// Judges a halftone against its contone: one pass over the page, in memory that grows with its
// width and not with its height.
//
// The page is cut into tiles of 512 x 512 px that do not depend on the team or on how rows are
// read. Each tile yields sums, and these are added in the order of the tiles: the report is the
// same to the last bit for any number of threads.
#pragma once

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/quality/quality.h"

namespace mezzo::quality {

/// Where the pixels come from: a contone plane and its halftone, both width_px() x height_px().
class PagePair {
 public:
  virtual ~PagePair() = default;
  virtual uint32_t width_px() const = 0;
  virtual uint32_t height_px() const = 0;
  virtual uint32_t max_ink() const = 0;  ///< the value of `ink` that is full ink, 1 .. 65535

  /// Reads rows [ink.first_row, ink.first_row + ink.rows) of both: ink[x] in 0 .. max_ink() (0 is
  /// paper, whatever the polarity of the file), bits[x] 0 or 1 (ink), a byte each. Called in
  /// ascending order, each row once. May throw to stop.
  virtual void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team& team) = 0;
};

/// dpi x distance that judge() takes: its eye reaches 1 to 256 px.
inline constexpr double kMinSight = 100;
inline constexpr double kMaxSight = 38'000;

/// The report. Holds about 3 x (512 + 2 R) bytes for each pixel of width (R = 23 when dpi x
/// distance is 3500) and 16 MiB for each member of the team. Throws only what `pages` throws.
Report judge(PagePair& pages, const Viewing& viewing, Team& team);

}  // namespace mezzo::quality
