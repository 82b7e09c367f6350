#include "stages/tiff/read/stored_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "kernels/base/error.h"

namespace mezzo::tiff {

std::unique_ptr<Handle> open_handle(const files::InputFile& file) {
  // m: no mapping; O: strip arrays are loaded piecewise; c: strips as they are; h: header only.
  auto handle = std::make_unique<Handle>(file, file.path(), "rmOch", kMaxTagBytes);
  if (handle->get() == nullptr) {
    handle->fail(ErrorKind::kData, file.path(), "expected a TIFF header");
  }
  return handle;
}

std::unique_ptr<Handle> open_decoder(const files::InputFile& file,
                                     const PageLayout& layout,
                                     const PagePlace& place) {
  auto handle = open_handle(file);
  if (!handle->select_directory(layout.directory)) {
    handle->fail(ErrorKind::kData, place.text(), "the tags cannot be read again");
  }
  prepare_decoder(*handle, layout);
  return handle;
}

void prepare_decoder(Handle& handle, const PageLayout& layout) {
  if (layout.jpeg_ycbcr) {
    TIFFSetField(handle.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  // What libtiff said of tags does not count, as they were read without it: from here on messages are
  // about pixels.
  handle.messages().clear();
}

bool decoded_well(Handle& handle) {
  constexpr std::string_view kHarmless[] = {
      "LZWPreDecode: Old-style LZW codes, convert file",
      "JPEGPreDecode: JPEG strip size exceeds expected dimensions, expected ",
  };
  if (handle.is_silent()) return true;
  const Messages& messages = handle.messages();
  const std::string said = messages.summary();
  const bool is_harmless =
      messages.errors() == 0 && messages.warnings() == 1 &&
      std::ranges::any_of(kHarmless, [&](std::string_view text) { return said.starts_with(text); });
  if (is_harmless) handle.messages().clear();
  return handle.is_silent();
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
