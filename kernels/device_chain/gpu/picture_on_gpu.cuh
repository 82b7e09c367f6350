// The sums of a plane's picture, taken on a GPU while its bands go by.
#pragma once

#include "kernels/device_chain/gpu/bit_kernels.cuh"
#include "kernels/device_chain/picture.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::device_chain {

class PictureOnGpu {
 public:
  /// Throws Error.
  PictureOnGpu(gpu::Device device, PictureGrid grid, const gpu::Stream& stream);

  /// Adds the samples of a band, and its finished rows.
  void enqueue(const gpu::DeviceBand& band, const uint32_t* finished, cudaStream_t stream);

  /// Of all bands that were queued on `stream`; waits for them.
  PictureSums fetch(const gpu::Stream& stream) const;

 private:
  PictureGrid grid_;
  gpu::Array<uint32_t> column_ends_, row_ends_, row_steps_;
  gpu::Array<Rect> places_;
  gpu::Array<uint64_t> samples_, ink_;
  gpu::Array<uint32_t> tones_;
  gpu::Array<uint8_t> pieces_;
};

}  // namespace mezzo::device_chain
