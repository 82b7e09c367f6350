#include "kernels/prepress/mix.h"

#include <algorithm>

#include "kernels/band/ink15.h"

namespace mezzo::prepress {

void add_ink(const uint16_t* ink, uint32_t weight, uint32_t count, uint16_t* to) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t sum = to[i] + ((ink[i] * weight + kWholeInk / 2) >> 14);
    to[i] = static_cast<uint16_t>(std::min(sum, kInk15));
  }
}

}  // namespace mezzo::prepress
