// ink15, the one format of samples between the stages of prepress: 16 bits, 0 is paper, kInk15 a
// solid of ink.
//
// It fits int16, which SIMD multiplies fastest; it holds the levels of 8 bits exactly (128 v), and
// is a SampleBand like any other, of polarity kMaxIsInk.
#pragma once

#include <cstdint>

namespace mezzo {

constexpr uint32_t kInk15 = 255 * 128;

/// A sample 0 .. `max_sample` of polarity kMaxIsInk.
constexpr uint16_t ink15(uint32_t sample, uint32_t max_sample) {
  return static_cast<uint16_t>((uint64_t{sample} * kInk15 + max_sample / 2) / max_sample);
}

}  // namespace mezzo
