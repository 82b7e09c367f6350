#include "kernels/prepress/mix.h"

#include <algorithm>

#include "kernels/band/ink15.h"

namespace mezzo::prepress {

void add_ink(const uint16_t* ink, bool is_negative, uint32_t weight, uint32_t count, uint16_t* to) {
  const uint32_t base = is_negative ? kInk15 : 0;
  const uint32_t sign = is_negative ? ~0U : 1;  // times -1, of 32 bits
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t sum = to[i] + (((base + sign * ink[i]) * weight + kWholeInk / 2) >> 14);
    to[i] = static_cast<uint16_t>(std::min(sum, kInk15));
  }
}

void negate_ink(uint16_t* row, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) row[i] = static_cast<uint16_t>(kInk15 - row[i]);
}

}  // namespace mezzo::prepress
