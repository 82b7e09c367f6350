// Where coded strips lie in the memory that a coder on a GPU fills.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/codec/gpu/device_rows.cuh"

namespace mezzo::codec {

struct CodedStrip {
  uint64_t offset;  ///< from the start of that memory, a multiple of 4
  uint64_t bytes;
};

/// Begins what enqueue_fax() writes. A CodedStrip for each strip follows, and then the strips, each
/// from a multiple of 4 bytes, in order and without gaps but those, which are 0. Offsets count from here.
struct CodedIndex {
  uint64_t bytes;  ///< of all, this index included; more than the capacity where that was too small
  uint64_t strips;  ///< bytes of the strips alone, as a file will hold them
};

/// Bytes before the first strip.
constexpr size_t index_bytes(uint32_t rows, uint32_t rows_per_strip) {
  return sizeof(CodedIndex) + strips_of(rows, rows_per_strip) * sizeof(CodedStrip);
}

/// Where the coded bytes go: begins at a multiple of 8, and holds index_bytes() at least.
struct CodedMemory {
  std::byte* data;
  size_t capacity;
};

}  // namespace mezzo::codec
