// The choice between two ways to make a Deflate stream of rows: without a search for matches, as
// kernels/codec/deflate_huffman.h does, or with one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mezzo::codec {

/// Whether a search is estimated to make rows smaller by less than 1/64 of their bytes. The
/// estimate is a small search in a sample of 4 KiB; false for fewer bytes. It depends on the bytes and on
/// `row_bytes` alone, and is the same on every machine.
bool matches_hardly_pay(std::span<const uint8_t> rows, size_t row_bytes);

}  // namespace mezzo::codec
