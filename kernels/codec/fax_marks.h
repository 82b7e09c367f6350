// From the columns where a row changes its colour to its pixels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mezzo::codec {

/// Packed bits, the most significant one first: each becomes 1 if the number of ones up to it, itself
/// among them, is odd.
void marks_to_pixels(uint8_t* row, size_t bytes);

}  // namespace mezzo::codec
