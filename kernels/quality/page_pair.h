// The two pages that are compared.
#pragma once

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"

namespace mezzo::quality {

/// The source of the pixels: a contone plane and its halftone, both width_px() x height_px().
class PagePair {
 public:
  virtual ~PagePair() = default;
  virtual uint32_t width_px() const = 0;
  virtual uint32_t height_px() const = 0;
  virtual uint32_t max_ink() const = 0;  ///< the value of `ink` that is full ink, 1 .. 65535

  /// Reads rows [ink.first_row, ink.first_row + ink.rows) of both: ink[x] in 0 .. max_ink() (0 is
  /// paper for any polarity of the file), bits[x] 0 or 1 (ink), a byte each. Called in ascending
  /// order, each row once. May throw to stop.
  virtual void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team& team) = 0;
};

}  // namespace mezzo::quality
