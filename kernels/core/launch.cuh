// Starting kernels, for .cu files alone.
#pragma once

#include <cuda_runtime.h>

#include "kernels/core/device.cuh"

namespace mezzo::device {

/// Adds a kernel to the stream; `doing` completes "the GPU failed while ...". Throws Error.
template <typename... Parameters, typename... Arguments>
void launch(const char* doing,
            void (*kernel)(Parameters...),
            dim3 blocks,
            uint32_t threads,
            cudaStream_t stream,
            const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), doing);
}

}  // namespace mezzo::device
