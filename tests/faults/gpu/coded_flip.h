// A bit that flips in the memory of a GPU, in a strip that was coded there. No CUDA header.
#pragma once

#include <cstdint>

namespace mezzo::test {

enum class FlipTime {
  kBeforeSum,  ///< the sum is that of the wrong bytes
  kAfterSum,
};

/// While it lives, strip `strip` of those that GPUs code from now on gets another bit, `seed` says
/// which. One at a time; the strips are coded by one plane.
class CodedFlip {
 public:
  CodedFlip(FlipTime time, uint32_t strip, uint64_t seed);
  CodedFlip(const CodedFlip&) = delete;
  CodedFlip& operator=(const CodedFlip&) = delete;
  ~CodedFlip();
};

}  // namespace mezzo::test
