#include "stages/tiff/read/raw.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "stages/tiff/read/bit_order.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/pool.h"
#include "stages/tiff/read/samples.h"

namespace mezzo::tiff {
namespace {

// A piece of work is about this much of the file: long enough for one read to be worth its call.
constexpr size_t kPlainChunk = size_t{1} << 20;
// Rows that need converting pass through a buffer that stays in the second-level cache.
constexpr size_t kConvertedChunk = size_t{256} << 10;

constexpr uint32_t kMaxBuffers = 256;

class RawRows final : public StoredRows {
 public:
  RawRows(StoredPage page, uint64_t memory_bytes);

  uint32_t row_quantum() const override { return 1; }
  bool reads_backwards() const override { return true; }
  size_t working_bytes(uint32_t members) const override;
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

 private:
  struct Buffers {
    std::vector<std::byte> stored;
    RowConverter::Scratch scratch;
  };

  uint32_t rows_a_chunk() const;
  size_t table_bytes() const { return size_t{layout_.block_count()} * sizeof(uint64_t); }
  size_t buffer_bytes() const;
  void fetch_rows(
      uint32_t sample, uint32_t first_row, uint32_t rows, std::byte* to, size_t stride) const;
  void read_converted(Buffers& buffers, std::span<const MutableSampleBand> planes) const;

  const files::InputFile& file_;
  const PagePlace place_;
  const PageLayout layout_;
  const RowConverter converter_;
  std::vector<uint64_t> offsets_;  // of each strip
  Pool<Buffers> pool_;
};

RawRows::RawRows(StoredPage page, uint64_t memory_bytes)
    : file_(page.file),
      place_(page.place),
      layout_(page.layout),
      converter_(layout_),
      pool_(static_cast<uint32_t>(std::clamp<uint64_t>(
                (memory_bytes - std::min<uint64_t>(memory_bytes, table_bytes())) / buffer_bytes(),
                1,
                kMaxBuffers)),
            [] { return std::make_unique<Buffers>(); }) {
  offsets_.reserve(layout_.block_count());
  for (uint32_t i = 0; i < layout_.block_count(); ++i) {
    offsets_.push_back(TIFFGetStrileOffset(page.handle->get(), i));
  }
}

uint32_t RawRows::rows_a_chunk() const {
  const size_t chunk = layout_.is_plain() ? kPlainChunk : kConvertedChunk;
  const size_t row_bytes = layout_.block_row_bytes() *
                           (layout_.separate && !layout_.is_plain() ? layout_.used_samples() : 1);
  return static_cast<uint32_t>(std::max<size_t>(1, chunk / row_bytes));
}

size_t RawRows::buffer_bytes() const {
  if (layout_.is_plain()) return sizeof(Buffers);
  return sizeof(Buffers) + converter_.scratch_bytes() +
         layout_.block_row_bytes() * rows_a_chunk() *
             (layout_.separate ? layout_.used_samples() : 1);
}

size_t RawRows::working_bytes(uint32_t members) const {
  return table_bytes() + buffer_bytes() * std::min(members, pool_.most());
}

/// Rows of one sample (or of all, when contiguous) as in the file, in our byte order. Strips that
/// follow each other in the file are read as one.
void RawRows::fetch_rows(
    uint32_t sample, uint32_t first_row, uint32_t rows, std::byte* to, size_t stride) const {
  const size_t row_bytes = layout_.block_row_bytes();
  const uint32_t base = layout_.separate ? sample * layout_.blocks_per_sample() : 0;
  const auto offset_of = [&](uint32_t row) {
    return offsets_[base + row / layout_.block_rows] +
           uint64_t{row % layout_.block_rows} * row_bytes;
  };
  const uint32_t end = first_row + rows;
  for (uint32_t row = first_row; row < end;) {
    const uint64_t offset = offset_of(row);
    uint32_t stop = row;
    do {
      stop += std::min(end - stop, layout_.block_rows - stop % layout_.block_rows);
    } while (stop < end && offset_of(stop) == offset + uint64_t{stop - row} * row_bytes);
    try {
      file_.read_rows(offset, to + (row - first_row) * stride, row_bytes, stride, stop - row);
    } catch (const Error& error) {
      const std::string strip = block_name(layout_, base + row / layout_.block_rows);
      throw error.at(place_.text() + ", " + strip + ": ");
    }
    row = stop;
  }
  if (!layout_.reversed_bits && !(layout_.bits == 16 && layout_.other_byte_order)) return;
  for (uint32_t i = 0; i < rows; ++i) {
    if (layout_.reversed_bits) reverse_bits(to + i * stride, row_bytes);
    if (layout_.bits == 16 && layout_.other_byte_order) swap_bytes(to + i * stride, row_bytes / 2);
  }
}

void RawRows::read_converted(Buffers& buffers, std::span<const MutableSampleBand> planes) const {
  const size_t row_bytes = layout_.block_row_bytes();
  const uint32_t rows = planes[0].rows;
  const uint32_t sources = layout_.separate ? layout_.used_samples() : 1;
  buffers.stored.resize(std::max(buffers.stored.size(), row_bytes * rows * sources));
  for (uint32_t s = 0; s < sources; ++s) {
    fetch_rows(
        s, planes[0].first_row, rows, buffers.stored.data() + row_bytes * rows * s, row_bytes);
  }
  std::vector<const std::byte*> stored(sources);
  std::vector<std::byte*> out(planes.size());
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t s = 0; s < sources; ++s) {
      stored[s] = buffers.stored.data() + row_bytes * (size_t{rows} * s + row);
    }
    for (size_t p = 0; p < planes.size(); ++p) out[p] = planes[p].row(row);
    converter_.convert(stored, layout_.width_px, out, buffers.scratch);
  }
}

void RawRows::read(std::span<const MutableSampleBand> planes, Team& team) {
  const uint32_t first = planes[0].first_row;
  const uint32_t rows = planes[0].rows;
  const uint32_t chunk = rows_a_chunk();
  const uint32_t chunks = (rows + chunk - 1) / chunk;
  const auto rows_in_chunk = [&](uint32_t c) { return std::min(chunk, rows - c * chunk); };
  if (!layout_.is_plain()) {
    for_each_with(team, chunks, pool_, [&](Buffers& buffers, uint32_t c) {
      read_converted(buffers, rows_of(planes, first + c * chunk, rows_in_chunk(c)));
    });
    return;
  }
  const auto count = static_cast<uint32_t>(chunks * planes.size());
  for_each_with(team, count, pool_, [&](Buffers&, uint32_t item) {
    const uint32_t c = item % chunks;
    const MutableSampleBand& plane = planes[item / chunks];
    fetch_rows(item / chunks,
               first + c * chunk,
               rows_in_chunk(c),
               plane.row(c * chunk),
               plane.stride_bytes);
  });
}

}  // namespace

std::unique_ptr<StoredRows> make_raw_rows(StoredPage page, uint64_t memory_bytes) {
  return std::make_unique<RawRows>(std::move(page), memory_bytes);
}

}  // namespace mezzo::tiff
