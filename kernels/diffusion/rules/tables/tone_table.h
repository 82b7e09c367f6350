// The trained table behind ToneRule. It is made by mezzotint-lab train, as
// tone_dependent_entries.cpp describes.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/diffusion/rules/tone_rule.h"

namespace mezzo::diffusion {

using ToneTable = std::array<ToneEntry, kTableLevels>;
using ToneRows = std::array<ToneEntry, kTableLevels / 2>;

/// Levels 0 .. 127, and 255 - v with the weights of v and its thresholds seen from solid ink.
constexpr ToneTable mirrored_table(const ToneRows& rows) {
  ToneTable table{};
  for (size_t level = 0; level < rows.size(); ++level) {
    table[level] = rows[level];
    ToneEntry& mirrored = table[table.size() - 1 - level] = rows[level];
    mirrored.lower = static_cast<uint16_t>(kSolid - rows[level].upper);
    mirrored.upper = static_cast<uint16_t>(kSolid - rows[level].lower);
  }
  return table;
}

/// kTableLevels entries in host memory, for the life of the program.
const ToneEntry* tone_dependent_entries();

}  // namespace mezzo::diffusion
