// Deflate (RFC 1951) without a search for matches: Huffman codes of bytes, of runs and of what repeats
// the row above.
//
// Diffused dots hardly ever repeat: a search finds next to nothing in them, and takes nearly all of the
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mezzo::codec {

/// A zlib stream (RFC 1950) of these rows, the same on every machine. Parts that codes do not make
/// smaller are stored: at most 6 bytes for each 65,535, and 6 for all, are added. The stream ends with
/// `adler32`, the Adler-32 check sum of the rows.
std::vector<std::byte> deflate_huffman(std::span<const uint8_t> rows,
                                       size_t row_bytes,
                                       uint32_t adler32);

}  // namespace mezzo::codec
