#include "tools/page_pictures.h"

#include <algorithm>

namespace mezzo {
namespace {

constexpr uint64_t kReaderBytes = 256ULL << 20;  // matters only for pages that lie on their side
constexpr size_t kBandBytes = 8 << 20;           // of all planes together

/// Coverage as 255ths, rounded.
std::vector<uint8_t> coverage_table(const PageInfo& info) {
  std::vector<uint8_t> table;
  for (uint32_t sample = 0; sample <= info.max_sample; ++sample) {
    const uint32_t ink = info.polarity == Polarity::kMaxIsInk ? sample : info.max_sample - sample;
    table.push_back(static_cast<uint8_t>((510 * ink + info.max_sample) / (2 * info.max_sample)));
  }
  return table;
}

/// Rows of a band: as many as go into kBandBytes, in whole quanta.
uint32_t band_rows(const PageInfo& info, uint32_t quantum) {
  const size_t row_bytes = size_t{info.width_px} * info.bytes_per_sample * info.inks.size();
  const auto quanta = static_cast<uint32_t>(kBandBytes / row_bytes / quantum);
  return std::min(std::max(quanta, 1U) * quantum, info.height_px);
}

}  // namespace

PageImages read_page_images(const TiffFile& file, uint32_t page_index, uint32_t plane, Team& team) {
  const PageInfo& info = file.page(page_index);
  const auto reader = file.open_page(page_index, kReaderBytes);
  const uint32_t rows = band_rows(info, reader->row_quantum());
  const size_t stride = size_t{info.width_px} * info.bytes_per_sample;
  std::vector<std::byte> samples(stride * rows * info.inks.size());
  std::vector<SampleBand> bands;
  for (uint32_t i = 0; i < info.inks.size(); ++i) {
    bands.push_back({samples.data() + i * stride * rows,
                     info.width_px,
                     rows,
                     stride,
                     0,
                     info.bytes_per_sample,
                     i});
  }
  const std::vector<uint8_t> table = coverage_table(info);
  std::vector<uint8_t> row(info.width_px);
  PageImages images(info.width_px, info.height_px);
  for (uint32_t first = 0; first < info.height_px; first += rows) {
    for (SampleBand& band : bands) {
      band.first_row = first;
      band.rows = std::min(rows, info.height_px - first);
    }
    reader->read(bands, team);
    const SampleBand& band = bands[plane];
    for (uint32_t i = 0; i < band.rows; ++i) {
      const auto look_up = [&table](auto sample) { return table[sample]; };
      if (band.bytes_per_sample == 1) {
        std::transform(band.row8(i), band.row8(i) + info.width_px, row.begin(), look_up);
      } else {
        std::transform(band.row16(i), band.row16(i) + info.width_px, row.begin(), look_up);
      }
      images.add_row(std::span<const uint8_t>(row));
    }
  }
  return images;
}

}  // namespace mezzo
