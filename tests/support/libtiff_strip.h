// Strips through libtiff in memory: the oracle of the codecs.
#pragma once

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/band/bands.h"

namespace mezzo::test {

/// A file in memory, as TIFFClientOpen() wants it.
class MemoryTiff {
 public:
  MemoryTiff() = default;
  MemoryTiff(const MemoryTiff&) = delete;
  MemoryTiff& operator=(const MemoryTiff&) = delete;

  TIFF* open(const char* mode) {
    at_ = 0;
    return TIFFClientOpen("memory", mode, this, read, write, seek, close, size, nullptr, nullptr);
  }

 private:
  static MemoryTiff& of(thandle_t handle) { return *static_cast<MemoryTiff*>(handle); }
  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    MemoryTiff& file = of(handle);
    const size_t left = file.bytes_.size() - std::min(file.at_, file.bytes_.size());
    const size_t n = std::min(static_cast<size_t>(count), left);
    if (n > 0) std::memcpy(to, file.bytes_.data() + file.at_, n);
    file.at_ += n;
    return static_cast<tmsize_t>(n);
  }
  static tmsize_t write(thandle_t handle, void* from, tmsize_t count) {
    MemoryTiff& file = of(handle);
    const size_t end = file.at_ + static_cast<size_t>(count);
    if (end > file.bytes_.size()) file.bytes_.resize(end);
    std::memcpy(file.bytes_.data() + file.at_, from, static_cast<size_t>(count));
    file.at_ = end;
    return count;
  }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    MemoryTiff& file = of(handle);
    const size_t from = whence == SEEK_CUR ? file.at_ : whence == SEEK_END ? file.bytes_.size() : 0;
    file.at_ = from + static_cast<size_t>(offset);
    return file.at_;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t handle) { return of(handle).bytes_.size(); }

  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
};

/// Writes rows as strips of `rows_per_strip` rows of a TIFF; `compression` is libtiff's number.
inline TIFF* write_strips(MemoryTiff& file,
                          const BitBand& rows,
                          uint32_t rows_per_strip,
                          uint16_t compression) {
  TIFF* tiff = file.open("wm");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, rows.width_px);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows.rows);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows_per_strip);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  std::vector<uint8_t> packed;
  for (uint32_t row = 0; row < rows.rows; row += rows_per_strip) {
    const uint32_t count = std::min(rows_per_strip, rows.rows - row);
    packed.resize(row_bytes * count);
    for (uint32_t i = 0; i < count; ++i) {
      std::memcpy(&packed[i * row_bytes], rows.row(row + i), row_bytes);
    }
    const auto bytes = static_cast<tmsize_t>(packed.size());
    EXPECT_EQ(TIFFWriteEncodedStrip(tiff, row / rows_per_strip, packed.data(), bytes), bytes);
  }
  return tiff;
}

/// The strips that libtiff makes of rows, of `rows_per_strip` rows each.
inline std::vector<std::vector<uint8_t>> libtiff_strips(const BitBand& rows,
                                                        uint32_t rows_per_strip,
                                                        uint16_t compression) {
  MemoryTiff file;
  TIFFClose(write_strips(file, rows, rows_per_strip, compression));
  TIFF* tiff = file.open("rm");
  std::vector<std::vector<uint8_t>> strips(TIFFNumberOfStrips(tiff));
  for (uint32_t i = 0; i < strips.size(); ++i) {
    strips[i].resize(TIFFGetStrileByteCount(tiff, i));
    const auto bytes = static_cast<tmsize_t>(strips[i].size());
    EXPECT_EQ(TIFFReadRawStrip(tiff, i, strips[i].data(), bytes), bytes);
  }
  TIFFClose(tiff);
  return strips;
}

/// All rows as one strip.
inline std::vector<uint8_t> libtiff_strip(const BitBand& rows, uint16_t compression) {
  return libtiff_strips(rows, rows.rows, compression).front();
}

}  // namespace mezzo::test
