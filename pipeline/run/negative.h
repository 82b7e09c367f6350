// Negative plates: the last change of bits before they are encoded.
#pragma once

#include "kernels/band/bands.h"

namespace mezzo::run {

/// Exchanges ink and paper in the rows; the padding bits at their ends stay 0.
void make_negative(const BitBand& rows);

}  // namespace mezzo::run
