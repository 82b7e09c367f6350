// TIFF's horizontal predictor: samples stored as their differences along a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mezzo::codec {

/// Makes samples of the differences of a row, in place and modulo 2^8 or 2^16: each is the sum of
/// itself and the sample `step` before it, which is 1 or more, once that is made. Words are in host
/// byte order.
void add_up(std::span<uint8_t> row, size_t step);
void add_up(std::span<uint16_t> row, size_t step);

}  // namespace mezzo::codec
