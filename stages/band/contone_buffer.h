// Memory for some rows of a page, all its planes one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "stages/band/band_memory.h"
#include "stages/page_info.h"

namespace mezzo {

/// Room for `max_rows` rows; rows follow each other without gaps, which lets a reader fill many
/// with one read.
class ContoneBuffer {
 public:
  ContoneBuffer() = default;
  ContoneBuffer(const PageInfo& info, uint32_t max_rows, BufferUse use = BufferUse::kCpuOnly)
      : width_px_(info.width_px),
        bytes_per_sample_(info.bytes_per_sample),
        plane_bytes_(size_t{info.width_px} * info.bytes_per_sample * max_rows),
        planes_(static_cast<uint32_t>(info.inks.size())),
        bytes_(plane_bytes_ * planes_, use) {}

  bool is_empty() const { return bytes_.size() == 0; }

  /// Views of the buffer as rows [first_row, first_row + rows) of each plane with so many rows of
  /// context; all of them at most max_rows.
  std::vector<MutableSampleBand> rows(uint32_t first_row,
                                      uint32_t rows,
                                      uint32_t above = 0,
                                      uint32_t below = 0) {
    std::vector<MutableSampleBand> planes;
    const size_t stride = size_t{width_px_} * bytes_per_sample_;
    for (uint32_t plane = 0; plane < planes_; ++plane) {
      planes.push_back({.data = bytes_.data() + plane * plane_bytes_ + above * stride,
                        .width_px = width_px_,
                        .rows = rows,
                        .stride_bytes = stride,
                        .first_row = first_row,
                        .bytes_per_sample = bytes_per_sample_,
                        .plane = plane,
                        .rows_above = above,
                        .rows_below = below});
    }
    return planes;
  }

 private:
  uint32_t width_px_ = 0;
  uint32_t bytes_per_sample_ = 1;
  size_t plane_bytes_ = 0;
  uint32_t planes_ = 0;
  BandMemory bytes_;
};

}  // namespace mezzo
