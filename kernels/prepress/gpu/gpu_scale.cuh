// Scaling in the memory of a GPU: rows of a plane of a page into rows of its plate, sample for sample
// what a Scaler makes of them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <variant>

#include "kernels/gpu/device.cuh"
#include "kernels/prepress/gpu/point_column.h"
#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

/// A PointAxis with its tables in the memory of a GPU.
struct PointOnGpu {
  PointOnGpu(gpu::Device device, const PointAxis& of);
  DeviceAxis view() const;

  PointAxis axis;
  gpu::Array<int32_t> first_taps;  ///< as in PointTable
  gpu::Array<int16_t> weights;
};

/// One plane's scaling on one GPU. Immutable; its tables stay while it lives.
class ScaleOnGpu {
 public:
  /// For pages of this size; both ratios are possible, and the filter is not kEdges (gpu_edges.cuh).
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
  struct Point {
    PointOnGpu across, down;
  };
  struct Area {
    AreaAxis across, down;
  };

  std::variant<Point, Area> filter_;
};

}  // namespace mezzo::prepress
