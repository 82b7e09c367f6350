// The moves of direct binary search on a GPU: their memory, for any C.
#pragma once

#include <cstdint>

#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/search/eye.h"
#include "kernels/search/gpu/gpu_visits.cuh"

namespace mezzo::search::dbs {

/// Counts of a round.
class CountsOnGpu {
 public:
  explicit CountsOnGpu(gpu::Device device);

  Counts* data() const { return counts_.data(); }
  void clear(cudaStream_t stream) const;
  /// The sums, once all work of the stream has ended. Throws Error.
  Counts fetch(cudaStream_t stream) const;

 private:
  gpu::Array<Counts> counts_;
  gpu::PinnedMemory fetched_;
};

/// Visits the cells of an area that need it. All members throw Error.
class MovesOnGpu {
 public:
  /// `products` is C, with a radius of twice the area's; `cell` the side of a cell. For areas
  /// `width_px` wide and of at most `most_rows` rows.
  MovesOnGpu(gpu::Device device,
             const Square& products,
             uint32_t cell,
             uint32_t width_px,
             uint32_t most_rows);

  /// All cells need a visit.
  void begin(const DbsArea& area, cudaStream_t stream) const;
  /// Adds a round to the stream: the groups of cells in turn.
  void enqueue_round(const DbsOnDevice& board, cudaStream_t stream) const;

 private:
  const int cell_, edge_;
  const int tile_;             ///< side of the reach of a cell's changes
  gpu::Array<uint8_t> stale_;  ///< by cell
  gpu::Array<int32_t> products_;
  const Costs costs_;
};

}  // namespace mezzo::search::dbs
