// Weighted sums of rows: the interface between form_field.cpp (planes) and form_weigh.cpp (SIMD).
#pragma once

#include <cstdint>
#include <span>

namespace mezzo::search::form {

/// (sum + bias) >> shift
struct Rounding {
  int32_t bias = 0;
  int shift = 0;
};

/// out[x] = the rounded sum over |d| < half.size() of half[|d|] rows[d][x], for 0 <= x < columns;
/// `rows` points to the middle one, d = 0. Sums fit int32.
void weigh(std::span<const int32_t> half,
           const int32_t* const* rows,
           int columns,
           const Rounding& rounding,
           int32_t* out);

}  // namespace mezzo::search::form
