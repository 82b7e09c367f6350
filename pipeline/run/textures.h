// The textures by which the dots of a sheet's inks lie apart (kernels/band/ink_texture.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "pipeline/plan/plan.h"

namespace mezzo::run {

/// What tells the dots of one ink from those of others.
struct InkTexture {
  uint32_t texture = 0;      ///< SampleBand::texture
  uint32_t plane = kAsItIs;  ///< SampleBand::plane, by which noise differs
  static constexpr uint32_t kAsItIs = UINT32_MAX;
};

/// One for each plate of the sheet, by the ink's name and number on the page: plates are the same
/// whether other inks are printed or not. The only ink of a page has no texture, as there is no
/// other that its dots could meet, unless the job says which ink it is; noise then goes by the
/// texture too.
std::vector<InkTexture> textures_of(const plan::SheetPlan& sheet);

/// The rows of an ink, with its texture.
SampleBand with_texture(SampleBand rows, InkTexture texture);

}  // namespace mezzo::run
