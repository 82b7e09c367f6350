// The GPU's part of a band that a CPU and a GPU share: the few operations that `handover` and
// `hybrid` are made of. No CUDA header, so that tests can stand in for the GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/block_grid.h"
#include "kernels/diffusion/rules/rule.h"

namespace mezzo::gpu {
class Context;
}

namespace mezzo::diffusion {

/// Blocks of one band at a time, in memory of its own. The blocks are those of gpu_block_grid() of
/// the band given to begin(), with the data of block_kernel.h between them; steps count from that
/// band's first.
///
/// All may throw Error (kDevice, kOutOfMemory). Destruction waits for running work; after an
/// exception a device can only be destroyed.
class BlockDevice {
 public:
  virtual ~BlockDevice() = default;

  /// Takes a band: all bits and residues 0, no sums. Its samples are on their way when this returns,
  /// and stay where they are until fetch().
  virtual void begin(const SampleBand& in, const ToneCurve& curve) = 0;

  /// Takes the data of earlier steps' blocks: `sums`, width_px of them; `left`, three a row of the
  /// band, row by row; the bits of the first rows. `left` null and no rows: there were no earlier
  /// steps.
  virtual void hand_over(const int32_t* sums, const int32_t* left, const BitBand& bits) = 0;

  /// The other way to give the first block row its sums: memory for width_px of them that the
  /// device reads over the bus, in the step that needs them. The caller puts column x down before
  /// start_steps() of step x / 32, and never again before fetch().
  virtual int32_t* border() = 0;

  /// Starts the steps [first, last) and returns. Steps are started in order, each once, by one
  /// thread at a time.
  virtual void start_steps(int first, int last) = 0;

  /// Waits, then copies the blocks' results: `sums`; `left` unless null; all rows of bits, 0 where
  /// no block has run.
  virtual void fetch(int32_t* sums, int32_t* left, const BitBand& bits) = 0;
};

/// A GPU of the context, the one with the fewest planes. Throws Error kDevice in a build without
/// CUDA. Defined for the rules of rules.h.
template <Rule R>
std::unique_ptr<BlockDevice> make_gpu_block_device(const R& rule,
                                                   gpu::Context& context,
                                                   uint32_t width_px);

/// Residues left of the blocks: three a row, row by row as the CPU has them, and plane by plane as
/// the GPU has them.
inline void left_to_planes(const int32_t* left, size_t rows, int32_t* planes) {
  for (size_t k = 0; k < 3; ++k) {
    for (size_t i = 0; i < rows; ++i) planes[k * rows + i] = left[3 * i + k];
  }
}
inline void left_from_planes(const int32_t* planes, size_t rows, int32_t* left) {
  for (size_t k = 0; k < 3; ++k) {
    for (size_t i = 0; i < rows; ++i) left[3 * i + k] = planes[k * rows + i];
  }
}

}  // namespace mezzo::diffusion
