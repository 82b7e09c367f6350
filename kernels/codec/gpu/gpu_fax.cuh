// T.6 of rows in the memory of a GPU, into the memory of that GPU.
//
// A warp codes a row, 1,024 columns at a time (fax_lane.h), into a place of its own in the
// workspace, which has room for the worst that a row can become. Then strips and rows find their
// places, and the bits of each strip's rows are put behind each other. Nothing waits for the host:
// sizes and places are made on the GPU, and stay there until the caller fetches them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/codec/gpu/coded_strip.h"
#include "kernels/codec/gpu/device_rows.cuh"
#include "kernels/gpu/device.cuh"

namespace mezzo::codec {

/// Memory that enqueue_fax() works in: about 7 times that of the rows.
size_t fax_workspace_bytes(uint32_t width_px, uint32_t rows);

/// A capacity that any rows fit into. Halftones seldom need half of it, and a screen of clustered dots
/// a twentieth.
size_t most_coded_bytes(uint32_t width_px, uint32_t rows, uint32_t rows_per_strip);

/// Adds to the stream the work of coding `rows` as strips of `rows_per_strip` rows; the last one has
/// what is left. `rows`, which lie on `device`, are not empty; `workspace` has
/// fax_workspace_bytes() and begins at a multiple of 128. Strips that do not fit into `to` are left
/// out; the index is whole. Throws Error.
void enqueue_fax(const DeviceRows& rows,
                 uint32_t rows_per_strip,
                 std::byte* workspace,
                 CodedMemory to,
                 gpu::Device device,
                 cudaStream_t stream);

}  // namespace mezzo::codec
