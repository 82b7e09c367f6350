#include "kernels/diffusion/rules/level_rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace mezzo::diffusion {
namespace {

/// The gap beside a level in which noise of that direction moves; none at paper and solid.
int reach(const DropLevels& levels, uint32_t level, bool is_above) {
  if (level == 0 || level + 1 == levels.count) return 0;
  return levels.gap(is_above ? level : level - 1);
}

/// Overlap times room, between the levels k and k + 1 that have the tone; `overlap` is in Q12.
int16_t reach_of_noise(
    const DropLevels& levels, int overlap, uint32_t k, int in_gap, bool is_above) {
  const int gap = levels.gap(k);
  const int room =
      (reach(levels, k, is_above) * (gap - in_gap) + reach(levels, k + 1, is_above) * in_gap) / gap;
  return static_cast<int16_t>((overlap * room) >> 12);
}

/// The least tone to which `level` is the nearest, if it is allowed.
int16_t least_tone(const DropLevels& levels, uint32_t level, uint32_t highest) {
  if (level > highest) return INT16_MAX;
  return static_cast<int16_t>((levels.tones[level - 1] + levels.tones[level] + 1) >> 1);
}

LevelEntry entry_of(const DropLevels& levels, int overlap, int tone) {
  const uint32_t k = levels.interval(tone), last = levels.count - 1;
  const uint32_t nearest = levels.nearest(tone);
  uint32_t lowest = nearest == 0 ? 0 : nearest - 1, highest = std::min(nearest + 1, last);
  if (tone == 0) highest = 0;
  if (tone == static_cast<int>(kSolid)) lowest = last;
  const int gap = levels.gap(k), in_gap = tone - levels.tones[k];
  return {.second = least_tone(levels, lowest + 1, highest),
          .third = least_tone(levels, lowest + 2, highest),
          .below = reach_of_noise(levels, overlap, k, in_gap, false),
          .above = reach_of_noise(levels, overlap, k, in_gap, true),
          .local = static_cast<int16_t>(in_gap * static_cast<int>(kSolid) / gap),
          .gap = static_cast<int16_t>(gap),
          .lowest = static_cast<int16_t>(lowest)};
}

}  // namespace

std::vector<LevelEntry> level_entries(const LevelSettings& settings) {
  const DropLevels levels = drop_levels(settings);
  const int overlap = static_cast<int>(std::lround(settings.overlap_percent / 100 * kSolid));
  std::vector<LevelEntry> entries;
  for (int tone = 0; tone <= static_cast<int>(kSolid); ++tone) {
    entries.push_back(entry_of(levels, overlap, tone));
  }
  return entries;
}

const LevelEntry* lasting_level_entries(const LevelSettings& settings) {
  static std::mutex mutex;
  static std::map<std::pair<std::vector<double>, double>, std::vector<LevelEntry>> known;
  const std::lock_guard lock(mutex);
  std::vector<LevelEntry>& entries = known[{settings.drops, settings.overlap_percent}];
  if (entries.empty()) entries = level_entries(settings);
  return entries.data();
}

}  // namespace mezzo::diffusion
