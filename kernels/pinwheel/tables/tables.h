// The trained parameters of pinwheel error diffusion, by level of tone. They are made by
// mezzotint-lab train; small_tone_table.cpp, medium_tone_table.cpp and large_tone_table.cpp name the
// commands.
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
    for (int16_t& threshold : mirrored.thresholds) {
      threshold = static_cast<int16_t>(4096 - threshold);
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

}  // namespace mezzo::pinwheel
