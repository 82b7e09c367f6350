#include "stages/band/range_reader.h"

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

void RangeReader::read(const std::vector<MutableSampleBand>& planes,
                       uint32_t keep_from,
                       Team& team) {
  const uint32_t first = planes.front().first_row, end = first + planes.front().rows;
  MZ_ASSERT(first <= read_rows_ && read_rows_ <= end && keep_from <= end);
  MZ_ASSERT(first == read_rows_ || (!kept_.empty() && first == kept_.front().first_row));
  fresh_.clear();
  for (size_t i = 0; i < planes.size(); ++i) {
    if (first < read_rows_) copy_rows(kept_[i], planes[i].rows_of_page(first, read_rows_ - first));
    fresh_.push_back(planes[i].rows_of_page(read_rows_, end - read_rows_));
  }
  if (fresh_.front().rows > 0) reader_.read(fresh_, team);
  read_rows_ = end;
  kept_.clear();
  if (keep_from < end) keep(planes, keep_from);
}

void RangeReader::keep(const std::vector<MutableSampleBand>& planes, uint32_t first) {
  const uint32_t rows = read_rows_ - first;
  if (rows > kept_room_) {
    kept_buffer_ = ContoneBuffer(info_, rows);
    kept_room_ = rows;
  }
  kept_ = kept_buffer_.rows(first, rows);
  for (size_t i = 0; i < planes.size(); ++i)
    copy_rows(planes[i].rows_of_page(first, rows), kept_[i]);
}

}  // namespace mezzo
