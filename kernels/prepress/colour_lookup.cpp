#include "kernels/prepress/colour_lookup.h"

namespace mezzo::prepress {

void convert(const ColourTable& table,
             std::span<const uint8_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  reference::convert(table, in, out, count);
}

void convert(const ColourTable& table,
             std::span<const uint16_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  reference::convert(table, in, out, count);
}

}  // namespace mezzo::prepress
