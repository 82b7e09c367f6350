// What every GPU schedule of an error diffusion is given and does. A schedule is a class template
// over the Rule (rule.h) in a .cu file of its own, instantiated there for the rules that exist.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/diffusion/rule.h"

namespace mezzo::diffusion {

/// From row to row of samples on a GPU, whose rows have so many bytes.
constexpr size_t sample_pitch(size_t row_bytes) {
  return (row_bytes + 15) / 16 * 16;
}

/// Rows of one plane, all in the memory of one GPU. Rows of `words` have row_words() 32-bit words
/// each.
struct DeviceBand {
  const std::byte* samples;  ///< host byte order
  size_t pitch_bytes;        ///< sample_pitch() of a row; samples begin at a multiple of 16
  const uint16_t* tones;     ///< tone curve: sample -> tone
  uint32_t* words;           ///< out: all words are written; ink 1, first pixel in bit 7 of byte 0
  const int* above;          ///< width_px sums of shares that reached the first row from above it
  int* below;                ///< out: likewise for the row below the last; not `above`
  uint32_t width_px;
  uint32_t rows;
  uint32_t first_row;  ///< the row of the page that row 0 of the band is
  uint32_t plane;
  uint32_t bytes_per_sample;  ///< 1 or 2

  __host__ __device__ uint32_t row_words() const { return (width_px + 31) / 32; }

  template <typename Sample>
  const __device__ Sample* row(uint32_t i) const {
    return reinterpret_cast<const Sample*>(samples + i * pitch_bytes);
  }

  /// The tone of column x of row i, both inside the band.
  __device__ int tone(uint32_t x, uint32_t i) const {
    return tones[bytes_per_sample == 1 ? row<uint8_t>(i)[x] : row<uint16_t>(i)[x]];
  }

  __device__ Place place(uint32_t x, uint32_t i) const { return {x, first_row + i, plane}; }
};

/// 32 pixels, the first in the most significant bit, in the byte order of a plate.
__device__ inline uint32_t plate_word(uint32_t bits) {
  return __byte_perm(bits, 0, 0x0123);
}

/// A schedule at work on one plane, one GPU and one stream: it owns whatever memory it needs beside
/// the band.
class GpuSchedule {
 public:
  virtual ~GpuSchedule() = default;

  /// Adds the band's work to the stream and returns; bands come in order, top to bottom. Throws
  /// Error.
  virtual void enqueue(const DeviceBand& band, cudaStream_t stream) = 0;
};

/// Makes the schedule for planes `width_px` wide and bands of at most `max_rows` rows, on the GPU
/// `device`. Throws Error, kOutOfMemory where the GPU has no room.
template <Rule R>
using MakeGpuSchedule = std::unique_ptr<GpuSchedule> (*)(const R& rule,
                                                         int device,
                                                         uint32_t width_px,
                                                         uint32_t max_rows);

template <Rule R>
std::unique_ptr<GpuSchedule> make_pwed(const R&, int device, uint32_t width_px, uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_pwec(const R&, int device, uint32_t width_px, uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_bwed(const R&, int device, uint32_t width_px, uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_bwec(const R&, int device, uint32_t width_px, uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_knight(const R&,
                                         int device,
                                         uint32_t width_px,
                                         uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_wavefront(const R&,
                                            int device,
                                            uint32_t width_px,
                                            uint32_t max_rows);

}  // namespace mezzo::diffusion
