#include "stages/band/band_reader.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/error.h"

namespace mezzo {
namespace {

/// Copies rows of the page that both bands hold.
void copy_rows(const SampleBand& from, const MutableSampleBand& to) {
  MZ_ASSERT(from.first_row == to.first_row && from.rows == to.rows);
  std::memcpy(to.data, from.data, from.stride_bytes * from.rows);
}

}  // namespace

BandReader::BandReader(const PageInfo& info,
                       tiff::PageReader& reader,
                       uint32_t band_rows,
                       uint32_t context_rows)
    : info_(info), reader_(reader), shape_{band_rows, context_rows, reader.row_quantum()} {}

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
  fresh_.clear();
  for (size_t i = 0; i < planes.size(); ++i) {
    if (!kept_.empty()) {
      copy_rows(kept_[i], planes[i].rows_of_page(kept_[i].first_row, kept_[i].rows));
    }
    fresh_.push_back(planes[i].rows_of_page(read_rows_, end + ahead - read_rows_));
  }
  if (fresh_.front().rows > 0) reader_.read(fresh_, team);
  next_row_ = end;
  read_rows_ = end + ahead;
  if (shape_.context_rows > 0 && next_row_ < info_.height_px) keep(planes);
  return {planes.begin(), planes.end()};
}

void BandReader::keep(const std::vector<MutableSampleBand>& planes) {
  if (kept_buffer_.is_empty()) {
    kept_buffer_ = ContoneBuffer(info_, shape_.context_rows + shape_.rows_ahead());
  }
  const uint32_t first = next_row_ - std::min(next_row_, shape_.context_rows);
  kept_ = kept_buffer_.rows(first, read_rows_ - first);
  for (size_t i = 0; i < planes.size(); ++i) {
    copy_rows(planes[i].rows_of_page(first, read_rows_ - first), kept_[i]);
  }
}

}  // namespace mezzo
