// Rows of a plane through the eye: the interface between dbs_field.cpp (rows) and dbs_look.cpp
// (SIMD).
#pragma once

#include <cstdint>

#include "kernels/search/eye.h"

namespace mezzo::search::dbs {

/// A row of a plane, then the sums of the rows dy above and dy below it, dy = 1 .. the eye's
/// radius.
struct FoldedRows {
  const int32_t* values;  ///< of column 0
  size_t stride;
};

/// out[x] = sum over d of K(d) times the plane's value at d from x, for 0 <= x < columns. Rows have
/// values for -radius <= x < columns + radius. The eye is the same when mirrored, so four values
/// share a weight.
void look(const Square& eye, const FoldedRows& rows, int columns, int32_t* out);

}  // namespace mezzo::search::dbs
