// Heads of coded strips that ask a decoder for memory, or whose colours are not what the tags say: each
// is planned with, or refused by name.
#include "stages/tiff/read/codec_memory.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::codec_memory_test {
namespace {

using namespace std::string_literals;

/// What a page of one such strip, 61 x 47 pixels of 8 bits, is refused for; empty when it is taken.
std::string refusal_of(const std::string& strip, const RawTags& tags) {
  RawTags all = {{256, {61}}, {257, {47}}, {277, {1}}, {278, {47}}};
  for (const auto& [tag, values] : tags) all[tag] = values;
  all[258] = std::vector<uint32_t>(all[277][0], 8);
  const TempFolder folder;
  make_raw_tiff(all, {strip}).save(folder / "page.tif");
  try {
    (void)tiff::TiffFile::open(folder / "page.tif")->page(0);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string zstd_refusal(const std::string& strip, const RawTags& tags = {}) {
  RawTags all = {{259, {COMPRESSION_ZSTD}}, {262, {1}}};
  for (const auto& [tag, values] : tags) all[tag] = values;
  return refusal_of(strip, all);
}

/// The bytes that one member of a team needs for a strip that asks for a window.
uint64_t bytes_with_window(uint32_t descriptor, const std::string& rest, uint32_t fill_order = 1) {
  std::string strip = "\x28\xB5\x2F\xFD"s + static_cast<char>(descriptor) + rest;
  if (fill_order == 2) TIFFReverseBits(reinterpret_cast<uint8_t*>(strip.data()), strip.size());
  const RawTags tags = {{256, {61}},
                        {257, {47}},
                        {258, {8}},
                        {259, {COMPRESSION_ZSTD}},
                        {262, {1}},
                        {266, {fill_order}},
                        {277, {1}},
                        {278, {47}}};
  const TempFolder folder;
  make_raw_tiff(tags, {strip}).save(folder / "page.tif");
  const auto file = tiff::TiffFile::open(folder / "page.tif");
  return file->open_page(0, kPlentyOfMemory)->working_bytes(16, 1);
}

TEST(CodecMemory, CountsTheWindowOfZstd) {
  const uint64_t none = bytes_with_window(0x20, "\x40"s);  // a segment of 64 bytes
  EXPECT_LT(none, 4U << 20);
  const auto window = [&](uint32_t descriptor, const std::string& rest) {
    return bytes_with_window(descriptor, rest) >> 20;
  };
  EXPECT_GE(window(0, "\x88"s), 128U);                   // 2^27
  EXPECT_GE(window(0, "\x6B"s), 11U);                    // 2^23 and 3/8 of it
  EXPECT_GE(window(0xA0, "\0\0\0\x04"s), 64U);           // a segment of 64 MiB
  EXPECT_GE(window(0xE0, "\0\0\0\0\x01\0\0\0"s), 128U);  // of 4 GiB: no more than is decoded
  EXPECT_LT(bytes_with_window(0x80, "\x88\0\x04\0\0"s), none + 4096);  // of 1024 bytes, in 2^27
  EXPECT_GE(bytes_with_window(0x80, "\x88\0\0\x40\0"s), none + (4U << 20) - 64);
}

TEST(CodecMemory, ReadsTheBitsThatTheDecoderIsGiven) {
  EXPECT_EQ(bytes_with_window(0, "\x88"s, 2), bytes_with_window(0, "\x88"s));
}

TEST(CodecMemory, RefusesAllThatIsNoFrameOfZstd) {
  const std::string rest(60, '\0');
  for (const auto& [number, version] : {std::pair{'\x1E', '1'},
                                        std::pair{'\x22', '2'},
                                        std::pair{'\x23', '3'},
                                        std::pair{'\x24', '4'},
                                        std::pair{'\x25', '5'},
                                        std::pair{'\x26', '6'},
                                        std::pair{'\x27', '7'}}) {
    EXPECT_NE(
        zstd_refusal(number + "\xB5\x2F\xFD"s + rest)
            .find("page.tif, strip 0 (rows 0..46): the ZSTD data is in the format of zstd 0."s +
                  version + ", which is not supported"),
        std::string::npos);
  }
  for (int i = 0; i < 16; ++i) {
    EXPECT_NE(zstd_refusal(static_cast<char>(0x50 + i) + "\x2A\x4D\x18"s + rest)
                  .find("the ZSTD data begins with a skippable frame, which is not supported"),
              std::string::npos);
  }
  const auto refused = [&](const std::string& strip, const std::string& why) {
    const std::string found = zstd_refusal(strip);
    EXPECT_NE(found.find(why), std::string::npos) << found;
  };
  refused("\x37\xA4\x30\xEC"s + rest, "the ZSTD data is a dictionary");
  refused("\x28\xB5\x2F\xFD\x01\x38\x05"s + rest, "the ZSTD data needs a dictionary");
  refused("\x28\xB5\x2F\xFD\x08\x38"s + rest, "damaged: its frame header has a reserved bit");
  refused("\x28\xB5\x2F\xFD\xC0\x38\0\0"s, "damaged: its frame header is cut off");
  refused("\x28\xB5\x2F"s, "damaged: it begins with 0x002FB528, not with a frame");
  refused("plain rows"s + rest, "damaged: it begins with 0x69616C70, not with a frame");
  EXPECT_EQ(zstd_refusal("\x28\xB5\x2F\xFD\x01\x38\0"s + rest), "") << "dictionary 0 is none";
}

std::string segment(uint32_t marker, const std::string& content) {
  const size_t bytes = content.size() + 2;
  return "\xFF"s + static_cast<char>(marker) + static_cast<char>(bytes >> 8) +
         static_cast<char>(bytes & 255) + content;
}

/// A frame header.
std::string frame(uint32_t marker, uint32_t width, uint32_t height, uint32_t components) {
  std::string content = "\x08"s + static_cast<char>(height >> 8) + static_cast<char>(height & 255) +
                        static_cast<char>(width >> 8) + static_cast<char>(width & 255) +
                        static_cast<char>(components);
  for (uint32_t i = 1; i <= components; ++i) content += static_cast<char>(i) + "\x11\0"s;
  return segment(marker, content);
}

/// The head of a scan, and some data.
std::string scan(uint32_t components) {
  std::string content(1, static_cast<char>(components));
  for (uint32_t i = 1; i <= components; ++i) content += static_cast<char>(i) + "\0"s;
  return segment(0xDA, content + "\0\x3F\0"s) + std::string(40, '\0') + "\xFF\xD9"s;
}

const std::string kSoi = "\xFF\xD8"s;
const std::string kJfif = segment(0xE0, "JFIF\0\1\1\0\0\1\0\1\0\0"s);

std::string adobe(uint32_t transform) {
  return segment(0xEE, "Adobe\0\x64\0\0\0\0"s + static_cast<char>(transform));
}

std::string jpeg_refusal(const std::string& strip, uint32_t samples = 1, uint32_t photometric = 1) {
  return refusal_of(strip, {{259, {COMPRESSION_JPEG}}, {262, {photometric}}, {277, {samples}}});
}

/// A JPEG of three components behind `notes`, as the page of that photometric interpretation.
std::string colour_refusal(const std::string& notes, uint32_t photometric, uint32_t samples = 3) {
  return jpeg_refusal(
      kSoi + notes + frame(0xC0, 61, 47, samples) + scan(samples), samples, photometric);
}

TEST(CodecMemory, RefusesAHeadOfJpegThatItCannotFollow) {
  const std::string good = frame(0xC0, 61, 47, 1), data = scan(1);
  EXPECT_EQ(jpeg_refusal(kSoi + good + data), "");
  EXPECT_EQ(jpeg_refusal(kSoi + "\xFF\xFF"s + good + data), "") << "padding";
  EXPECT_EQ(jpeg_refusal(kSoi + frame(0xC9, 61, 47, 1) + data), "") << "arithmetic";
  const auto refused = [&](const std::string& strip, const std::string& why) {
    const std::string found = jpeg_refusal(strip);
    EXPECT_NE(found.find("strip 0 (rows 0..46): " + why), std::string::npos) << found;
  };
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "\xFF\xFE\0\2"s;
  refused(kSoi + many + good + data, "the JPEG data is damaged: it has more than 1000 segments");
  refused(kSoi + "\0"s + good + data, "the JPEG data is damaged: it has no marker at byte 2");
  refused(kSoi + std::string(80, '\xFF') + good + data,
          "the JPEG data is damaged: it has no marker");
  refused(good + data, "the JPEG data is damaged: it does not begin with SOI");
  refused(kSoi + kSoi + good + data, "the JPEG data is damaged: it has the marker 0xFFD8");
  refused(kSoi + "\xFF\x01"s + good + data, "the JPEG data is damaged: it has the marker 0xFF01");
  refused(kSoi + segment(0xDC, "\0\x2F"s) + good + data,
          "the JPEG data is damaged: it has the marker");
  refused(kSoi + "\xFF\xD9"s + good + data,
          "the JPEG data is damaged: it ends before its first scan");
  refused(kSoi + good + good + data, "the JPEG data is damaged: it has two frame headers");
  refused(kSoi + data, "the JPEG data is damaged: it has a scan before its frame header");
  refused(kSoi + good, "the JPEG data is damaged: it has no marker");
  refused(kSoi + "\xFF\xFE\xFF\xFF"s + good,
          "the JPEG data is damaged: its segment 0xFFFE is cut off");
  refused(kSoi + "\xFF\xFE\0\0"s + good,
          "the JPEG data is damaged: its segment 0xFFFE has no length");
  refused(kSoi + frame(0xC2, 61, 47, 1) + data, "progressive JPEG is not supported");
  refused(kSoi + frame(0xCA, 61, 47, 1) + data, "progressive JPEG is not supported");
  refused(kSoi + frame(0xC3, 61, 47, 1) + data,
          "the JPEG process of marker 0xFFC3 is not supported");
}

TEST(CodecMemory, RefusesAJpegOfAnotherSizeThanItsStrip) {
  for (const auto& [width, height] : {std::pair{61U, 0U},
                                      std::pair{61U, 46U},
                                      std::pair{61U, 48U},
                                      std::pair{61U, 65500U},
                                      std::pair{60U, 47U},
                                      std::pair{62U, 47U}}) {
    const std::string found = jpeg_refusal(kSoi + frame(0xC0, width, height, 1) + scan(1));
    EXPECT_NE(found.find("it has " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels, expected 61 x 47"),
              std::string::npos)
        << found;
  }
}

TEST(CodecMemory, TakesALastStripOfJpegThatIsFilledUp) {
  const auto refusal = [&](uint32_t height, uint32_t rows) {
    return refusal_of(kSoi + frame(0xC0, 61, height, 1) + scan(1),
                      {{259, {COMPRESSION_JPEG}}, {262, {1}}, {278, {rows}}});
  };
  EXPECT_EQ(refusal(64, 64), "");
  EXPECT_EQ(refusal(47, 64), "");
  EXPECT_NE(refusal(65, 64), "");
}

TEST(CodecMemory, CountsTheCoefficientsOfAJpegWhoseScansLackComponents) {
  const auto bytes = [](uint32_t in_scan) {
    const RawTags tags = {{256, {6000}},
                          {257, {4000}},
                          {258, {8, 8, 8}},
                          {259, {COMPRESSION_JPEG}},
                          {262, {2}},
                          {277, {3}},
                          {278, {4000}}};
    const TempFolder folder;
    make_raw_tiff(
        tags, {kSoi + frame(0xC0, 6000, 4000, 3) + scan(in_scan) + std::string(8'000'000, '\0')})
        .save(folder / "page.tif");
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    return file->open_page(0, kPlentyOfMemory)->working_bytes(16, 1);
  };
  EXPECT_NEAR(static_cast<double>(bytes(1) - bytes(3)), 6000.0 * 4000 * 3 * 2, 100)
      << "and the heads";
}

TEST(CodecMemory, RefusesTablesOfJpegThatHoldMore) {
  const auto refusal = [](const std::string& tables) {
    const PageSpec spec{
        .compression = COMPRESSION_JPEG, .rows_per_strip = 47, .more_tags = [&](TIFF* tiff) {
          TIFFSetField(
              tiff, TIFFTAG_JPEGTABLES, static_cast<uint32_t>(tables.size()), tables.data());
        }};
    const TempFolder folder;
    TIFF* tiff = TIFFOpen((folder / "page.tif").c_str(), "w");
    set_tags(tiff, spec);
    std::string strip = kSoi + frame(0xC0, 61, 47, 1) + scan(1);
    TIFFWriteRawStrip(tiff, 0, strip.data(), static_cast<tmsize_t>(strip.size()));
    TIFFClose(tiff);
    try {
      (void)tiff::TiffFile::open(folder / "page.tif")->page(0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string end = "\xFF\xD9"s;
  EXPECT_EQ(refusal(kSoi + segment(0xDB, "\0"s + std::string(64, '\1')) + end), "");
  EXPECT_NE(refusal(kSoi + frame(0xC0, 61, 47, 1) + end).find("tag JPEGTables: the JPEG data is "),
            std::string::npos);
  EXPECT_NE(refusal(kSoi + scan(1)).find("tag JPEGTables"), std::string::npos);
  EXPECT_NE(refusal(kSoi + "\0"s + end).find("tag JPEGTables"), std::string::npos);
  EXPECT_NE(refusal(kSoi).find("tag JPEGTables"), std::string::npos);
}

constexpr uint32_t kRgb = PHOTOMETRIC_RGB, kYcbcr = PHOTOMETRIC_YCBCR,
                   kInks = PHOTOMETRIC_SEPARATED;

TEST(CodecMemory, RefusesAJpegWhoseMarkersContradictThePhotometricInterpretation) {
  for (const auto& found : {colour_refusal(kJfif, kRgb),
                            colour_refusal(adobe(1), kRgb),
                            colour_refusal(kJfif + adobe(1), kRgb),
                            colour_refusal(adobe(1), PHOTOMETRIC_CIELAB)}) {
    EXPECT_NE(found.find("the colours of the JPEG data are YCbCr by its own markers"),
              std::string::npos)
        << found;
  }
  EXPECT_NE(colour_refusal(adobe(2), kInks, 4).find("are YCCK by its own markers"),
            std::string::npos);
  EXPECT_NE(colour_refusal(adobe(0), kYcbcr).find("are not YCbCr by its own markers"),
            std::string::npos);
}

TEST(CodecMemory, TakesAJpegWhoseMarkersAgreeOrSayNothing) {
  EXPECT_EQ(colour_refusal("", kRgb), "");
  EXPECT_EQ(colour_refusal(adobe(0), kRgb), "");
  EXPECT_EQ(colour_refusal(kJfif + adobe(0), kRgb), "");
  EXPECT_EQ(colour_refusal("", kYcbcr), "");
  EXPECT_EQ(colour_refusal(kJfif, kYcbcr), "");
  EXPECT_EQ(colour_refusal(adobe(1), kYcbcr), "");
  EXPECT_EQ(colour_refusal("", kInks, 4), "");
  EXPECT_EQ(colour_refusal(adobe(0), kInks, 4), "");
  EXPECT_EQ(jpeg_refusal(kSoi + kJfif + frame(0xC0, 61, 47, 1) + scan(1)), "");
}

}  // namespace
}  // namespace mezzo::test::codec_memory_test
