// Searches on a GPU. No CUDA header.
#pragma once

#include <memory>

#include "kernels/search/dbs.h"

namespace mezzo::search {

/// make_dbs() on the GPU with the fewest planes: the same bits and errors. Throws Error
/// kOutOfMemory where it has no room, kDevice where this build or machine has no GPU.
std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings& settings, const Area& area);

}  // namespace mezzo::search
