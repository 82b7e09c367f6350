// Where coded strips lie in the memory that a coder on a GPU fills.
#pragma once

#include <cstdint>

namespace mezzo::codec {

struct CodedStrip {
  uint64_t offset;  ///< from the begin of that memory, a multiple of 4
  uint64_t bytes;
};

}  // namespace mezzo::codec
