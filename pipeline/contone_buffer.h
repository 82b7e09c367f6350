// Memory for some rows of a page, all its planes one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/core/bands.h"
#include "stages/page_info.h"

namespace mezzo {

/// Room for `max_rows` rows; rows follow each other without gaps, which lets a reader fill many
/// with one read.
class ContoneBuffer {
 public:
  ContoneBuffer() = default;
  ContoneBuffer(const PageInfo& info, uint32_t max_rows)
      : width_px_(info.width_px),
        bytes_per_sample_(info.bytes_per_sample),
        plane_bytes_(size_t{info.width_px} * info.bytes_per_sample * max_rows),
        bytes_(plane_bytes_ * info.inks.size()) {}

  bool is_empty() const { return bytes_.empty(); }

  /// Views of the buffer as rows [first_row, first_row + rows) of each plane; `rows` <= max_rows.
  std::vector<SampleBand> rows(uint32_t first_row, uint32_t rows) {
    std::vector<SampleBand> planes;
    const size_t stride = size_t{width_px_} * bytes_per_sample_;
    for (size_t begin = 0; begin < bytes_.size(); begin += plane_bytes_) {
      const auto plane = static_cast<uint32_t>(planes.size());
      planes.push_back(
          {bytes_.data() + begin, width_px_, rows, stride, first_row, bytes_per_sample_, plane});
    }
    return planes;
  }

 private:
  uint32_t width_px_ = 0;
  uint32_t bytes_per_sample_ = 1;
  size_t plane_bytes_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace mezzo
