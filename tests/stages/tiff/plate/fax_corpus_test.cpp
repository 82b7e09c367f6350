// Bilevel pages of the corpus, coded by libtiff, against our decoder. MEZZOTINT_CORPUS names the folder.
#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kernels/codec/fax_decode.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::fax_corpus_test {
namespace {

constexpr uint32_t kRowsPerStrip = 64;

/// The rows of the first page of a file as one band in `bits`; none unless it is bilevel and readable.
BitBand bilevel_page(const std::string& path, std::vector<uint8_t>& bits) {
  BitBand rows;
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  if (tiff == nullptr) return rows;
  uint16_t depth = 1, samples = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &depth);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &rows.width_px);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &rows.rows);
  rows.stride_bytes = bit_row_bytes(rows.width_px);
  bool is_whole = depth == 1 && samples == 1 && TIFFIsTiled(tiff) == 0;
  if (is_whole) bits.assign(rows.stride_bytes * rows.rows, 0);
  rows.data = bits.data();
  for (uint32_t y = 0; is_whole && y < rows.rows; ++y) {
    is_whole = TIFFReadScanline(tiff, rows.row(y), y) == 1;
    const uint32_t padding = static_cast<uint32_t>(rows.stride_bytes * 8 - rows.width_px);
    uint8_t& last = rows.row(y)[rows.stride_bytes - 1];
    last = static_cast<uint8_t>(last & 0xFF << padding);
  }
  TIFFClose(tiff);
  return is_whole ? rows : BitBand{};
}

void expect_decoded(const BitBand& rows, codec::FaxCoding coding) {
  const uint16_t number =
      coding == codec::FaxCoding::kG3 ? COMPRESSION_CCITTFAX3 : COMPRESSION_CCITTFAX4;
  const std::vector<std::vector<uint8_t>> coded = libtiff_strips(rows, kRowsPerStrip, number);
  std::vector<uint8_t> found(rows.stride_bytes * rows.rows);
  const BitBand decoded{found.data(), rows.width_px, rows.rows, rows.stride_bytes};
  std::vector<codec::FaxStrip> strips(coded.size());
  for (uint32_t i = 0; i < strips.size(); ++i) {
    const uint32_t first = i * kRowsPerStrip;
    strips[i].coded = std::as_bytes(std::span(coded[i]));
    strips[i].rows = decoded.slice(first, std::min(kRowsPerStrip, rows.rows - first));
  }
  codec::decode_fax(strips, coding);
  for (const codec::FaxStrip& strip : strips) EXPECT_EQ(strip.right_rows, strip.rows.rows);
  EXPECT_EQ(std::memcmp(found.data(), rows.data, found.size()), 0);
}

TEST(FaxCorpus, DecodesBilevelPagesThatLibtiffCodes) {
  const char* corpus = std::getenv("MEZZOTINT_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "MEZZOTINT_CORPUS is not set";
  const auto warnings = TIFFSetWarningHandler(nullptr);
  const auto errors = TIFFSetErrorHandler(nullptr);
  uint32_t pages = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(corpus) / "good")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::vector<uint8_t> bits;
    const BitBand rows = bilevel_page(entry.path().string(), bits);
    if (rows.rows == 0) continue;
    ++pages;
    expect_decoded(rows, codec::FaxCoding::kG3);
    expect_decoded(rows, codec::FaxCoding::kG4);
  }
  TIFFSetWarningHandler(warnings);
  TIFFSetErrorHandler(errors);
  EXPECT_GT(pages, 0U);
  std::printf("%u bilevel pages\n", pages);
}

}  // namespace
}  // namespace mezzo::test::fax_corpus_test
