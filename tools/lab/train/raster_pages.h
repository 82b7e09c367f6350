// Pages to train error diffusion on: flat tints, and pictures with the texture, slopes, edges and
// grain of photos.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/lab/train/lanes.h"

namespace mezzo::train {

/// Tones 0 .. kSolid of size x size pixels, a page in each lane. The mean tones of pages are spread
/// over [first, last]; those of pictures only about, as their tones are cut at paper and solid.
IntegerField flat_pages(size_t size, int first, int last);
IntegerField picture_pages(size_t size, int first, int last, uint32_t seed);

}  // namespace mezzo::train
