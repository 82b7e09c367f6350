// Strips through libtiff in memory: the oracle of the codecs.
#pragma once

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/band/bands.h"
#include "tests/support/memory_tiff.h"

namespace mezzo::test {

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
