// What a plate needs after halftoning: its bits as the setter takes them.
#pragma once

#include "kernels/band/bands.h"

namespace mezzo::prepress {

struct Finish {
  bool mirror = false;    ///< left and right, for emulsions that face down
  bool negative = false;  ///< exchange ink and paper

  bool any() const { return mirror || negative; }
};

/// Finishes rows of a plate in place. Padding bits stay 0.
void finish_rows(const BitBand& rows, Finish finish);

}  // namespace mezzo::prepress
