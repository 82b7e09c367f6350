// A picture that is in the memory of a GPU already, halftoned there. No CUDA header.
#pragma once

#include <cstddef>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// Samples and dots in the memory of one GPU, which the caller keeps.
struct DevicePicture {
  SampleBand samples;      ///< the whole plane
  std::byte* dots;         ///< as BitBand has them, or a byte a pixel
  size_t dots_row_bytes;   ///< from row to row
  bool is_spread = false;  ///< a byte a pixel, 1 is ink
  void* stream = nullptr;  ///< cudaStream_t whose work so far makes the samples
};

/// Returns when the dots are made. Copies samples within the GPU where their rows do not begin at
/// multiples of 16 bytes; nothing goes through the host but the tone curve. Throws Error: kUsage for
/// addresses that are not of one GPU, and for a halftoner that has no way there (on_gpu());
/// kOutOfMemory, kDevice.
void halftone_picture(const Halftoner& halftoner,
                      const DevicePicture& picture,
                      const ToneCurve& curve);

/// Memory of the GPU that this thread uses, for pictures of a caller. Throws Error(kOutOfMemory,
/// kDevice).
void* allocate_for_caller(size_t bytes);
/// Gives it back; null is none.
void free_of_caller(void* memory) noexcept;

}  // namespace mezzo::gpu
