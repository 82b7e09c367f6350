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

/// Bits before and after the finish, rows of row_words(); padding is 0. `to` may be `from` where rows
/// are not mirrored.
struct FinishedRows {
  const uint32_t* from;
  uint32_t* to;
  uint32_t width_px, rows, rows_per_strip;
  uint32_t bits_per_px = 1;  ///< 1, 2 or 4

  __host__ __device__ uint32_t row_bits() const { return width_px * bits_per_px; }
  __host__ __device__ uint32_t row_words() const { return (row_bits() + 31) / 32; }
};

/// The numbers that are counted of a strip: ink, or of 2 and 4 bits a pixel the pixels of each value.
__host__ __device__ constexpr uint32_t counts_of(uint32_t bits_per_px) {
  return bits_per_px == 1 ? 1 : 1U << bits_per_px;
}

/// Finishes rows, and adds what is counted of each strip of them, counts_of() numbers, to `pixels`,
/// which lies on the GPU. Throws Error.
void enqueue_finish(const FinishedRows& rows,
                    prepress::Finish finish,
                    uint64_t* pixels,
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
