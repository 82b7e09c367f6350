#include "stages/band/bit_reader.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/error.h"
#include "kernels/prepress/overlay.h"

namespace mezzo {
namespace {

constexpr uint8_t kMostSample = 255;  // of bilevel pages

uint32_t rows_at_a_time(const PageInfo& info, const tiff::PageReader& reader) {
  constexpr uint32_t kEnough = 32;
  const uint32_t quantum = reader.row_quantum();
  return std::min((kEnough + quantum - 1) / quantum * quantum, info.height_px);
}

void clear(const BitBand& bits) {
  for (uint32_t i = 0; i < bits.rows; ++i) {
    std::memset(bits.row(i), 0, bit_row_bytes(bits.width_px));
  }
}

/// Columns of the page that lie in the frame.
uint32_t width_in(const PageInfo& info, const BitReader::Frame& frame) {
  const int64_t begin = std::max<int64_t>(frame.column, 0);
  const int64_t end = std::min<int64_t>(frame.column + info.width_px, frame.width_px);
  MZ_ASSERT(begin < end);
  return static_cast<uint32_t>(end - begin);
}

}  // namespace

bool is_bilevel(const PageInfo& info) {
  // Palettes are read with 16 bits; colours, mixed to grey, have more than two values.
  return info.format.starts_with("1-bit") && info.max_sample == kMostSample && !info.becomes_grey;
}

BitReader::BitReader(const PageInfo& info, tiff::PageReader& reader, const BitReader::Frame& frame)
    : info_(info),
      reader_(reader),
      frame_(frame),
      left_px_(static_cast<uint32_t>(std::max<int64_t>(-frame.column, 0))),
      width_px_(width_in(info, frame)),
      ink_(info.polarity == Polarity::kMaxIsInk ? kMostSample : 0),
      rows_at_a_time_(rows_at_a_time(info, reader)),
      buffer_(info, rows_at_a_time_),
      padded_(frame.column > 0 ? frame.width_px : 0, static_cast<uint8_t>(kMostSample - ink_)) {
  MZ_ASSERT(is_bilevel(info) && info.inks.size() == 1);
}

void BitReader::read(const BitBand& bits, Team& team) {
  MZ_ASSERT(bits.width_px == frame_.width_px);
  const bool is_covered = width_px_ == frame_.width_px && frame_.row <= 0 &&
                          frame_.row + info_.height_px >= frame_.height_px;
  if (!is_covered) clear(bits);
  for (uint32_t done = 0; done < bits.rows;) {
    const int64_t row = int64_t{bits.first_row} + done - frame_.row;  // of the page
    if (row >= info_.height_px) return;
    if (row < 0) {
      ++done;
      continue;
    }
    const uint32_t end = held_.first_row + held_.rows;
    if (row >= end) {
      read_more(team);
      continue;
    }
    MZ_ASSERT(row >= held_.first_row);
    const auto first = static_cast<uint32_t>(row);
    const uint32_t rows = std::min(bits.rows - done, end - first);
    pack(held_.slice(first - held_.first_row, rows), bits.slice(done, rows));
    done += rows;
  }
}

uint64_t BitReader::cut_ink_px(Team& team) {
  while (held_.first_row + held_.rows < info_.height_px) read_more(team);
  return cut_ink_px_;
}

void BitReader::read_more(Team& team) {
  const uint32_t first = held_.first_row + held_.rows;
  const auto planes = buffer_.rows(first, std::min(rows_at_a_time_, info_.height_px - first));
  reader_.read(planes, team);
  held_ = planes.front();
  count_cut(held_);
}

void BitReader::count_cut(const SampleBand& rows) {
  const uint32_t right = left_px_ + width_px_;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    const int64_t y = frame_.row + rows.first_row + i;
    const bool is_inside = y >= 0 && y < frame_.height_px;
    if (is_inside && width_px_ == info_.width_px) continue;
    const uint8_t* row = rows.row8(i);
    const auto count = [&](uint32_t begin, uint32_t end) {
      cut_ink_px_ += static_cast<uint64_t>(std::count(row + begin, row + end, ink_));
    };
    count(0, is_inside ? left_px_ : info_.width_px);
    if (is_inside) count(right, info_.width_px);
  }
}

void BitReader::pack(const SampleBand& rows, const BitBand& bits) {
  SampleBand samples = rows;
  BitBand part = bits;
  if (frame_.column <= 0) {
    samples.data += left_px_;
    samples.width_px = part.width_px = width_px_;
    return prepress::pack_bits(samples, ink_, part);
  }
  for (uint32_t i = 0; i < rows.rows; ++i) {
    std::memcpy(padded_.data() + frame_.column, rows.row(i), width_px_);
    samples = rows.slice(i, 1);
    samples.data = reinterpret_cast<const std::byte*>(padded_.data());
    samples.width_px = frame_.width_px;
    prepress::pack_bits(samples, ink_, bits.slice(i, 1));
  }
}

uint64_t BitReader::working_bytes(const PageInfo& info,
                                  const tiff::PageReader& reader,
                                  const BitReader::Frame& frame,
                                  uint32_t members) {
  const uint32_t rows = rows_at_a_time(info, reader);
  const uint64_t padded = frame.column > 0 ? frame.width_px : 0;
  return uint64_t{info.width_px} * rows + padded + reader.working_bytes(rows, members);
}

}  // namespace mezzo
