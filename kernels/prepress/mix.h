// Ink of one plane added to another.
#pragma once

#include <cstdint>

namespace mezzo::prepress {

/// The weight of 100 %, for add_ink().
inline constexpr uint32_t kWholeInk = 1 << 14;

/// to[i] = min(32640, to[i] + ((ink[i] * weight + 8192) >> 14)) for `count` samples of ink15
/// (kernels/band/ink15.h); `weight` is at most kWholeInk. Where `is_negative`, the ink is 32640 -
/// ink[i]. What is added in which order does not matter.
void add_ink(const uint16_t* ink, bool is_negative, uint32_t weight, uint32_t count, uint16_t* to);

/// row[i] = 32640 - row[i].
void negate_ink(uint16_t* row, uint32_t count);

}  // namespace mezzo::prepress
