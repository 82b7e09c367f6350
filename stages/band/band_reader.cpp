#include "stages/band/band_reader.h"

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo {
BandReader::BandReader(const PageInfo& info,
                       tiff::PageReader& reader,
                       uint32_t band_rows,
                       uint32_t context_rows)
    : info_(info), shape_{band_rows, context_rows, reader.row_quantum()}, ranges_(info, reader) {}

std::vector<SampleBand> BandReader::read(ContoneBuffer& buffer, BufferUse use, Team& team) {
  MZ_ASSERT(next_row_ < info_.height_px);
  if (buffer.is_empty()) {
    const uint64_t most = shape_.rows_held();
    buffer =
        ContoneBuffer(info_, static_cast<uint32_t>(std::min<uint64_t>(most, info_.height_px)), use);
  }
  const uint32_t first = next_row_;
  const uint32_t end = first + std::min(shape_.rows, info_.height_px - first);
  const uint32_t above = std::min(first, shape_.context_rows);
  const uint32_t ahead = std::min(shape_.rows_ahead(), info_.height_px - end);
  const auto planes = buffer.rows(first, end - first, above, ahead);
  std::vector<MutableSampleBand> held;
  for (const MutableSampleBand& plane : planes) {
    held.push_back(plane.rows_of_page(first - above, above + end - first + ahead));
  }
  const bool is_last = end == info_.height_px;
  ranges_.read(held, is_last ? end + ahead : end - std::min(end, shape_.context_rows), team);
  next_row_ = end;
  return {planes.begin(), planes.end()};
}

}  // namespace mezzo
