// Every layout that is read, against samples that the test laid down itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_decode_test {
namespace {

/// Values of tags, which libtiff defines as int.
std::vector<uint16_t> shorts(std::initializer_list<int> values) {
  std::vector<uint16_t> result;
  for (const int value : values) result.push_back(static_cast<uint16_t>(value));
  return result;
}

TEST(ReaderDecode, GreyOfEveryDepthAndPolarity) {
  for (const uint16_t bits : shorts({1, 2, 4, 8, 12, 16})) {
    for (const uint16_t photometric : shorts({PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE})) {
      for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
        SCOPED_TRACE(std::to_string(bits) + " bits, photometric " + std::to_string(photometric) +
                     ", " + mode);
        check_spec({.bits = bits, .photometric = photometric}, mode);
      }
    }
  }
}

TEST(ReaderDecode, EveryCompression) {
  for (const uint16_t compression : shorts({COMPRESSION_NONE,
                                            COMPRESSION_PACKBITS,
                                            COMPRESSION_LZW,
                                            COMPRESSION_ADOBE_DEFLATE,
                                            COMPRESSION_DEFLATE,
                                            COMPRESSION_ZSTD})) {
    for (const uint16_t bits : shorts({1, 2, 4, 8, 12, 16})) {
      for (const char* mode : {"wl", "wb"}) {
        SCOPED_TRACE("compression " + std::to_string(compression) + ", " + std::to_string(bits) +
                     " bits, " + mode);
        check_spec({.bits = bits, .compression = compression}, mode);
      }
    }
  }
}

TEST(ReaderDecode, EveryFaxCompression) {
  for (const uint16_t compression :
       shorts({COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4})) {
    for (const uint16_t photometric : shorts({PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE})) {
      for (const uint16_t fill_order : shorts({FILLORDER_MSB2LSB, FILLORDER_LSB2MSB})) {
        SCOPED_TRACE("compression " + std::to_string(compression));
        check_spec({.bits = 1,
                    .photometric = photometric,
                    .compression = compression,
                    .fill_order = fill_order});
      }
    }
  }
}

TEST(ReaderDecode, TwoDimensionalG3) {
  check_spec({.bits = 1,
              .photometric = PHOTOMETRIC_MINISWHITE,
              .compression = COMPRESSION_CCITTFAX3,
              .more_tags = [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_GROUP3OPTIONS, GROUP3OPT_2DENCODING);
              }});
}

