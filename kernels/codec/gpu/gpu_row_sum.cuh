// row_sum.h for rows in the memory of a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/codec/gpu/device_rows.cuh"
#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/codec/row_sum.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::codec {

/// Adds to the stream the work of adding row_sum() of each strip of `rows_per_strip` rows, the last
/// one with what is left, to its one of `sums`. All lie on `device`; others may add to `sums` at the
/// same time. Throws Error.
void enqueue_row_sums(const DeviceRows& rows,
                      uint32_t rows_per_strip,
                      RowSum* sums,
                      gpu::Device device,
                      cudaStream_t stream);

/// Adds to the stream the work of adding byte_sum() of each strip that enqueue_fax() wrote to its one of
/// `sums`; those of strips that did not fit stay as they are. All lie on `device`. Throws Error.
void enqueue_byte_sums(
    CodedMemory coded, uint32_t strips, RowSum* sums, gpu::Device device, cudaStream_t stream);

}  // namespace mezzo::codec
