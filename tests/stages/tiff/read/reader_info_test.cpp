// What a page says about itself, without its pixels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_info_test {
namespace {

using ::testing::ElementsAre;

PageInfo info_of(const PageSpec& spec, const char* mode = "w") {
  const TempFolder folder;
  write_file(folder / "page.tif", spec, make_samples(spec), mode);
  return tiff::TiffFile::open(folder / "page.tif")->page(0);
}

TEST(ReaderInfo, SaysWhatThePageIs) {
  EXPECT_EQ(info_of({}).format, "8-bit grey, uncompressed, 16-row strips");
  EXPECT_EQ(info_of({.bits = 1,
                     .photometric = PHOTOMETRIC_MINISWHITE,
                     .compression = COMPRESSION_CCITTFAX4,
                     .rows_per_strip = 100})
                .format,
            "1-bit grey (0 is white), G4, one strip");
  EXPECT_EQ(info_of({.bits = 16,
                     .samples = 4,
                     .photometric = PHOTOMETRIC_RGB,
                     .planar = PLANARCONFIG_SEPARATE,
                     .compression = COMPRESSION_LZW,
                     .tile_width_px = 32,
                     .tile_rows = 16,
                     .extras = {EXTRASAMPLE_UNASSALPHA}})
                .format,
            "16-bit RGB with alpha, LZW, 32x16 tiles, separate planes");
}

TEST(ReaderInfo, SamplesAndPolarity) {
  const PageInfo black = info_of({.bits = 4});
  EXPECT_EQ(black.max_sample, 255U);
  EXPECT_EQ(black.bytes_per_sample, 1U);
  EXPECT_EQ(black.polarity, Polarity::kMaxIsPaper);
  const PageInfo white = info_of({.bits = 12, .photometric = PHOTOMETRIC_MINISWHITE});
  EXPECT_EQ(white.max_sample, 4095U);
  EXPECT_EQ(white.bytes_per_sample, 2U);
  EXPECT_EQ(white.polarity, Polarity::kMaxIsInk);
  EXPECT_EQ(info_of({.samples = 3, .photometric = PHOTOMETRIC_RGB}).polarity,
            Polarity::kMaxIsPaper);
  EXPECT_EQ(info_of({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}).polarity,
            Polarity::kMaxIsInk);
}

TEST(ReaderInfo, NotesWhatWasDecided) {
  EXPECT_THAT(info_of({}).notes, ElementsAre());
  EXPECT_THAT(
      info_of(
          {.samples = 6, .photometric = PHOTOMETRIC_RGB, .extras = {EXTRASAMPLE_ASSOCALPHA, 0, 0}})
          .notes,
      ElementsAre("RGB becomes grey by Rec. 709 luma",
                  "transparent pixels are composited over paper",
                  "2 extra channels ignored"));
  EXPECT_THAT(info_of({.samples = 5, .photometric = PHOTOMETRIC_SEPARATED, .extras = {2}}).notes,
              ElementsAre("1 extra channel ignored"));
  EXPECT_EQ(info_of({.samples = 7, .photometric = PHOTOMETRIC_SEPARATED, .extras = {0, 0, 2}})
                .extra_channels,
            3U);
  EXPECT_EQ(info_of({.samples = 3, .extras = {EXTRASAMPLE_UNASSALPHA, 0}}).extra_channels, 1U);
}

TEST(ReaderInfo, TellsColoursThatBecomeGrey) {
  EXPECT_TRUE(info_of({.samples = 3, .photometric = PHOTOMETRIC_RGB}).becomes_grey);
  EXPECT_FALSE(info_of({}).becomes_grey);
  EXPECT_FALSE(info_of({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}).becomes_grey);
  const auto palette = [](std::vector<uint16_t> map) {
    return info_of({.bits = 1, .photometric = PHOTOMETRIC_PALETTE, .colour_map = std::move(map)});
  };
  EXPECT_TRUE(palette({0, 65535, 0, 65535, 0, 1000}).becomes_grey);
  EXPECT_FALSE(palette({0, 65535, 0, 65535, 0, 65535}).becomes_grey);
}

std::vector<std::string> inks_of(uint16_t samples, uint16_t ink_set, const std::string& names) {
  return info_of(
             {.samples = samples,
              .photometric = PHOTOMETRIC_SEPARATED,
              .more_tags =
                  [&](TIFF* tiff) {
                    if (ink_set != 0) TIFFSetField(tiff, TIFFTAG_INKSET, ink_set);
                    if (names.empty()) return;
                    TIFFSetField(tiff, TIFFTAG_NUMBEROFINKS, samples);
                    TIFFSetField(
                        tiff, TIFFTAG_INKNAMES, static_cast<uint16_t>(names.size()), names.data());
                  }})
      .inks;
}

TEST(ReaderInfo, NamesInks) {
  using std::string_literals::operator""s;
  EXPECT_THAT(info_of({}).inks, ElementsAre("black"));
  EXPECT_THAT(inks_of(4, 0, ""), ElementsAre("cyan", "magenta", "yellow", "black"));
  EXPECT_THAT(inks_of(4, INKSET_CMYK, ""), ElementsAre("cyan", "magenta", "yellow", "black"));
  EXPECT_THAT(inks_of(2, INKSET_MULTIINK, ""), ElementsAre("ink1", "ink2"));
  EXPECT_THAT(inks_of(4, INKSET_MULTIINK, "PANTONE 185 C\0../etc/passwd\0spot_1\0Spot_1\0"s),
              ElementsAre("PANTONE 185 C", "../etc/passwd", "spot_1", "Spot_1"));
  EXPECT_THAT(inks_of(4, INKSET_MULTIINK, "Wei\xC3\x9F\0\xE9\t1 \0Gold\0Gold\0"s),
              ElementsAre("Wei\xC3\x9F", "\xC3\xA9 1", "Gold", "gold-2"));
}

TEST(ReaderInfo, ResolutionAndName) {
  const auto tags = [](uint16_t unit, double x, double y) {
    return PageSpec{.more_tags = [=](TIFF* tiff) {
      TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, x);
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, y);
      TIFFSetField(tiff, TIFFTAG_DOCUMENTNAME, "a\nb");
    }};
  };
  const PageInfo info = info_of(tags(RESUNIT_INCH, 300, 600));
  EXPECT_EQ(info.resolution, (Resolution{300, 600}));
  EXPECT_EQ(info.document_name, "a b");
  EXPECT_EQ(info_of(tags(RESUNIT_NONE, 300, 300)).resolution, Resolution{});
  EXPECT_EQ(info_of(tags(RESUNIT_INCH, 9, 300)).resolution, Resolution{});
  EXPECT_EQ(info_of(tags(RESUNIT_INCH, 300, 10'001)).resolution, Resolution{});
  EXPECT_EQ(info_of({}).resolution, Resolution{});
}

TEST(ReaderInfo, QuantumIsTheHeightOfStripsAndTiles) {
  const auto quantum_of = [](const PageSpec& spec) {
    const TempFolder folder;
    write_file(folder / "page.tif", spec, make_samples(spec));
    return tiff::TiffFile::open(folder / "page.tif")->open_page(0, kPlentyOfMemory)->row_quantum();
  };
  EXPECT_EQ(quantum_of({}), 1U);
  EXPECT_EQ(quantum_of({.compression = COMPRESSION_LZW}), 16U);
  EXPECT_EQ(quantum_of({.tile_width_px = 16, .tile_rows = 32}), 32U);
}

TEST(InputFile, KnowsItsDigest) {
  const TempFolder folder;
  std::ofstream(folder / "abc") << "abc";
  const files::InputFile file(folder / "abc", 100);
  EXPECT_EQ(file.sha256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(InputFile, NoticesChanges) {
  const TempFolder folder;
  const std::string path = folder / "abc";
  std::ofstream(path) << "abc";
  const files::InputFile file(path, 100);
  EXPECT_NO_THROW(file.check_unchanged());
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));
  EXPECT_THROW(file.check_unchanged(), Error);
  std::filesystem::last_write_time(path, time);
  EXPECT_NO_THROW(file.check_unchanged());
  std::filesystem::resize_file(path, 2);
  std::filesystem::last_write_time(path, time);
  EXPECT_THROW(file.check_unchanged(), Error);
}

}  // namespace
}  // namespace mezzo::test::reader_info_test
