// Many alike blocks of a row of blocks at once, one a SIMD lane: what pinwheel.cpp (which blocks,
// on which thread) and lanes.cpp (SIMD, one compilation a target) agree on.
#pragma once

#include <cstdint>

#include "kernels/pinwheel/band_work.h"

namespace mezzo::pinwheel::simd {

/// The most blocks that run_blocks() takes: two vectors of the target in use, at most
/// BlockBorders::kSpare.
uint32_t blocks_at_once();

/// run_block() for `blocks` blocks of one colour that follow each other in a row of blocks from
/// `first` on, 1 .. blocks_at_once(); all have this walk.
void run_blocks(const BandWork& work,
                const Walk& walk,
                const BlockPlace& first,
                uint32_t blocks,
                const RowBorders& borders);

}  // namespace mezzo::pinwheel::simd
