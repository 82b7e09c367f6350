#include "kernels/pinwheel/tables/tables.h"

namespace mezzo::pinwheel {
namespace {

/// The numbers of a row of an .inc file.
constexpr size_t kNumbers = 1 + size_t{kKinds} * kTargets + kThresholdClasses + 1;
using Numbers = int[kLevels / 2 * kNumbers];

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

constexpr ToneTable table_of(const Numbers& numbers) {
  ToneRows rows{};
  const int* next = numbers;
  for (Level& level : rows) {
    ++next;  // the level itself
    for (auto& kind : level.weights) {
      for (uint16_t& weight : kind) weight = static_cast<uint16_t>(*next++);
    }
    for (int16_t& threshold : level.thresholds) threshold = static_cast<int16_t>(*next++);
    level.spread = static_cast<int16_t>(*next++);
  }
  return mirrored_table(rows);
}

constexpr Numbers kSmallNumbers = {
#include "kernels/pinwheel/tables/small_tone_table.inc"
};
constexpr Numbers kMediumNumbers = {
#include "kernels/pinwheel/tables/medium_tone_table.inc"
};
constexpr Numbers kLargeNumbers = {
#include "kernels/pinwheel/tables/large_tone_table.inc"
};
constexpr ToneTable kSmall = table_of(kSmallNumbers);
constexpr ToneTable kMedium = table_of(kMediumNumbers);
constexpr ToneTable kLarge = table_of(kLargeNumbers);

}  // namespace

const ToneTable& tone_table(uint32_t block) {
  if (block < 12) return small_tone_table();
  return block < 24 ? medium_tone_table() : large_tone_table();
}

const ToneTable& small_tone_table() {
  return kSmall;
}

const ToneTable& medium_tone_table() {
  return kMedium;
}

const ToneTable& large_tone_table() {
  return kLarge;
}

}  // namespace mezzo::pinwheel
