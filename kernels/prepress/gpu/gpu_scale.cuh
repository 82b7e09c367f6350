// Scaling in the memory of a GPU: rows of a plane of a page into rows of its plate, sample for sample
// what a Scaler makes of them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <variant>

#include "kernels/gpu/device.cuh"
#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

/// Rows of ink15 samples in the memory of a GPU, all of a plane's width.
template <typename Sample>
struct DeviceRows {
  Sample* samples;
  size_t pitch;        ///< samples from row to row
  uint32_t first_row;  ///< of the page, or of the plate
  uint32_t rows;

  __device__ Sample* row(uint32_t of_plane) const {
    return samples + (of_plane - first_row) * pitch;
  }
};

/// One plane's scaling on one GPU. Immutable; its tables stay while it lives.
class ScaleOnGpu {
 public:
  /// For pages of this size; both ratios are possible.
  ScaleOnGpu(gpu::Device device,
             uint32_t page_width_px,
             uint32_t page_height_px,
             const Scaling& scaling);

  /// Adds to the stream the making of the plate's rows. `page` holds all that Scaler::rows_needed()
  /// names for them. Throws Error.
  void enqueue(const DeviceRows<const uint16_t>& page,
               const DeviceRows<uint16_t>& plate,
               cudaStream_t stream) const;

 private:
  /// The tables of a PointAxis.
  struct PointTables {
    PointTables(gpu::Device device, const PointAxis& of);

    PointAxis axis;
    gpu::Array<int32_t> first_taps;  ///< by phase
    gpu::Array<int16_t> weights;     ///< taps() of each phase
  };
  struct Point {
    PointTables across, down;
  };
  struct Area {
    AreaAxis across, down;
  };

  std::variant<Point, Area> filter_;
};

}  // namespace mezzo::prepress
