// Grey of a colour: Rec. 709 luma in integers. Internal to stages/tiff.
#pragma once

#include <cstdint>

namespace mezzo::tiff {

/// round(0.2126 R + 0.7152 G + 0.0722 B): the weights in 1/65536, rounded so that they add up to
/// one and grey stays unchanged. Samples of up to 16 bits: at most 65535 * 65536 + 32768 < 2^32.
constexpr uint32_t luma(uint32_t red, uint32_t green, uint32_t blue) {
  return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16;
}

}  // namespace mezzo::tiff
