// Converts one-byte samples to ink15 in the memory of a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace mezzo::prepress {

/// Rows of one-byte samples. Address and pitch, in bytes, are multiples of 16.
struct DeviceBytesIn {
  const std::byte* samples;
  size_t pitch;
  uint32_t width_px, rows;
};

/// Rows of two-byte samples. Address and pitch as above; bytes beyond the width may be overwritten.
struct DeviceLevelsOut {
  std::byte* samples;
  size_t pitch;
};

/// Queues a kernel that writes levels[sample] to `to` for each sample of `from`. `levels` has 256 entries, in
/// the memory of the GPU. Throws Error (kDevice, kDeviceLost).
void enqueue_levels(const DeviceBytesIn& from,
                    const uint16_t* levels,
                    const DeviceLevelsOut& to,
                    cudaStream_t stream);

}  // namespace mezzo::prepress
