// Samples of a byte into those of ink15, in the memory of a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace mezzo::prepress {

/// Rows of samples of a byte; `pitch` is in bytes, a multiple of 16 as the address is.
struct DeviceBytesIn {
  const std::byte* samples;
  size_t pitch;
  uint32_t width_px, rows;
};

/// Rows of samples of two bytes, likewise; what lies beyond the width may be written.
struct DeviceLevelsOut {
  std::byte* samples;
  size_t pitch;
};

/// Adds to the stream: each sample of `from` becomes levels[sample]. `levels`, 256 of them, lie on the GPU.
/// Throws Error.
void enqueue_levels(const DeviceBytesIn& from,
                    const uint16_t* levels,
                    const DeviceLevelsOut& to,
                    cudaStream_t stream);

}  // namespace mezzo::prepress
