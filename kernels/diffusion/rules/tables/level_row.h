// From a published row of weights to a TableEntry.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/diffusion/rules/table_rule.h"

namespace mezzo::diffusion {

/// Weights of a level as published: parts of their sum. The strength of the noise is in percent.
struct LevelRow {
  uint32_t right;
  uint32_t down_left;
  uint32_t down;
  uint32_t modulation_percent = 0;
};

/// 4096 part / whole, rounded half up.
constexpr uint16_t in_q12(uint64_t part, uint64_t whole) {
  return static_cast<uint16_t>((2 * kSolid * part + whole) / (2 * whole));
}

using EntryTable = std::array<TableEntry, kTableLevels>;

/// The table of levels 0 .. 127, mirrored: level 255 - v has the row of level v.
constexpr EntryTable mirrored_table(const std::array<LevelRow, kTableLevels / 2>& rows) {
  EntryTable table{};
  for (size_t level = 0; level < rows.size(); ++level) {
    const LevelRow& row = rows[level];
    const uint64_t sum = uint64_t{row.right} + row.down_left + row.down;
    table[level] = {
        in_q12(row.right, sum), in_q12(row.down_left, sum), in_q12(row.modulation_percent, 100)};
    table[table.size() - 1 - level] = table[level];
  }
  return table;
}

/// True when no entry hands on more than the whole error.
constexpr bool is_conserving(const EntryTable& table) {
  for (const TableEntry& entry : table) {
    if (entry.right + entry.down_left > static_cast<int>(kSolid)) return false;
  }
  return true;
}

}  // namespace mezzo::diffusion
