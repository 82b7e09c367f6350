// Colour direct binary search on a GPU. No CUDA header. The context outlives all that is made with it.
#pragma once

#include <memory>

#include "kernels/search/colour/colour_dbs.h"
#include "kernels/search/search.h"
#include "kernels/together/ink_colours.h"

namespace mezzo::gpu {
class Context;
}

namespace mezzo::search::colour {

/// make_search(), with the same states and errors. Throws Error: kDevice where this build or machine
/// has no GPU, kOutOfMemory where the GPU with the context's fewest planes, which it chooses, has no
/// room.
std::unique_ptr<Search> make_search_on_gpu(const together::InkColours& colours,
                                           const Page& page,
                                           gpu::Context& context);

}  // namespace mezzo::search::colour
