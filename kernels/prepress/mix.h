// Ink of one plane added to another.
#pragma once

#include <cstdint>

namespace mezzo::prepress {

/// The weight of 100 %, for add_ink().
inline constexpr uint32_t kWholeInk = 1 << 14;

/// to[i] = min(32640, to[i] + ((ink[i] * weight + 8192) >> 14)) for `count` samples of ink15
/// (kernels/band/ink15.h); `weight` is at most kWholeInk. What is added in which order does not
/// matter.
void add_ink(const uint16_t* ink, uint32_t weight, uint32_t count, uint16_t* to);

}  // namespace mezzo::prepress
