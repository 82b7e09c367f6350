#include "stages/tiff/plate/plate_reader.h"

#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstring>
#include <fstream>

#include "kernels/base/error.h"
#include "stages/tiff/tags.h"
#include "tests/stages/tiff/entry_of.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::plate_reader_test {
namespace {

// libtiff begins its messages with the name of the file.
TEST(PlateReader, ShowsNoControlCharacterInWordsOfLibtiff) {
  const TempFolder folder;
  folder.write("a\x1b[2J.tif", "no TIFF, and no plate either");
  try {
    tiff::PlateReader::open(folder / "a\x1b[2J.tif");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    const size_t words = text.find(" failed: ");
    ASSERT_NE(words, std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b', words), std::string::npos) << text;
  }
}

/// A proof or a comparison would go by the default of such a tag.
TEST(PlateReader, RefusesTagsThatCannotBeRead) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  Bits bits = Bits::diffused(400, 64);
  tiff::PlatePage page = page_of(bits.band(), 16);
  page.ink = "warm red";
  page.resolution = {300, 300};
  page.document_name = "a brochure of two pages";
  for (const uint32_t number : {256U, 262U, 269U, 273U, 277U, 278U, 279U, 282U, 283U, 296U, 333U}) {
    const auto tag = static_cast<uint16_t>(number);
    for (const bool is_count : {true, false}) {
      write_plate(path, page, bits.band(), tiff::Compression::kLzw);
      EXPECT_NO_THROW(tiff::read_plate(path));
      {
        EntryOf entry(path, tag);
        is_count ? entry.set_count(0) : entry.set_type(200);
      }
      try {
        tiff::read_plate(path);
        ADD_FAILURE() << "read without tag " << tag;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kData);
        const std::string text = error.what();
        // libtiff may be the first to find it, and does not name tables of strips.
        const bool is_table = tag == 273 || tag == 279;
        EXPECT_TRUE(is_table || text.find(tiff::tag_name(tag)) != std::string::npos) << text;
      }
    }
  }
}

/// libzstd takes the memory that the head of a frame asks for, and decodes formats of before 1.0.
TEST(PlateReader, RefusesFramesOfZstdThatItDoesNotWrite) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  Bits bits = Bits::diffused(400, 64);
  const auto refusal_with = [&](size_t at, const std::string& bytes) {
    write_plate(path, page_of(bits.band(), 64), bits.band(), tiff::Compression::kZstd);
    std::string file = content_of(path);
    const size_t frame = file.find("\x28\xB5\x2F\xFD");
    EXPECT_NE(frame, std::string::npos);
    folder.write("a.tif", file.replace(frame + at, bytes.size(), bytes));
    try {
      tiff::read_plate(path);
      return std::string("read");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal_with(4, ""), "read");
  EXPECT_NE(
      refusal_with(4, std::string("\0\x88", 2)).find("would take 128 MiB for its ZSTD window"),
      std::string::npos);
  for (const char version : {'\x22', '\x25', '\x26', '\x27'}) {
    EXPECT_NE(refusal_with(0, std::string(1, version)).find("is in the format of zstd 0."),
              std::string::npos);
  }
}

/// Compares strips [first, first + count) of the only page, read together, with the bits.
void expect_strips(tiff::PlateReader& reader, uint32_t first, uint32_t count, Bits& bits) {
  const tiff::PlatePage& page = reader.page(0).page;
  const uint32_t last = first + count - 1;
  const uint32_t begin = first * page.rows_per_strip;
  const uint32_t rows = last * page.rows_per_strip + tiff::strip_rows(page, last) - begin;
  std::vector<uint8_t> found(row_bytes_of(page) * rows, 0xA5);
  reader.read_strips(0, first, count, rows_of(page, found.data(), rows));
  const uint8_t* expected = bits.band().row(begin);
  EXPECT_EQ(std::memcmp(found.data(), expected, found.size()), 0) << first << " " << count;
}

TEST(PlateReader, ReadsStripsTogetherAsAlone) {
  const TempFolder folder;
  for (const tiff::Compression compression : real_compressions()) {
    SCOPED_TRACE(to_string(compression));
    for (Bits bits : {Bits::diffused(1003, 300), Bits::bars(1003, 300), Bits(1003, 300)}) {
      write_plate(folder / "a.tif", page_of(bits.band(), 16), bits.band(), compression);
      tiff::PlateReader reader(folder / "a.tif");
      expect_strips(reader, 0, 19, bits);
      expect_strips(reader, 3, 5, bits);
      expect_strips(reader, 18, 1, bits);
    }
  }
}

/// Zeros in the middle of a strip of a file.
void damage_strip(const std::string& path, uint32_t strip) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  const uint64_t at = TIFFGetStrileOffset(tiff, strip) + TIFFGetStrileByteCount(tiff, strip) / 2;
  TIFFClose(tiff);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.write("\0\0\0\0\0\0\0\0", 8);
}

// libtiff makes what it can of damaged fax, and only warns.
TEST(PlateReader, LeavesADamagedOneOfStripsReadTogetherToLibtiff) {
  const TempFolder folder;
  Bits bits = Bits::diffused(1003, 300);
  for (const tiff::Compression compression : {tiff::Compression::kG3, tiff::Compression::kG4}) {
    write_plate(folder / "a.tif", page_of(bits.band(), 16), bits.band(), compression);
    damage_strip(folder / "a.tif", 7);
    tiff::PlateReader reader(folder / "a.tif");
    expect_strips(reader, 0, 7, bits);
    expect_strips(reader, 8, 11, bits);
    const tiff::PlatePage& page = reader.page(0).page;
    std::vector<uint8_t> together(row_bytes_of(page) * 300), alone(row_bytes_of(page) * 16);
    reader.read_strips(0, 0, 19, rows_of(page, together.data(), 300));
    reader.read_strip(0, 7, rows_of(page, alone.data(), 16));
    const size_t begin = 7 * alone.size();
    EXPECT_EQ(std::memcmp(&together[begin], alone.data(), alone.size()), 0);
    EXPECT_NE(std::memcmp(&together[begin], &bits.bytes()[begin], alone.size()), 0);
    EXPECT_EQ(std::memcmp(together.data(), bits.bytes().data(), begin), 0);
  }
}

TEST(PlateReader, LeavesTwoDimensionalG3ToLibtiff) {
  const TempFolder folder;
  Bits bits = Bits::bars(512, 64);
  TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 512);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 64);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX3);
  TIFFSetField(tiff, TIFFTAG_GROUP3OPTIONS, GROUP3OPT_2DENCODING);
  for (uint32_t strip = 0; strip < 4; ++strip) {
    EXPECT_EQ(TIFFWriteEncodedStrip(tiff, strip, bits.band().row(16 * strip), 1024), 1024);
  }
  TIFFClose(tiff);
  tiff::PlateReader reader(folder / "a.tif");
  expect_strips(reader, 0, 4, bits);
}

}  // namespace
}  // namespace mezzo::test::plate_reader_test