TEST(ReaderDecode, PredictorOfEveryCodecThatHasOne) {
  for (const uint16_t compression :
       shorts({COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD})) {
    for (const uint16_t bits : shorts({8, 16})) {
      for (const uint16_t samples : shorts({1, 3})) {
        for (const char* mode : {"wl", "wb"}) {
          const auto photometric =
              static_cast<uint16_t>(samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
          check_spec({.bits = bits,
                      .samples = samples,
                      .photometric = photometric,
                      .compression = compression,
                      .predictor = PREDICTOR_HORIZONTAL},
                     mode);
        }
      }
    }
  }
}

TEST(ReaderDecode, ReversedBits) {
  for (const uint16_t bits : shorts({1, 4, 8, 12})) {
    check_spec({.bits = bits, .fill_order = FILLORDER_LSB2MSB});
    for (const uint16_t compression : shorts({COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE})) {
      check_spec({.bits = bits, .compression = compression, .fill_order = FILLORDER_LSB2MSB});
    }
  }
}

TEST(ReaderDecode, ColourBecomesGrey) {
  for (const uint16_t bits : shorts({1, 4, 8, 12, 16})) {
    for (const uint16_t planar : shorts({PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE})) {
      for (const uint16_t compression : shorts({COMPRESSION_NONE, COMPRESSION_LZW})) {
        SCOPED_TRACE(std::to_string(bits) + " bits, planar " + std::to_string(planar));
        check_spec({.bits = bits,
                    .samples = 3,
                    .photometric = PHOTOMETRIC_RGB,
                    .planar = planar,
                    .compression = compression});
      }
    }
  }
}

TEST(ReaderDecode, GreyStaysWhatItIsAsColour) {
  const TempFolder folder;
  PageSpec spec{.width_px = 256, .height_px = 1, .samples = 3, .photometric = PHOTOMETRIC_RGB};
  Samples samples;
  for (uint16_t v = 0; v < 256; ++v) samples.insert(samples.end(), {v, v, v});
  write_file(folder / "page.tif", spec, samples);
  const auto file = tiff::TiffFile::open(folder / "page.tif");
  SoloTeam solo;
  const auto planes = read_page(*file->open_page(0, kPlentyOfMemory), file->page(0), 1, solo);
  for (uint32_t v = 0; v < 256; ++v) EXPECT_EQ(planes[0][v], v);
}

TEST(ReaderDecode, Inks) {
  for (const uint16_t bits : shorts({1, 2, 8, 12, 16})) {
    for (const uint16_t planar : shorts({PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE})) {
      for (const uint16_t compression : shorts({COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE})) {
        for (const uint32_t tile : {0U, 32U}) {
          for (const uint16_t samples : shorts({4, 6})) {
            for (const char* mode : {"wl", "wb"}) {
              SCOPED_TRACE(std::to_string(bits) + " bits, planar " + std::to_string(planar) +
                           ", tile " + std::to_string(tile));
              check_spec({.bits = bits,
                          .samples = samples,
                          .photometric = PHOTOMETRIC_SEPARATED,
                          .planar = planar,
                          .compression = compression,
                          .tile_width_px = tile,
                          .tile_rows = tile / 2},
                         mode);
            }
          }
        }
      }
    }
  }
}

TEST(ReaderDecode, SixteenInksAndAnExtraChannel) {
  check_spec(
      {.samples = 17, .photometric = PHOTOMETRIC_SEPARATED, .extras = {EXTRASAMPLE_UNASSALPHA}});
}

TEST(ReaderDecode, TilesOfEveryDepth) {
  for (const uint16_t bits : shorts({1, 2, 4, 8, 12, 16})) {
    for (const uint16_t compression : shorts({COMPRESSION_NONE, COMPRESSION_LZW})) {
      for (const char* mode : {"wl", "wb8"}) {
        check_spec({.bits = bits, .compression = compression, .tile_width_px = 32, .tile_rows = 16},
                   mode);
        check_spec({.bits = bits,
                    .samples = 3,
                    .photometric = PHOTOMETRIC_RGB,
                    .planar = PLANARCONFIG_SEPARATE,
                    .compression = compression,
                    .tile_width_px = 16,
                    .tile_rows = 32},
                   mode);
      }
    }
  }
}

TEST(ReaderDecode, TileLargerThanThePage) {
  check_spec({.width_px = 5, .height_px = 3, .tile_width_px = 64, .tile_rows = 64});
}

TEST(ReaderDecode, Jpeg) {
  for (const uint32_t tile : {0U, 32U}) {
    check_spec({.compression = COMPRESSION_JPEG, .tile_width_px = tile, .tile_rows = tile});
    check_spec({.samples = 3,
                .photometric = PHOTOMETRIC_RGB,
                .compression = COMPRESSION_JPEG,
                .tile_width_px = tile,
                .tile_rows = tile});
    check_spec({.samples = 3,
                .photometric = PHOTOMETRIC_YCBCR,
                .compression = COMPRESSION_JPEG,
                .tile_width_px = tile,
                .tile_rows = tile});
    check_spec({.samples = 4,
                .photometric = PHOTOMETRIC_SEPARATED,
                .compression = COMPRESSION_JPEG,
                .tile_width_px = tile,
                .tile_rows = tile});
  }
}

TEST(ReaderDecode, Alpha) {
  for (const uint16_t kind : shorts({EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA})) {
    for (const uint16_t bits : shorts({1, 4, 8, 12, 16})) {
      for (const uint16_t planar : shorts({PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE})) {
        for (const uint16_t photometric :
             shorts({PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_RGB})) {
          const auto colours = static_cast<uint16_t>(photometric == PHOTOMETRIC_RGB ? 3 : 1);
          SCOPED_TRACE(std::to_string(bits) + " bits, photometric " + std::to_string(photometric) +
                       ", kind " + std::to_string(kind));
          check_spec({.bits = bits,
                      .samples = static_cast<uint16_t>(colours + 2),
                      .photometric = photometric,
                      .planar = planar,
                      .extras = {kind, EXTRASAMPLE_UNSPECIFIED}});
        }
      }
    }
  }
}

TEST(ReaderDecode, UnspecifiedExtraSampleIsIgnored) {
  check_spec({.samples = 2, .extras = {EXTRASAMPLE_UNSPECIFIED}});
}

std::vector<uint16_t> random_colour_map(uint32_t bits, uint32_t largest) {
  std::mt19937 random(bits);
  std::vector<uint16_t> map(size_t{3} << bits);
  for (uint16_t& value : map) value = static_cast<uint16_t>(random() % (largest + 1));
  return map;
}

TEST(ReaderDecode, Palette) {
  for (const uint16_t bits : shorts({1, 2, 4, 8, 16})) {
    for (const uint32_t largest : {65535U, 255U}) {
      for (const uint16_t compression : shorts({COMPRESSION_NONE, COMPRESSION_PACKBITS})) {
        SCOPED_TRACE(std::to_string(bits) + " bits, map up to " + std::to_string(largest));
        PageSpec spec{.width_px = 33,
                      .height_px = 19,
                      .bits = bits,
                      .photometric = PHOTOMETRIC_PALETTE,
                      .compression = compression,
                      .colour_map = random_colour_map(bits, largest)};
        check_spec(spec);
        spec.samples = 2;
        spec.extras = {EXTRASAMPLE_UNASSALPHA};
        check_spec(spec);
      }
    }
  }
}

/// Strips too large to be held decoded: rows are decoded one after the other.
TEST(ReaderDecode, LargeCompressedStrips) {
  const PageSpec grey{.width_px = 2'300,
                      .height_px = 2'000,
                      .compression = COMPRESSION_LZW,
                      .rows_per_strip = 2'000};
  const PageSpec inks{.width_px = 700,
                      .height_px = 3'100,
                      .bits = 16,
                      .samples = 2,
                      .photometric = PHOTOMETRIC_SEPARATED,
                      .planar = PLANARCONFIG_SEPARATE,
                      .compression = COMPRESSION_ADOBE_DEFLATE,
                      .rows_per_strip = 3'000};
  const PageSpec colour{.width_px = 700,
                        .height_px = 2'100,
                        .samples = 3,
                        .photometric = PHOTOMETRIC_RGB,
                        .compression = COMPRESSION_ZSTD,
                        .rows_per_strip = 2'050};
  const PageSpec bilevel{.width_px = 5'000,
                         .height_px = 3'500,
                         .bits = 1,
                         .compression = COMPRESSION_CCITTFAX4,
                         .rows_per_strip = 3'500};
  for (const PageSpec& spec : {grey, inks, colour, bilevel}) {
    const TempFolder folder;
    const Samples samples = make_samples(spec);
    write_file(folder / "page.tif", spec, samples);
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    const PageInfo& info = file->page(0);
    const auto expected = expected_planes(spec, samples);
    const auto reader = file->open_page(0, uint64_t{64} << 20);
    EXPECT_EQ(reader->row_quantum(), 1U);
    ThreadTeam team(2);
    EXPECT_EQ(difference(read_page(*reader, info, 67, team), expected, info.width_px), "");
    EXPECT_EQ(
        difference(read_page(*reader, info, 1'000, team, ReadOrder::kUp), expected, info.width_px),
        "");
  }
}

void set_tag(const std::string& path, uint32_t tag, uint32_t value) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r+");
  check_written(tiff != nullptr && TIFFSetField(tiff, tag, value) == 1 &&
                TIFFRewriteDirectory(tiff) == 1);
  TIFFClose(tiff);
}

/// Some writers fill the last strip, or the only one, with rows that are no part of the page.
/// libtiff holds the place and the size of every strip in each handle that decodes.
TEST(ReaderDecode, ManyStripsTakeTheMemoryOfTheirList) {
  constexpr uint32_t kStrips = 40'000;
  constexpr uint64_t kList = 16 * kStrips;
  const PageSpec spec{.width_px = 8,
                      .height_px = kStrips,
                      .compression = COMPRESSION_ADOBE_DEFLATE,
                      .rows_per_strip = 1};
  const TempFolder folder;
  write_file(folder / "page.tif", spec, make_samples(spec));
  const auto file = tiff::TiffFile::open(folder / "page.tif");
  const uint64_t one = file->open_page(0, kPlentyOfMemory)->working_bytes(16, 1);
  EXPECT_GE(one, kList);
  EXPECT_GE(file->open_page(0, kPlentyOfMemory)->working_bytes(16, 4), 4 * kList);
  EXPECT_LE(file->open_page(0, 3 * one)->working_bytes(16, 4), 3 * one);
  EXPECT_THROW((void)file->open_page(0, kList), Error);
}

TEST(ReaderDecode, StripsWithMoreRowsThanThePage) {
  std::vector<PageSpec> specs;
  for (const uint16_t compression : shorts({COMPRESSION_NONE,
                                            COMPRESSION_LZW,
                                            COMPRESSION_ADOBE_DEFLATE,
                                            COMPRESSION_DEFLATE,
                                            COMPRESSION_ZSTD})) {
    specs.push_back({.height_px = 80, .compression = compression, .rows_per_strip = 40});
    specs.push_back({.height_px = 64, .compression = compression, .rows_per_strip = 64});
    specs.push_back({.height_px = 64, .compression = compression, .rows_per_strip = UINT32_MAX});
    specs.push_back({.width_px = 70'000,  // too large to be held decoded
                     .height_px = 64,
                     .compression = compression,
                     .rows_per_strip = 64});
  }
  for (const uint16_t planar : shorts({PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE})) {
    specs.push_back({.height_px = 64,
                     .bits = 16,
                     .samples = 4,
                     .photometric = PHOTOMETRIC_SEPARATED,
                     .planar = planar,
                     .compression = COMPRESSION_ADOBE_DEFLATE,
                     .predictor = PREDICTOR_HORIZONTAL,
                     .rows_per_strip = 64});
  }
  for (PageSpec& spec : specs) {
    SCOPED_TRACE("compression " + std::to_string(spec.compression) + ", strips of " +
                 std::to_string(spec.rows_per_strip) + ", width " + std::to_string(spec.width_px));
    const TempFolder folder;
    Samples samples = make_samples(spec);
    write_file(folder / "page.tif", spec, samples);
    spec.height_px = 47;
    samples.resize(size_t{spec.width_px} * spec.height_px * spec.samples);
    set_tag(folder / "page.tif", TIFFTAG_IMAGELENGTH, spec.height_px);
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    const PageInfo& info = file->page(0);
    const auto reader = file->open_page(0, kPlentyOfMemory);
    SoloTeam solo;
    EXPECT_EQ(
        difference(
            read_page(*reader, info, 20, solo), expected_planes(spec, samples), info.width_px),
        "");
  }
}

TEST(ReaderDecode, StripsWithMoreRowsThanTheirTagSays) {
  for (const uint32_t width : {61U, 70'000U}) {
    const TempFolder folder;
    const PageSpec spec{.width_px = width,
                        .height_px = 64,
                        .compression = COMPRESSION_ADOBE_DEFLATE,
                        .rows_per_strip = 64};
    write_file(folder / "page.tif", spec, make_samples(spec));
    set_tag(folder / "page.tif", TIFFTAG_IMAGELENGTH, 60);
    set_tag(folder / "page.tif", TIFFTAG_ROWSPERSTRIP, 63);
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    SoloTeam solo;
    EXPECT_THROW(read_page(*file->open_page(0, kPlentyOfMemory), file->page(0), 60, solo), Error);
  }
}

/// libtiff decodes both, and warns once in each handle.
TEST(ReaderDecode, LastStripOfJpegThatIsFilledUp) {
  const PageSpec whole{.height_px = 3 * 80, .compression = COMPRESSION_JPEG, .rows_per_strip = 80};
  // Too large to be decoded whole, with few rows, which are decoded again from the bottom.
  const PageSpec by_rows{.width_px = 60'000,
                         .height_px = 2 * 24,
                         .samples = 3,
                         .photometric = PHOTOMETRIC_RGB,
                         .compression = COMPRESSION_JPEG,
                         .rows_per_strip = 24};
  for (PageSpec spec : {whole, by_rows}) {
    const TempFolder folder;
    write_file(folder / "page.tif", spec, make_samples(spec));
    Samples samples = decoded_samples(folder / "page.tif", spec);
    spec.height_px -= spec.rows_per_strip / 2;
    samples.resize(size_t{spec.width_px} * spec.height_px * spec.samples);
    set_tag(folder / "page.tif", TIFFTAG_IMAGELENGTH, spec.height_px);
    check_page(*tiff::TiffFile::open(folder / "page.tif"), 0, spec, expected_planes(spec, samples));
  }
}

/// LZW as it was written before TIFF 6: codes begin at the lowest bit. Only literals are written. They grow to
/// 12 bits with the reader's table, which is cleared before it is full.
std::string old_style_lzw(const std::vector<uint8_t>& bytes) {
  constexpr uint32_t kClear = 256, kEnd = 257;
  constexpr size_t kLiterals = 3'800;
  std::string coded;
  uint32_t held = 0, bits = 0, entries = kEnd;  // of the table
  const auto put = [&](uint32_t code) {
    const auto code_bits = std::max(9U, static_cast<uint32_t>(std::bit_width(entries)));
    held |= code << bits;
    for (bits += code_bits; bits >= 8; bits -= 8, held >>= 8)
      coded += static_cast<char>(held & 255);
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % kLiterals == 0) {
      put(kClear);
      entries = kEnd;
    }
    put(bytes[i]);
    ++entries;
  }
  put(kEnd);
  coded += static_cast<char>(held & 255);
  return coded;
}

TEST(ReaderDecode, LzwOfBeforeTiff6) {
  const PageSpec whole{.height_px = 2 * 100, .rows_per_strip = 100};
  // Too large to be decoded whole, with few rows, which are decoded again from the bottom.
  const PageSpec by_rows{.width_px = 100'000,
                         .height_px = 2 * 15,
                         .samples = 3,
                         .photometric = PHOTOMETRIC_RGB,
                         .rows_per_strip = 15};
  for (const PageSpec& spec : {whole, by_rows}) {
    const Samples samples = make_samples(spec);
    std::vector<std::string> strips;
    const size_t half = samples.size() / 2;
    strips.push_back(old_style_lzw({samples.begin(), samples.begin() + static_cast<long>(half)}));
    strips.push_back(old_style_lzw({samples.begin() + static_cast<long>(half), samples.end()}));
    const TempFolder folder;
    make_raw_tiff({{256, {spec.width_px}},
                   {257, {spec.height_px}},
                   {258, std::vector<uint32_t>(spec.samples, 8)},
                   {259, {COMPRESSION_LZW}},
                   {262, {spec.photometric}},
                   {277, {spec.samples}},
                   {278, {spec.rows_per_strip}}},
                  strips)
        .save(folder / "page.tif");
    check_page(*tiff::TiffFile::open(folder / "page.tif"), 0, spec, expected_planes(spec, samples));
  }
}

TEST(ReaderDecode, SeveralPages) {
  const TempFolder folder;
  const std::string path = folder / "pages.tif";
  const PageSpec first{.width_px = 20, .height_px = 10, .seed = 1};
  const PageSpec thumbnail{.width_px = 4, .height_px = 3, .more_tags = [](TIFF* tiff) {
                             TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
                           }};
  const PageSpec mask{.width_px = 4, .height_px = 3, .more_tags = [](TIFF* tiff) {
                        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_MASK);
                      }};
  const PageSpec second{
      .width_px = 31,
      .height_px = 17,
      .bits = 16,
      .compression = COMPRESSION_LZW,
      .more_tags = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE); },
      .seed = 2};
  const PageSpec third{.bits = 1, .seed = 3};
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  for (const PageSpec& spec : {first, thumbnail, second, mask, third}) {
    write_page(tiff, spec, make_samples(spec));
  }
  TIFFClose(tiff);
  const auto file = tiff::TiffFile::open(path);
  ASSERT_EQ(file->page_count(), 3U);
  uint32_t index = 0;
  for (const PageSpec& spec : {first, second, third}) {
    check_page(*file, index++, spec, expected_planes(spec, make_samples(spec)));
  }
}

TEST(ReaderDecode, SeveralReadersOfOneFileAtOnce) {
  const TempFolder folder;
  const PageSpec spec{.width_px = 300, .height_px = 200, .compression = COMPRESSION_LZW};
  const Samples samples = make_samples(spec);
  write_file(folder / "page.tif", spec, samples);
  const auto file = tiff::TiffFile::open(folder / "page.tif");
  const auto expected = expected_planes(spec, samples);
  std::vector<std::thread> threads;
  std::vector<std::string> differences(4);
  for (std::string& text : differences) {
    threads.emplace_back([&] {
      SoloTeam solo;
      const auto reader = file->open_page(0, kPlentyOfMemory);
      text = difference(read_page(*reader, file->page(0), 23, solo), expected, spec.width_px);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : differences) EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace mezzo::test::reader_decode_test
