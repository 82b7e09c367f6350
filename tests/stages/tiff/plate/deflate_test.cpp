#include "stages/tiff/plate/deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "kernels/codec/deflate_huffman.h"
#include "tests/kernels/codec/strips.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::deflate_test {
namespace {

std::vector<std::byte> deflate(const Strip& strip) {
  return tiff::deflate_strip(strip.bytes, strip.row_bytes);
}

BitBand band_of(Strip& strip, uint32_t bits_per_px) {
  return {strip.bytes.data(),
          static_cast<uint32_t>(8 * strip.row_bytes / bits_per_px),
          static_cast<uint32_t>(strip.bytes.size() / strip.row_bytes),
          strip.row_bytes,
          0,
          bits_per_px};
}

/// As libtiff makes it of one strip.
std::vector<std::byte> by_libtiff(Strip& strip) {
  MemoryTiff file;
  const BitBand rows = band_of(strip, 1);
  TIFF* tiff = file.open("wm");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, rows.width_px);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows.rows);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows.rows);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1);
  const auto bytes = static_cast<tmsize_t>(strip.bytes.size());
  EXPECT_EQ(TIFFWriteEncodedStrip(tiff, 0, strip.bytes.data(), bytes), bytes);
  TIFFClose(tiff);
  tiff = file.open("rm");
  std::vector<std::byte> coded(TIFFGetStrileByteCount(tiff, 0));
  const auto coded_bytes = static_cast<tmsize_t>(coded.size());
  EXPECT_EQ(TIFFReadRawStrip(tiff, 0, coded.data(), coded_bytes), coded_bytes);
  TIFFClose(tiff);
  return coded;
}

TEST(DeflateStrip, HasNoSearchForDiffusedDotsAndBlankPaper) {
  Strip blank{"blank", std::vector<uint8_t>(65'536), 512};
  for (Strip strip : {diffused_strip(512, 128), diffused_strip(319, 200, 40), blank}) {
    const std::vector<std::byte> found = deflate(strip);
    const auto sum = ::adler32(1, strip.bytes.data(), static_cast<uInt>(strip.bytes.size()));
    EXPECT_EQ(found,
              codec::deflate_huffman(strip.bytes, strip.row_bytes, static_cast<uint32_t>(sum)))
        << strip.name;
    EXPECT_LT(found.size(), by_libtiff(strip).size() + strip.bytes.size() / 20) << strip.name;
  }
}

TEST(DeflateStrip, IsLibtiffsForScreensAndSmallStrips) {
  Strip small = diffused_strip(100, 40);
  for (Strip strip : {screened_strip(512, 128), screened_strip(8200, 8), small}) {
    EXPECT_EQ(deflate(strip), by_libtiff(strip)) << strip.name;
  }
}

TEST(DeflateStrip, IsReadByLibtiffWithAnyBitsAPixel) {
  const TempFolder folder;
  for (Strip& strip : any_strips()) {
    for (const uint32_t bits : {1U, 2U, 4U}) {
      const BitBand band = band_of(strip, bits);
      tiff::PlatePage page = page_of(band, band.rows);
      page.bits_per_px = bits;
      write_plate(folder / "a.tif", page, band, tiff::Compression::kDeflate);
      ASSERT_EQ(tiff::read_plate(folder / "a.tif").bits, strip.bytes) << strip.name;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::deflate_test
