// Many alike blocks of a row of blocks at once, one per SIMD lane: the interface between
// pinwheel.cpp (blocks and threads) and the SIMD code (one compilation per target).
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
