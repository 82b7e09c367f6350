// Colour direct binary search on a GPU: the common part of its kernels, those of gpu_colour_start.cu
// and of gpu_colour_visits.cu.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/search/colour/channels.h"
#include "kernels/search/colour/colour_eyes.h"

namespace mezzo::search::colour {

/// Sums that blocks add to; spread over many, as additions to one place wait for each other.
struct Counts {
  unsigned long long changed;
  unsigned long long error;  ///< or its change, modulo 2^64
};
inline constexpr uint32_t kCounts = 256;

/// A page in the memory of a GPU.
struct PageOnDevice {
  int width;
  int rows;
  int cell_rows;
  int cell_columns;
  uint16_t* tones;  ///< ink after ink; for the start
  uint8_t* states;
  uint16_t* freedom;  ///< freedom_of() each pixel
  int32_t* c;         ///< channel after channel
  uint8_t* stale;     ///< cells that have to be visited
  Counts* counts;     ///< kCounts

  MZ_HD size_t pixels() const { return static_cast<size_t>(width) * static_cast<size_t>(rows); }
};

/// A quarter of a point spread, as a kernel takes it.
struct EyeOnDevice {
  int16_t weights[kEyeRadius + 1][kEyeRadius + 1];
};

/// Sets freedom and c from tones and states, and adds E to counts. `errors` has room for the pixels,
/// `seen` for the points, kEyeRadius more on every side. Throws Error.
void enqueue_start(const Channels& channels,
                   const PageOnDevice& page,
                   int32_t* errors,
                   int32_t* seen,
                   cudaStream_t stream);

/// Visits the cells of a group, 0 .. 3. `products`: of each eye C(dy, dx) for dy = 0 .. 14 in rows of
/// Products::kRow, as Products::row() has them. Throws Error.
void enqueue_visits(const Channels& channels,
                    const PageOnDevice& page,
                    const int32_t* products,
                    uint32_t group,
                    cudaStream_t stream);

}  // namespace mezzo::search::colour
