// Direct binary search on a GPU: its start (gpu_dbs_start.cu).
#pragma once

#include "kernels/search/gpu/gpu_visits.cuh"

namespace mezzo::search::dbs {

/// Sets c from tones and bits, and adds E to counts. `errors` has room for point_rows() x
/// point_columns(). Throws Error.
void enqueue_start(const DbsSettings& settings,
                   const DbsOnDevice& board,
                   int16_t* errors,
                   cudaStream_t stream);

}  // namespace mezzo::search::dbs
