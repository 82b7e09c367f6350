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

}  // namespace

bool is_bilevel(const PageInfo& info) {
  // Palettes are read with 16 bits; colours, mixed to grey, have more than two values.
  return info.format.starts_with("1-bit") && info.max_sample == kMostSample && !info.becomes_grey;
}

BitReader::BitReader(const PageInfo& info, tiff::PageReader& reader)
    : info_(info),
      reader_(reader),
      rows_at_a_time_(rows_at_a_time(info, reader)),
      buffer_(info, rows_at_a_time_) {
  MZ_ASSERT(is_bilevel(info) && info.inks.size() == 1);
}

void BitReader::read(const BitBand& bits, Team& team) {
  const uint32_t width = std::min(bits.width_px, info_.width_px);
  if (width < bits.width_px || bits.first_row + bits.rows > info_.height_px) clear(bits);
  for (uint32_t done = 0; done < bits.rows;) {
    const uint32_t row = bits.first_row + done;
    if (row >= info_.height_px) return;
    const uint32_t end = held_.first_row + held_.rows;
    if (row == end) {
      const auto planes = buffer_.rows(row, std::min(rows_at_a_time_, info_.height_px - row));
      reader_.read(planes, team);
      held_ = planes.front();
      continue;
    }
    MZ_ASSERT(row >= held_.first_row && row < end);
    const uint32_t rows = std::min(bits.rows - done, end - row);
    SampleBand samples = held_.slice(row - held_.first_row, rows);
    BitBand part = bits.slice(done, rows);
    samples.width_px = part.width_px = width;
    prepress::pack_bits(samples, info_.polarity == Polarity::kMaxIsInk ? kMostSample : 0, part);
    done += rows;
  }
}

uint64_t BitReader::working_bytes(const PageInfo& info,
                                  const tiff::PageReader& reader,
                                  uint32_t members) {
  const uint32_t rows = rows_at_a_time(info, reader);
  return uint64_t{info.width_px} * rows + reader.working_bytes(rows, members);
}

}  // namespace mezzo
