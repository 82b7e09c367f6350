// PackBits (TIFF 6.0, section 9): bytes as they are, up to 128 at a time, and runs of one byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mezzo::codec {

/// Rows of `row_bytes` bytes, each coded by itself: the bytes that libtiff makes of them, at most 3 for 2
/// and 2 for each row.
std::vector<std::byte> packbits(std::span<const uint8_t> rows, size_t row_bytes);

}  // namespace mezzo::codec
