// The steps of a plane between its halftoner and its coder, on a GPU: bits of a band in, bits out.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/overlay.h"
#include "kernels/prepress/protect.h"

namespace mezzo::device_chain {

/// Mends the bits of a band that was halftoned, and adds the pixels to `counts`, which lie on the
/// GPU. Throws Error.
void enqueue_protect(const gpu::DeviceBand& band,
                     prepress::Protect protect,
                     prepress::Protection* counts,
                     cudaStream_t stream);

/// Lays line work, rows like those of the band, over its bits, and adds the line work's ink to
/// `linework_px`, which lies on the GPU. Bits beyond the width of the page do not matter. Throws
/// Error.
void enqueue_lay_over(const gpu::DeviceBand& band,
                      prepress::Overlay overlay,
                      const uint32_t* linework,
                      uint64_t* linework_px,
                      cudaStream_t stream);

/// Bits before and after the finish, rows of (width_px + 31) / 32 words; padding is 0. `to` may be
/// `from` where rows are not mirrored.
struct FinishedRows {
  const uint32_t* from;
  uint32_t* to;
  uint32_t width_px, rows, rows_per_strip;

  __host__ __device__ uint32_t row_words() const { return (width_px + 31) / 32; }
};

/// Finishes rows, and adds the ink of each strip of them to `ink_px`, which lies on the GPU. Throws
/// Error.
void enqueue_finish(const FinishedRows& rows,
                    prepress::Finish finish,
                    uint64_t* ink_px,
                    cudaStream_t stream);

/// Bytes in the memory of a GPU, from a multiple of 16 on.
struct DeviceBytes {
  const void* data;
  size_t bytes;
};

/// Copies coded strips, index included, into page-locked memory of the host where they fitted into
/// theirs, and the raw rows otherwise. Both fit there, rounded up to a multiple of 16. Throws
/// Error, kOutOfMemory where the memory is not locked.
void enqueue_send(const codec::CodedMemory& coded,
                  const DeviceBytes& raw,
                  std::byte* to,
                  cudaStream_t stream);

}  // namespace mezzo::device_chain
