#include "kernels/pinwheel/tables/tables.h"

namespace mezzo::pinwheel {

const ToneTable& tone_table(uint32_t block) {
  if (block < 12) return small_tone_table();
  return block < 24 ? medium_tone_table() : large_tone_table();
}

}  // namespace mezzo::pinwheel
