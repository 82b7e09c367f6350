// The trained parameters of pinwheel error diffusion, by level of tone. `mezzotint-lab train` makes
// them; each .inc file names its command.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/pinwheel/parameters.h"

namespace mezzo::pinwheel {

using ToneTable = std::array<Level, kLevels>;
using ToneRows = std::array<Level, kLevels / 2>;

/// The table for blocks of `block` x `block` pixels, 2 .. 64: that of the nearest size of block
/// that there is one for. For the life of the program, as are the others.
const ToneTable& tone_table(uint32_t block);

const ToneTable& small_tone_table();   ///< trained with blocks of 8 and 10
const ToneTable& medium_tone_table();  ///< 14 and 16
const ToneTable& large_tone_table();   ///< 32 and 48

}  // namespace mezzo::pinwheel
