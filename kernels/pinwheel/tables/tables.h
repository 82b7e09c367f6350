// The trained parameters of pinwheel error diffusion, by level of tone. They are made by
// mezzotint-lab train; small_tone_table.cpp, medium_tone_table.cpp, large_tone_table.cpp and
// blue_noise_mask.cpp name the commands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/pinwheel/parameters.h"

namespace mezzo::pinwheel {

using ToneTable = std::array<Level, kLevels>;
using ToneRows = std::array<Level, kLevels / 2>;

/// Levels 0 .. 127, and 255 - v with the weights of v and its thresholds seen from solid ink.
constexpr ToneTable mirrored_table(const ToneRows& rows) {
  ToneTable table{};
  for (size_t level = 0; level < rows.size(); ++level) {
    table[level] = rows[level];
    Level& mirrored = table[kLevels - 1 - level] = rows[level];
    for (size_t c = 0; c < kThresholdClasses; ++c) {
      mirrored.lower[c] = static_cast<uint16_t>(4096 - rows[level].upper[c]);
      mirrored.upper[c] = static_cast<uint16_t>(4096 - rows[level].lower[c]);
    }
  }
  return table;
}

/// The table for blocks of `block` x `block` pixels, 2 .. 64: that of the nearest size of block
/// that there is one for. For the life of the program, as are the others.
const ToneTable& tone_table(uint32_t block);

const ToneTable& small_tone_table();   ///< trained with blocks of 8 and 10
const ToneTable& medium_tone_table();  ///< 14 and 16
const ToneTable& large_tone_table();   ///< 32 and 48

/// A blue-noise mask of 64 x 64 values 0 .. 32767, row by row.
const std::array<uint16_t, 64 * 64>& blue_noise_mask();

}  // namespace mezzo::pinwheel
