// Tone-dependent error diffusion in raster order on small pages of constant tone, many pages at
// once, with other noise and another tone on each.
#pragma once

#include <cstdint>

#include "kernels/diffusion/rules/tone_rule.h"
#include "tools/train/lanes.h"
#include "tools/train/texture.h"

namespace mezzo::train {

class RasterModel {
 public:
  /// Pages of size x size pixels. The seed is that of the noise.
  RasterModel(size_t size, uint32_t seed);

  size_t size() const { return size_; }
  ErrorField render(const Integers& tones, const diffusion::ToneEntry& entry) const;

 private:
  size_t size_;
  IntegerField noise_;
};

}  // namespace mezzo::train
