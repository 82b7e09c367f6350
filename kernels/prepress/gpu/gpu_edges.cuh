// Scaling by kEdges in the memory of a GPU: rows of one plane of a page into
// rows of its plate, sample for sample what a Scaler makes of them. It takes
// the rows of all planes of the page, as a plane may have its borders from
// another.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/gpu/device.cuh"
#include "kernels/prepress/gpu/edge_steps.h"
#include "kernels/prepress/gpu/gpu_scale.cuh"
#include "kernels/prepress/scale_edges.h"

namespace mezzo::prepress {

/// The scaling of one plane on one GPU. Its tables and its memory of a band
/// stay while it lives.
class EdgesOnGpu {
 public:
  struct Page {
    uint32_t width_px, height_px;
    uint32_t planes;
    uint32_t most_rows;  ///< of the page, that enqueue() gets at a time
  };

  /// Both ratios are possible and at least 1. Plane `plane` of the page is
  /// scaled.
  EdgesOnGpu(gpu::Device device, const Page& page, const Scaling& scaling, uint32_t plane);

  /// Adds to the stream the making of the plate's rows. `page` holds all that
  /// Scaler::rows_needed() names for them. Bands follow each other on one
  /// stream. Throws Error.
  void enqueue(const EdgePage& page, const DeviceRows<uint16_t>& plate, cudaStream_t stream) const;

 private:
  /// An EdgeAxis and a PointAxis.
  struct Axis {
    Axis(gpu::Device device, uint32_t page_samples, Ratio ratio);

    PointOnGpu cubic;
    EdgeAxis edges;
    gpu::Array<uint32_t> firsts, pixels, offsets;  ///< as in EdgeTable
  };
  EdgeAxes axes() const;
  EdgeBand band_of(const EdgePage& page, const DeviceRows<uint16_t>& plate) const;

  uint32_t plane_;
  bool is_same_size_;
  ScaleOnGpu cubic_;
  Axis across_, down_;
  gpu::Array<EdgeCell> cells_;
  gpu::Array<uint8_t> marks_, kinds_;
  gpu::Array<EdgeLeader> leaders_;
};

}  // namespace mezzo::prepress
