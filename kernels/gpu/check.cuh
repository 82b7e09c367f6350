// Checks the runtime's results, without the rest of device.cuh: for sources of kernels.
#pragma once

#include <cuda_runtime_api.h>

namespace mezzo::gpu {

/// Throws Error unless `result` is success; `doing` completes "the GPU failed while ...". Shows
/// the result to the watch of the context in use.
void check(cudaError_t result, const char* doing);

/// check() on a thread of CUDA's own, such as in a callback, for a call to GPU `device`.
void check_of(int device, cudaError_t result, const char* doing);

/// check() for a kernel launch: looks at the launch's own error, not at running work.
void check_launch(const char* kernel);

}  // namespace mezzo::gpu
