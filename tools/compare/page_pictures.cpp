#include "tools/compare/page_pictures.h"

#include <algorithm>

#include "stages/band/contone_buffer.h"

namespace mezzo::compare {
namespace {

constexpr uint64_t kReaderBytes = 1ULL << 30;  // matters only for pages that lie on their side
constexpr size_t kBandBytes = 8 << 20;         // of all planes together

/// Coverage as 255ths, rounded; of every value that a sample of this width can have.
std::vector<uint8_t> coverage_table(const PageInfo& info) {
  const uint32_t max = info.max_sample;
  std::vector<uint8_t> table;
  for (uint32_t value = 0; value < 1U << (8 * info.bytes_per_sample); ++value) {
    const uint32_t sample = std::min(value, max);
    const uint32_t ink = info.polarity == Polarity::kMaxIsInk ? sample : max - sample;
    table.push_back(static_cast<uint8_t>((510 * ink + max) / (2 * max)));
  }
  return table;
}

/// Rows of a band: as many as go into kBandBytes, in whole quanta.
uint32_t band_rows(const PageInfo& info, uint32_t quantum) {
  const size_t row_bytes = size_t{info.width_px} * info.bytes_per_sample * info.inks.size();
  const auto fit = static_cast<uint32_t>(std::clamp<size_t>(kBandBytes / row_bytes, 1, 1024));
  return std::min(std::max(fit / quantum, 1U) * quantum, info.height_px);
}

}  // namespace

PageImages read_page_images(const tiff::TiffFile& file,
                            uint32_t page_index,
                            uint32_t plane,
                            Team& team) {
  const PageInfo& info = file.page(page_index);
  const auto reader = file.open_page(page_index, kReaderBytes);
  const uint32_t rows = band_rows(info, reader->row_quantum());
  const std::vector<uint8_t> table = coverage_table(info);
  const auto look_up = [&table](auto sample) { return table[sample]; };
  ContoneBuffer buffer(info, rows);
  std::vector<uint8_t> row(info.width_px);
  PageImages images(info.width_px, info.height_px);
  for (uint32_t first = 0; first < info.height_px; first += rows) {
    const std::vector<MutableSampleBand> bands =
        buffer.rows(first, std::min(rows, info.height_px - first));
    reader->read(bands, team);
    const SampleBand& band = bands[plane];
    for (uint32_t i = 0; i < band.rows; ++i) {
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

}  // namespace mezzo::compare
