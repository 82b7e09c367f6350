#include "tools/lab/train/lanes.h"

#include "kernels/band/tone.h"

namespace mezzo::train {

Integers tones_of_level(size_t level) {
  std::vector<int16_t> tones;
  for (int tone = 0; tone <= static_cast<int>(kSolid); ++tone) {
    if ((255U * static_cast<unsigned>(tone) + 2048U) >> 12 == level) {
      tones.push_back(static_cast<int16_t>(tone));
    }
  }
  Integers result;
  for (size_t l = 0; l < kLanes; ++l) {
    result.lane[l] = tones[(2 * l + 1) * tones.size() / (2 * kLanes)];
  }
  return result;
}

Integers constant_tone(int tone) {
  Integers result;
  result.lane.fill(static_cast<int16_t>(tone));
  return result;
}

}  // namespace mezzo::train
