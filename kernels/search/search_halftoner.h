// A search as a halftoning method: where it starts, when it stops, and pages in slabs.
//
// The whole plane is searched at once, or, where `slab_rows` says so, in slabs of so many rows. A
// slab is searched together with kOverlapRows rows below it, so that its last rows do not end at a
// border that the page does not have; the bits found there are the start of the next slab. The bits
// of the rows above are settled, and count. So no row is searched without its neighbours, and the
// slabs of a page depend on its settings and never on the machine.
#pragma once

#include <memory>

#include "kernels/halftoner.h"
#include "kernels/search/search.h"
#include "kernels/search/search_settings.h"

namespace mezzo::search {

/// The search to run.
struct SearchEngine {
  MakeSearch make;
  MakeSearch fall_back = {};   ///< where `make` finds no room; may be empty
  uint64_t bytes_a_pixel = 0;  ///< of this machine's memory, beside tones and bits
  std::shared_ptr<const gpu::MethodOnGpu> on_gpu = {};  ///< of `make`; null: no GPU searches
};

std::unique_ptr<Halftoner> make_search_halftoner(const SearchSettings& settings,
                                                 SearchEngine engine);

}  // namespace mezzo::search
