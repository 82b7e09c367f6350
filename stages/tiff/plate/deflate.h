// Deflate streams of strips, by the faster of two coders where both come out alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mezzo::tiff {

/// A zlib stream of packed rows, the same on every machine and for every number of threads. Diffused dots,
/// type and blank paper are coded without a search for matches, screens and small strips by libdeflate.
/// Throws std::bad_alloc.
std::vector<std::byte> deflate_strip(std::span<const uint8_t> rows, size_t row_bytes);

}  // namespace mezzo::tiff
