// One phase of pinwheel error diffusion on a GPU: all outward, or all inward blocks of a band.
//
// A thread decides one block, a warp 32 of them. Errors that leave outward blocks stand in borders
// (see block_borders.h) until the second phase fetches them, with the values of neighbouring blocks
// side by side, so that a warp reads and writes them together. Bits are or-ed into words that were
// cleared.
#pragma once

#include <cstdint>

#include "kernels/gpu/gpu_schedule.cuh"
#include "kernels/gpu/plate_word.cuh"
#include "kernels/pinwheel/block_path.h"
#include "kernels/pinwheel/rule.h"

namespace mezzo::pinwheel {

using gpu::DeviceBand;

inline constexpr uint32_t kWarp = 32;

/// A phase at work on a band.
struct Phase {
  DeviceBand band;
  Rule rule;  ///< with its tables on the GPU
  bool outward;
  uint32_t size;              ///< of a block
  uint32_t columns;           ///< of blocks
  int16_t* borders;           ///< [row of blocks][side][along][column / 2]
  uint32_t first_border_row;  ///< row of blocks that the borders begin with
  uint32_t border_stride;     ///< values of a place

  /// Values of a place on the borders of a row of blocks, by half their column.
  __device__ int16_t* border(uint32_t row, uint32_t side, uint32_t along) const {
    return borders + ((size_t{row - first_border_row} * 4 + side) * size + along) * border_stride;
  }

  /// That of block_noise().
  __device__ uint32_t noise(uint32_t row, uint32_t column) const {
    return block_noise(rule.noise.seed, band.plane, row * size, column * size);
  }

  /// A sample of the page, of the band or its context.
  __device__ uint32_t sample(uint32_t y, uint32_t x) const {
    const auto row = static_cast<ptrdiff_t>(static_cast<int>(y - band.first_row));
    const std::byte* samples = band.samples + row * static_cast<ptrdiff_t>(band.pitch_bytes);
    return band.bytes_per_sample == 1 ? __ldg(reinterpret_cast<const uint8_t*>(samples) + x)
                                      : __ldg(reinterpret_cast<const uint16_t*>(samples) + x);
  }

  /// Puts the bits of up to 32 pixels on the page, the first in the most significant bit; x is the
  /// first's.
  __device__ void put(uint32_t y, uint32_t x, uint32_t bits) const {
    if (bits == 0 || y - band.first_row >= band.rows) return;
    uint32_t* words = band.words + size_t{y - band.first_row} * band.row_words() + x / 32;
    const uint32_t shift = x % 32;
    if (const uint32_t word = bits >> shift) atomicOr(words, gpu::plate_word(word));
    const uint32_t next = shift == 0 ? 0 : bits << (32 - shift);
    if (next != 0) atomicOr(words + 1, gpu::plate_word(next));
  }
};

}  // namespace mezzo::pinwheel
