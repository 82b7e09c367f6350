// The order of the bits in bytes. Internal to stages/tiff.
#pragma once

#include <cstddef>

namespace mezzo::tiff {

/// Exchanges the order of the bits in each byte, which undoes FillOrder 2.
inline void reverse_bits(std::byte* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    auto byte = std::to_integer<unsigned>(bytes[i]);
    byte = (byte & 0xF0U) >> 4 | (byte & 0x0FU) << 4;
    byte = (byte & 0xCCU) >> 2 | (byte & 0x33U) << 2;
    byte = (byte & 0xAAU) >> 1 | (byte & 0x55U) << 1;
    bytes[i] = static_cast<std::byte>(byte);
  }
}

}  // namespace mezzo::tiff
