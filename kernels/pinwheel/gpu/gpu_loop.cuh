// The walk of a block as a table that threads read: for any block, size, path and noise.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gpu/device.cuh"
#include "kernels/pinwheel/gpu/gpu_phase.cuh"
#include "kernels/pinwheel/walk_cache.h"

namespace mezzo::pinwheel {

/// A step of a walk, as a thread wants it. Slots are where a block keeps what was handed on: a ring
/// of the steps to come, then the border, then one for targets that are not there. They are counted
/// in values of a warp.
struct alignas(16) PackedStep {
  uint32_t y : 6;
  uint32_t x : 6;
  uint32_t kind : 3;
  uint32_t threshold_class : 7;
  uint32_t legal : 4;
  uint32_t edges : 4;        ///< by Side: on the edge to a neighbour
  uint16_t slots[kTargets];  ///< of targets
  uint16_t slot;             ///< its own
  uint16_t noise_factor;
};
static_assert(sizeof(PackedStep) == 16 && kMostSize <= 1 << 6 && kKinds <= 1 << 3 &&
              kThresholdClasses <= 1 << 7);

/// The place of a block in a row or column of them: bit 0, nothing before it; bit 1, nothing after
/// it.
inline constexpr uint32_t kPlaces = 4;

struct DeviceWalk {
  const PackedStep* steps;
  uint32_t count;
};

/// The walks of one colour, by place in its column and in its row.
struct DeviceWalks {
  DeviceWalk at[kPlaces][kPlaces];
  uint32_t ring;  ///< slots of the steps to come, the same for all
};

__host__ __device__ inline uint32_t slots_of(const DeviceWalks& walks, uint32_t size) {
  return walks.ring + 4 * size + 1;
}

/// The blocks of the phase's colour that a launch decides: rows [first_row, end_row) of blocks, or
/// of these only blocks that lie at a border of the page.
struct BlockRange {
  uint32_t first_row = 0;
  uint32_t end_row = 0;
  uint32_t last_row_of_page = UINT32_MAX;  ///< where it is known
  bool only_borders = false;

  __host__ __device__ bool has_top() const { return first_row == 0; }
  __host__ __device__ bool has_bottom() const {
    return end_row == last_row_of_page + 1 && last_row_of_page > 0;
  }
};

void launch_loop(const Phase& phase,
                 const DeviceWalks& walks,
                 const BlockRange& range,
                 cudaStream_t stream);

}  // namespace mezzo::pinwheel
