#include "kernels/pinwheel/lanes.h"

namespace mezzo::pinwheel::lanes {

uint32_t blocks_at_once() {
  return 1;
}

void run_blocks(const BandWork& work,
                const Walk& walk,
                const BlockPlace& first,
                uint32_t,
                const RowRims& rims) {
  run_block(work, walk, first, rims);
}

}  // namespace mezzo::pinwheel::lanes
