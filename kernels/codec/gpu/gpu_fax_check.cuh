// Decodes T.6 in the memory of a GPU, to check it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/codec/gpu/coded_strip.h"
#include "kernels/codec/gpu/device_rows.cuh"
#include "kernels/gpu/device.cuh"

namespace mezzo::codec {

/// Adds to the stream the work of decoding the strips that enqueue_fax() made with these arguments, all
/// rows at once (fax_row_check.h), where nothing else has used the workspace since. Adds to
/// faults[strip], which lie on `device`, the number of its parts of rows that do not decode to those of
/// `rows`; all of them where the strip did not fit. Throws Error.
void enqueue_fax_check(const DeviceRows& rows,
                       uint32_t rows_per_strip,
                       std::byte* workspace,
                       CodedMemory coded,
                       uint32_t* faults,
                       gpu::Device device,
                       cudaStream_t stream);

}  // namespace mezzo::codec
