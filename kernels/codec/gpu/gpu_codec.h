// Coders on a GPU, for rows in the memory of the host. No CUDA header; gpu_fax.cuh and
// gpu_row_sum.cuh have those for rows that are on a GPU already.
//
// All throw Error: kDevice where this build or machine has no GPU, kOutOfMemory where the GPU with
// the context's fewest planes, which they choose, has no room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/gpu/coded_strip.h"
#include "kernels/codec/row_sum.h"

namespace mezzo::gpu {
class Context;
}

namespace mezzo::codec {

/// Strips behind each other in memory, in order.
struct CodedStrips {
  std::vector<uint8_t> memory;
  std::vector<CodedStrip> strips;
  std::vector<RowSum> sums;   ///< byte_sum() of each that is in the memory; 0 of others
  uint64_t bytes_needed = 0;  ///< of the memory, if all strips were in it
};

/// Strips of `rows_per_strip` rows, the last one with what is left, in T.6 as libtiff codes them.
/// With a capacity, the memory has at most that size, and strips that would end beyond are not in
/// it; it is at least 16 bytes and 16 more a strip.
CodedStrips code_fax_on_gpu(const BitBand& rows,
                            uint32_t rows_per_strip,
                            gpu::Context& context,
                            std::optional<size_t> capacity = {});

/// row_sum() of each strip.
std::vector<RowSum> row_sums_on_gpu(const BitBand& rows,
                                    uint32_t rows_per_strip,
                                    gpu::Context& context);

}  // namespace mezzo::codec
