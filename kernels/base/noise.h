// Noise that is a function of a pixel's position: the same for any band, thread and engine.
#pragma once

#include <cstdint>

#include "kernels/base/host_device.h"

namespace mezzo {

/// Every bit of the result depends on every bit of `v`, one to one: the finalizer of MurmurHash3
/// (A. Appleby, public domain).
MZ_HD constexpr uint32_t mix_bits(uint32_t v) {
  v = (v ^ v >> 16) * 0x85EBCA6BU;
  v = (v ^ v >> 13) * 0xC2B2AE35U;
  return v ^ v >> 16;
}

/// The part that the pixels of a row share. 0x9E3779B9 (2^32 over the golden ratio) keeps 0 from
/// being mixed to 0.
MZ_HD constexpr uint32_t row_noise(uint32_t seed, uint32_t plane, uint32_t y) {
  const uint32_t of_plane = mix_bits(seed + 0x9E3779B9U) ^ plane;
  return mix_bits(of_plane + 0x9E3779B9U) ^ y;
}

/// Noise of a pixel, 0 .. 2^32 - 1.
MZ_HD constexpr uint32_t pixel_noise(uint32_t seed, uint32_t plane, uint32_t y, uint32_t x) {
  return mix_bits(mix_bits(row_noise(seed, plane, y) + 0x9E3779B9U) ^ x);
}

}  // namespace mezzo
