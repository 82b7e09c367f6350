#include "stages/tiff/read/scanlines.h"

#include <algorithm>
#include <optional>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/samples.h"
#include "stages/tiff/read/strip_stream.h"

namespace mezzo::tiff {
namespace {

class ScanlineRows final : public StoredRows {
 public:
  explicit ScanlineRows(StoredPage page);

  uint32_t row_quantum() const override { return 1; }
  bool reads_backwards() const override { return false; }
  size_t working_bytes(uint32_t members) const override;
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

 private:
  /// One sample of separate planes, or all samples.
  struct Source {
    std::unique_ptr<Handle> handle;
    std::unique_ptr<StripStream> stream;  // does the decoding, where it can
    std::optional<uint32_t> next_row;     // position of the handle
    std::vector<std::byte> row;
  };

  uint32_t sources() const { return layout_.separate ? layout_.used_samples() : 1; }
  void seek(uint32_t source, uint32_t row);
  void read_row(uint32_t source, uint32_t row, std::byte* to);
  std::string read_from_stream(Source& source, uint32_t strip, uint32_t row, std::byte* to) const;
  void read_plain(uint32_t plane, const MutableSampleBand& band);
  void read_converted(std::span<const MutableSampleBand> planes);

  const files::InputFile& file_;
  const PagePlace place_;
  const PageLayout layout_;
  const RowConverter converter_;
  const LargestBlock largest_;
  std::vector<Source> sources_;
  RowConverter::Scratch scratch_;
};

ScanlineRows::ScanlineRows(StoredPage page)
    : file_(page.file),
      place_(page.place),
      layout_(page.layout),
      converter_(layout_),
      largest_(page.largest),
      sources_(sources()) {
  sources_[0].handle = std::move(page.handle);
  prepare_decoder(*sources_[0].handle, layout_);
  for (Source& source : sources_) {
    source.row.resize(layout_.block_row_bytes());
    if (StripStream::decodes(layout_))
      source.stream = std::make_unique<StripStream>(file_, layout_);
  }
}

size_t ScanlineRows::working_bytes(uint32_t) const {
  // libtiff rounds the stored strip up, and may hold it twice while it grows its buffer.
  const size_t stored =
      StripStream::decodes(layout_) ? StripStream::kWorkingBytes : 2 * largest_.stored_bytes;
  const size_t one =
      handle_bytes(layout_) + stored + largest_.codec_bytes + layout_.block_row_bytes();
  return one * sources_.size() + converter_.scratch_bytes();
}

/// Brings a source to `row`: onwards when it lies ahead in the same strip, else from the top of its
/// strip.
void ScanlineRows::seek(uint32_t source, uint32_t row) {
  Source& s = sources_[source];
  const uint32_t top = row - row % layout_.block_rows;
  uint32_t at = s.next_row && *s.next_row >= top && *s.next_row <= row ? *s.next_row : top;
  for (; at < row; ++at) read_row(source, at, s.row.data());
}

void ScanlineRows::read_row(uint32_t source, uint32_t row, std::byte* to) {
  Source& s = sources_[source];
  if (!s.handle) s.handle = open_decoder(file_, layout_, place_);
  // The handle read its directory later than the layout was made: libtiff must not write more.
  if (TIFFScanlineSize64(s.handle->get()) > layout_.block_row_bytes()) {
    throw Error(ErrorKind::kData,
                place_.text() + ": the file changed while it was read",
                files::kWaitForWriter);
  }
  s.next_row.reset();
  const uint32_t strip = source * layout_.blocks_per_sample() + row / layout_.block_rows;
  if (s.stream) {
    const std::string wrong = read_from_stream(s, strip, row, to);
    if (!wrong.empty()) {
      throw damaged_page(place_.text() + ", " + block_name(layout_, strip) + ": the " +
                         std::string(compression_name(layout_.compression)) +
                         " data is damaged at row " + std::to_string(row) + ": " + wrong);
    }
    s.next_row = row + 1;
    return;
  }
  const int result = TIFFReadScanline(s.handle->get(), to, row, static_cast<uint16_t>(source));
  if (result != 1 || !decoded_well(*s.handle)) {
    const auto handle = std::move(s.handle);  // its state is unknown: the next read starts afresh
    handle->fail(ErrorKind::kData,
                 place_.text() + ", " + block_name(layout_, strip),
                 "the " + std::string(compression_name(layout_.compression)) +
                     " data is damaged at row " + std::to_string(row));
  }
  s.next_row = row + 1;
}

/// Returns the fault, or an empty text.
std::string ScanlineRows::read_from_stream(Source& source,
                                           uint32_t strip,
                                           uint32_t row,
                                           std::byte* to) const {
  const uint32_t row_in_strip = row % layout_.block_rows;
  const uint32_t rows = layout_.rows_in(row / layout_.block_rows);
  if (row_in_strip == 0) {
    const uint64_t offset = TIFFGetStrileOffset(source.handle->get(), strip);
    const uint64_t stored = TIFFGetStrileByteCount(source.handle->get(), strip);
    if (!source.handle->is_silent()) return source.handle->messages().summary();
    source.stream->begin(offset, stored);
  }
  std::string wrong = source.stream->read_row(to, layout_.block_row_bytes());
  if (!wrong.empty() || row_in_strip + 1 < rows) return wrong;
  return source.stream->finish(layout_.surplus_bytes(rows));
}

void ScanlineRows::read_plain(uint32_t plane, const MutableSampleBand& band) {
  seek(plane, band.first_row);
  for (uint32_t i = 0; i < band.rows; ++i) read_row(plane, band.first_row + i, band.row(i));
}

void ScanlineRows::read_converted(std::span<const MutableSampleBand> planes) {
  const uint32_t first = planes[0].first_row;
  for (uint32_t s = 0; s < sources(); ++s) seek(s, first);
  std::vector<const std::byte*> stored;
  for (const Source& source : sources_) stored.push_back(source.row.data());
  std::vector<std::byte*> out(planes.size());
  for (uint32_t i = 0; i < planes[0].rows; ++i) {
    for (uint32_t s = 0; s < sources(); ++s) read_row(s, first + i, sources_[s].row.data());
    for (size_t p = 0; p < planes.size(); ++p) out[p] = planes[p].row(i);
    converter_.convert(stored, layout_.width_px, out, scratch_);
  }
}

void ScanlineRows::read(std::span<const MutableSampleBand> planes, Team& team) {
  if (!layout_.is_plain()) return read_converted(planes);
  for_each_index(team, static_cast<uint32_t>(planes.size()), [&](uint32_t plane) {
    read_plain(plane, planes[plane]);
  });
}

}  // namespace

std::unique_ptr<StoredRows> make_scanline_rows(StoredPage page) {
  return std::make_unique<ScanlineRows>(std::move(page));
}

}  // namespace mezzo::tiff
