#include "kernels/band/drop_levels.h"

#include <cmath>

#include "kernels/band/coverage.h"
#include "kernels/base/error.h"

namespace mezzo {
namespace {

uint16_t tone_of_drop(const LevelSettings& settings, size_t level) {
  return static_cast<uint16_t>(std::lround(settings.drops[level] / settings.drops.back() * kSolid));
}

}  // namespace

std::string check(const LevelSettings& settings) {
  const auto& drops = settings.drops;
  if (drops.size() < kFewestLevels || drops.size() > kMostLevels) {
    return "levels must be 2 to 16 volumes, and there are " + std::to_string(drops.size());
  }
  if (drops.front() != 0) return "the first volume of levels must be 0, for paper";
  for (size_t i = 1; i < drops.size(); ++i) {
    if (!(drops[i] > drops[i - 1]) || !std::isfinite(drops[i])) {
      return "the volumes of levels must rise from one to the next";
    }
  }
  for (size_t i = 1; i < drops.size(); ++i) {
    if (tone_of_drop(settings, i) > tone_of_drop(settings, i - 1)) continue;
    return "the volumes of levels must differ by at least 1/4096 of the largest";
  }
  if (!(settings.overlap_percent >= 0 && settings.overlap_percent <= 100)) {
    return "the overlap of levels must lie in 0% .. 100%";
  }
  const uint32_t bits = drop_bits(drops.size());
  if (settings.format == LevelFormat::kPlanes && settings.bit >= bits) {
    return "levels have " + std::to_string(bits) + " bits, and bit " +
           std::to_string(settings.bit) + " is asked for";
  }
  return {};
}

DropLevels drop_levels(const LevelSettings& settings) {
  MZ_ASSERT(check(settings).empty());
  DropLevels levels;
  levels.count = static_cast<uint32_t>(settings.drops.size());
  for (uint32_t i = 0; i < levels.count; ++i) levels.tones[i] = tone_of_drop(settings, i);
  return levels;
}

}  // namespace mezzo
