#include "stages/proof/plate_rows.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/error.h"

namespace mezzo::proof {
namespace {

tiff::PlatePage page_of(const tiff::PlateReader& reader, const PlatePageFile& plate) {
  if (plate.page < reader.page_count()) return reader.page(plate.page).page;
  throw Error(ErrorKind::kData,
              plate.path + ": the plate has " + std::to_string(reader.page_count()) +
                  " pages, and page " + std::to_string(plate.page + 1) + " was asked for");
}

}  // namespace

PlateRows::PlateRows(const PlatePageFile& plate, files::FileSystem& files)
    : plate_(plate), reader_(plate.path, files), page_(page_of(reader_, plate)) {}

BitBand PlateRows::rows(uint32_t first, uint32_t count) {
  MZ_ASSERT(first >= first_held_ && first + count <= page_.height_px);
  const size_t row_bytes = tiff::row_bytes_of(page_);
  const uint32_t gone = std::min(first, end_held_) - first_held_;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone * row_bytes));
  first_held_ += gone;
  if (first + count > end_held_) read_strips(first + count);
  return {held_.data() + (first - first_held_) * row_bytes,
          page_.width_px,
          count,
          row_bytes,
          first,
          page_.bits_per_px};
}

/// Holds the rows up to `until_row`, and the rest of its strip.
void PlateRows::read_strips(uint32_t until_row) {
  const size_t row_bytes = tiff::row_bytes_of(page_);
  const uint32_t first_strip = end_held_ / page_.rows_per_strip;
  const uint32_t end_strip = (until_row + page_.rows_per_strip - 1) / page_.rows_per_strip;
  const uint32_t end_row = std::min(end_strip * page_.rows_per_strip, page_.height_px);
  held_.resize((end_row - first_held_) * row_bytes);
  const BitBand fresh{held_.data() + (end_held_ - first_held_) * row_bytes,
                      page_.width_px,
                      end_row - end_held_,
                      row_bytes,
                      end_held_,
                      page_.bits_per_px};
  const uint32_t at_once = tiff::strips_at_once(page_);
  for (uint32_t strip = first_strip; strip < end_strip; strip += at_once) {
    const uint32_t count = std::min(at_once, end_strip - strip);
    const uint32_t begin = strip * page_.rows_per_strip;
    const uint32_t end = std::min((strip + count) * page_.rows_per_strip, page_.height_px);
    reader_.read_strips(
        plate_.page, strip, count, fresh.slice(begin - fresh.first_row, end - begin));
  }
  prepress::finish_rows(fresh, plate_.finish);
  end_held_ = end_row;
}

}  // namespace mezzo::proof
