// Direct binary search on a GPU: what its kernels share.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/search/dbs_area.h"

namespace mezzo::search {

/// Sums that blocks add to; spread over many, as additions to one place wait for each other.
struct Counts {
  unsigned long long changed;
  unsigned long long error;  ///< or what is added to it, modulo 2^64
};
inline constexpr uint32_t kCounts = 256;

/// An area in the memory of a GPU.
struct DbsOnDevice {
  DbsArea area;
  const uint16_t* tones;  ///< of all rows, for the start
  uint8_t* bits;          ///< of all rows
  int32_t* c;             ///< of the free rows
  Counts* counts;         ///< kCounts
};

/// Sets c from tones and bits, and adds E to counts. `errors` has room for point_rows() x
/// point_columns(). Throws Error.
void enqueue_start(const DbsSettings& settings,
                   const DbsOnDevice& board,
                   int16_t* errors,
                   cudaStream_t stream);

}  // namespace mezzo::search
