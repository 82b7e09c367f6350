#include "stages/tiff/read/decode.h"

#include <algorithm>
#include <cstring>

namespace mezzo::tiff {
namespace {

// A compressed strip larger than this, decoded or handed out, is not held whole. What is handed out
// may be larger than what is decoded: 1-bit samples become bytes.
constexpr size_t kMaxDecodedStrip = size_t{4} << 20;
constexpr size_t kMaxHandedOutStrip = size_t{16} << 20;

}  // namespace

std::unique_ptr<TiffHandle> open_decoder(const files::InputFile& file,
                                         const PageLayout& layout,
                                         const PagePlace& place) {
  auto handle = std::make_unique<TiffHandle>(file, kMaxTagBytes);
  if (!handle->select_directory(layout.directory_offset)) {
    handle->fail(ErrorKind::kData, place.text(), "the tags cannot be read again");
  }
  prepare_decoder(*handle, layout);
  return handle;
}

void prepare_decoder(TiffHandle& handle, const PageLayout& layout) {
  if (layout.jpeg_ycbcr) {
    TIFFSetField(handle.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  // Warnings about tags were tolerated; whatever is said from here on is about pixels.
  handle.diagnostics().clear();
}

std::unique_ptr<StoredRows> make_stored_rows(StoredPage page, uint64_t memory_bytes) {
  const PageLayout& layout = page.layout;
  if (layout.tiled) return make_block_rows(std::move(page), memory_bytes);
  if (layout.compression == COMPRESSION_NONE) return make_raw_rows(std::move(page), memory_bytes);
  const bool is_large = layout.block_bytes() > kMaxDecodedStrip ||
                        layout.output_row_bytes() * layout.block_rows > kMaxHandedOutStrip;
  return is_large ? make_scanline_rows(std::move(page))
                  : make_block_rows(std::move(page), memory_bytes);
}

std::vector<MutableSampleBand> PlaneBuffer::shape(const PageLayout& layout,
                                                  uint32_t width_px,
                                                  uint32_t first_row,
                                                  uint32_t rows) {
  const size_t stride = size_t{width_px} * layout.bytes_per_sample;
  const size_t plane_bytes = stride * rows;
  if (bytes_.size() < plane_bytes * layout.planes) bytes_.resize(plane_bytes * layout.planes);
  std::vector<MutableSampleBand> planes;
  for (uint32_t i = 0; i < layout.planes; ++i) {
    planes.push_back({bytes_.data() + i * plane_bytes,
                      width_px,
                      rows,
                      stride,
                      first_row,
                      layout.bytes_per_sample});
  }
  return planes;
}

std::vector<MutableSampleBand> rows_of(std::span<const MutableSampleBand> planes,
                                       uint32_t first_row,
                                       uint32_t rows) {
  std::vector<MutableSampleBand> part;
  for (const MutableSampleBand& plane : planes) {
    part.push_back(plane.slice(first_row - plane.first_row, rows));
  }
  return part;
}

void copy_rows(std::span<const MutableSampleBand> from, std::span<const MutableSampleBand> to) {
  const uint32_t first = std::max(from[0].first_row, to[0].first_row);
  const uint32_t end = std::min(from[0].first_row + from[0].rows, to[0].first_row + to[0].rows);
  const size_t row_bytes = size_t{to[0].width_px} * to[0].bytes_per_sample;
  for (size_t p = 0; p < to.size(); ++p) {
    for (uint32_t row = first; row < end; ++row) {
      std::memcpy(
          to[p].row(row - to[p].first_row), from[p].row(row - from[p].first_row), row_bytes);
    }
  }
}

}  // namespace mezzo::tiff
