// The interface of a GPU schedule of any method.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "kernels/band/ink_texture.h"
#include "kernels/halftoner_traits.h"

namespace mezzo::gpu {

/// From row to row of samples on a GPU, whose rows have so many bytes.
constexpr size_t sample_pitch(size_t row_bytes) {
  return (row_bytes + 15) / 16 * 16;
}

/// Rows of one plane, all in the memory of one GPU. Rows of `words` have row_words() 32-bit words
/// each, padding bits 0.
struct DeviceBand {
  const std::byte* samples;  ///< host byte order; of row 0, with the context before and after
  size_t pitch_bytes;        ///< sample_pitch() of a row; samples begin at a multiple of 16
  const uint16_t* tones;     ///< tone curve: sample -> tone
  uint32_t* words;           ///< out: all words are written; ink 1, first pixel in bit 7 of byte 0
  const int* above;          ///< width_px values that the band above left in `below`; 0 at the top
  int* below;                ///< out, where the method carries something; not `above`
  uint32_t width_px;
  uint32_t rows;
  uint32_t first_row;  ///< the row of the page that row 0 of the band is
  uint32_t plane;
  uint32_t texture;           ///< of the ink, ink_texture.h
  const int16_t* tile;        ///< kTextureTile
  uint32_t bytes_per_sample;  ///< 1 or 2
  uint32_t rows_above = 0;    ///< context: rows of samples before row 0 and after the last,
  uint32_t rows_below = 0;    ///< as many as the method asked for where the page has them
  uint32_t tone_count = 0;    ///< of `tones`, up to 65536; for schedules that make curves of it
  uint32_t bits_per_px = 1;   ///< of `words`: 1, 2 or 4

  __host__ __device__ uint32_t row_words() const { return (width_px * bits_per_px + 31) / 32; }

  template <typename Sample>
  const __device__ Sample* row(uint32_t i) const {
    return reinterpret_cast<const Sample*>(samples + i * pitch_bytes);
  }

  /// The value of the ink's texture at column x of row y of the page; 0 where it has none.
  __device__ int texture_at(uint32_t x, uint32_t y) const {
    return texture == 0 ? 0 : tile[texture_place(texture, x, y)];
  }

  /// The tone of column x of row i, both inside the band.
  __device__ int tone(uint32_t x, uint32_t i) const {
    return tones[bytes_per_sample == 1 ? row<uint8_t>(i)[x] : row<uint16_t>(i)[x]];
  }
};

/// A schedule at work on one plane, one GPU and one stream: it owns the memory that it needs beside
/// the band.
class GpuSchedule {
 public:
  virtual ~GpuSchedule() = default;

  /// Adds the band's work to the stream and returns; bands come in order, top to bottom. A method
  /// that has rounds waits for the stream after each, as what it found decides on the next. Throws
  /// Error, and the exceptions of on_round.
  virtual void enqueue(const DeviceBand& band, cudaStream_t stream) = 0;

  /// Called within enqueue(), as that of HalftonerState is within run().
  std::function<void(const RoundReport&)> on_round;
};

/// The same for planes that are halftoned together (together/inks_halftoner.h), or for one alone.
class InksSchedule {
 public:
  virtual ~InksSchedule() = default;

  /// Adds the work of a band to the stream and returns: a DeviceBand an ink, the darkest first, as
  /// many each time, of the same rows, whose `above` and `below` are not looked at. Throws Error.
  virtual void enqueue(std::span<const DeviceBand> inks, cudaStream_t stream) = 0;

  /// As that of GpuSchedule.
  std::function<void(const RoundReport&)> on_round;
};

}  // namespace mezzo::gpu
