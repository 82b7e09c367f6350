// The textures by which the dots of a sheet's inks lie apart (kernels/band/ink_texture.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "pipeline/plan/plan.h"

namespace mezzo::run {

/// One for each plate of the sheet. The only ink of a page has none, as there is no other that its
/// dots could meet, unless the job says which ink it is.
std::vector<uint32_t> textures_of(const plan::SheetPlan& sheet);

/// The rows of an ink, with its texture. `alone`: it is the only one of its page; noise, which
/// differs by plane, then goes by the texture too.
SampleBand with_texture(SampleBand rows, uint32_t texture, bool alone);

}  // namespace mezzo::run
