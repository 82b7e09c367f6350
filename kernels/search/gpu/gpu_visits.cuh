// Visits of direct binary search on a GPU, with any C (gpu_dbs_visits.cu).
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/search/cpu/dbs_area.h"

namespace mezzo::search::dbs {

/// Sums that blocks add to; spread over many, as additions to one place wait for each other.
struct Counts {
  unsigned long long changed;
  unsigned long long error;  ///< or its change, modulo 2^64
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

/// Moves as places of a square of 3 x 3: the middle is the pixel itself, a toggle.
inline constexpr int kPlaces = 9, kMiddle = 4;

/// C(0) - C(d) of a swap, C(0) of a toggle.
struct Costs {
  int32_t of[kPlaces];
};

/// Division by a number of at least 2, exact for dividends below its square: factor exceeds 2^32 /
/// number by at most 1, and number^3 < 2^32.
struct Divisor {
  explicit Divisor(int number)
      : by(number), factor(0xFFFFFFFFU / static_cast<uint32_t>(number) + 1) {}

  int by;
  uint32_t factor;
};

/// The arguments of a round's launches. A tile is a warp's part of c; a window is the part that it
/// reads: the cell and a pixel all around.
struct Visits {
  DbsOnDevice board;
  uint8_t* stale;           ///< cells that have to be visited
  const int32_t* products;  ///< C with zeros around, laid out like a tile; see products_of()
  uint32_t product_count;
  int edge;
  Divisor cell;
  Divisor window;
  Divisor tile;
  Costs costs;
};

/// Visits the cells of a group, 0 .. 3. Throws Error.
void enqueue_visits(const Visits& visits, uint32_t group, cudaStream_t stream);

}  // namespace mezzo::search::dbs
