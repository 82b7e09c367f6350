// Fax coding of strips of bilevel rows: T.6 (group 4), and T.4 in one dimension (group 3).
//
// The bytes are those that libtiff writes: T.6 with its end of block; T.4 as compression 3 without
// options, an end of line in front of each row, not aligned, and none behind the last. The first
// bit written is the highest of a byte, and the last byte is filled with zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/band/bands.h"

namespace mezzo::codec {

enum class Fax { kT4, kT6 };

/// Bytes that encode_fax() may write to for a strip, more than its codes can take: a column takes 7
/// bits at most, and what begins and ends a row fewer than 64.
constexpr size_t most_fax_bytes(uint32_t width_px, uint32_t rows) {
  return (size_t{7} * width_px + 64) * rows / 8 + 128;
}

/// Codes a strip of rows with 1 bit a pixel and a width of 1 px or more. Returns the bytes that the
/// codes took of `to`, which has most_fax_bytes().
size_t encode_fax(const BitBand& rows, Fax fax, std::span<std::byte> to);

}  // namespace mezzo::codec
