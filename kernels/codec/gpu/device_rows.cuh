// Packed rows in the memory of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/base/host_device.h"

namespace mezzo::codec {

/// Rows of one plane; 1 is ink, the first pixel is bit 7 of byte 0, padding bits are 0.
struct DeviceRows {
  const uint32_t* words = nullptr;
  uint32_t width_px = 0;
  uint32_t rows = 0;
  size_t stride_words = 0;  ///< at least row_words()
  uint32_t first_row = 0;   ///< row of the page that `words` points at

  MZ_HD constexpr uint32_t row_words() const { return (width_px + 31) / 32; }
};

/// Strips of `rows_per_strip` rows, the last one with what is left.
constexpr uint32_t strips_of(uint32_t rows, uint32_t rows_per_strip) {
  return rows / rows_per_strip + (rows % rows_per_strip != 0 ? 1 : 0);
}

}  // namespace mezzo::codec
