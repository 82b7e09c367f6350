// Starting kernels, for .cu files alone.
//
// A long chain of short kernels costs more in the gaps between them than in themselves. From
// compute capability 9.0 on a kernel may be brought to the GPU while the one before it still runs
// (programmatic dependent launch): it does its independent work, then waits for the other to end.
// On older GPUs all of this does nothing and kernels follow each other as ever.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/check.cuh"

namespace mezzo::gpu {

/// When a kernel may begin.
enum class Start {
  kAfterPrevious,   ///< when all earlier work of the stream has ended
  kBesidePrevious,  ///< when the kernel before it allows; both must call the functions below
};

/// Called first in each kernel of a chain: once all its blocks have, the next kernel may begin.
__device__ inline void let_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Waits until the kernel before this one in the chain has ended and all that it wrote is visible;
/// by then the kernels before that one have ended too. Until then a kernel reads only what was
/// there before the chain, and writes nothing. Must be called in each block.
__device__ inline void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// Whether the code of the kernel that the current GPU runs has the two functions. A build holds
/// code for several generations of GPUs.
inline bool can_overlap(const void* kernel) {
  thread_local const void* known = nullptr;
  thread_local int known_device = -1;
  thread_local bool overlaps = false;
  int device = 0;
  check(cudaGetDevice(&device), "asking which GPU is in use");
  if (kernel != known || device != known_device) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "looking at a kernel");
    overlaps = attributes.ptxVersion >= 90;
    known = kernel;
    known_device = device;
  }
  return overlaps;
}

/// Adds a kernel to the stream; `doing` completes "the GPU failed while ...". Throws Error.
template <typename... Parameters, typename... Arguments>
void launch(const char* doing,
            void (*kernel)(Parameters...),
            dim3 blocks,
            uint32_t threads,
            cudaStream_t stream,
            Start start,
            const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.stream = stream;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  if (start == Start::kBesidePrevious && can_overlap(reinterpret_cast<const void*>(kernel))) {
    config.attrs = &overlap;
    config.numAttrs = 1;
  }
  check(cudaLaunchKernelEx(&config, kernel, arguments...), doing);
}

/// Adds a kernel with `bytes` of shared memory a block that it sets out itself. Throws Error.
template <typename... Parameters, typename... Arguments>
void launch_with_memory(const char* doing,
                        void (*kernel)(Parameters...),
                        uint32_t blocks,
                        uint32_t threads,
                        size_t bytes,
                        cudaStream_t stream,
                        const Arguments&... arguments) {
  constexpr size_t kWithoutAsking = 48 << 10;
  if (bytes > kWithoutAsking) {
    check(cudaFuncSetAttribute(
              kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          doing);
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), doing);
}

}  // namespace mezzo::gpu
