// Tone-dependent error diffusion in raster order on small pages, many at once, with other noise and
// other tones on each.
#pragma once

#include <cstdint>

#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tools/lab/train/lanes.h"
#include "tools/lab/train/texture.h"

namespace mezzo::train {

class RasterModel {
 public:
  /// Rows of paper without error below a page, so that a filter that repeats the field does not
  /// carry the end of a page to its start.
  static constexpr size_t kPaperBelow = 16;

  /// Pages of size x size pixels. The seed is that of the noise.
  RasterModel(size_t size, uint32_t seed);

  size_t size() const { return size_; }
  /// The field has size + kPaperBelow rows. `tones` holds size x size pixels.
  ErrorField render(const IntegerField& tones, const diffusion::ToneTable& table) const;

 private:
  size_t size_;
  IntegerField noise_;
};

}  // namespace mezzo::train
