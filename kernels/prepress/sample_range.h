// Some samples of a row, or rows of a plane.
#pragma once

#include <cstdint>

namespace mezzo::prepress {

/// [first, first + count).
struct SampleRange {
  uint32_t first = 0;
  uint32_t count = 0;

  uint32_t end() const { return first + count; }
  bool operator==(const SampleRange&) const = default;
};

}  // namespace mezzo::prepress
