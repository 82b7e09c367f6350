// The schedule of a search: bands of a plane to bits, all in the memory of one GPU.
#pragma once

#include <memory>

#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"
#include "kernels/search/search_settings.h"

namespace mezzo::search {

/// Gives the bits and reports of make_search_halftoner() with a search that `make_search` makes;
/// `make_start` that of the start image. Bands are whole slabs, but for the last rows of a plane.
/// All memory is taken here, and each plane begins with its first row. Throws Error, kOutOfMemory
/// where the GPU has no room.
std::unique_ptr<gpu::GpuSchedule> make_search_schedule(const SearchSettings& settings,
                                                       const MakeSearchOnGpu& make_search,
                                                       const gpu::MakeSchedule& make_start,
                                                       gpu::Device device,
                                                       uint32_t width_px,
                                                       uint32_t max_rows);

}  // namespace mezzo::search
