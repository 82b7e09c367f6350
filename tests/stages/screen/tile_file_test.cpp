// Tiles of thresholds in files, written by libtiff and by us.

#include "stages/screen/tile_file.h"

#include <gtest/gtest.h>

#include <random>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::tile_file_test {
namespace {

using screen::read_tile;
using screen::ThresholdTile;

class TileFileTest : public ::testing::Test {
 protected:
  /// Reads back a page of these samples.
  TileFile written(const PageSpec& spec) {
    samples_ = make_samples(spec);
    write_file(path_, spec, samples_);
    return read_tile(path_);
  }

  /// The message of the Error, which names the file first; that name is left out.
  std::string refusal(ErrorKind kind) const {
    try {
      read_tile(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(path_)) << text;
      return text.substr(std::min(text.size(), path_.size() + 2));
    }
    return {};
  }

  const TempFolder folder_;
  const std::string path_ = folder_ / "tile.tif";
  Samples samples_;
};

TEST_F(TileFileTest, GivesTheValuesAsTheyAreStored) {
  for (const uint16_t bits : {uint16_t{8}, uint16_t{16}}) {
    for (const uint16_t photometric :
         {uint16_t{PHOTOMETRIC_MINISBLACK}, uint16_t{PHOTOMETRIC_MINISWHITE}}) {
      const TileFile tile = written({.bits = bits, .photometric = photometric});
      EXPECT_EQ(tile.path, path_);
      EXPECT_EQ(*tile.values, (screen::TileValues{61, 47, bits, 0, samples_}));
    }
  }
}

TEST_F(TileFileTest, HasADigestOfValuesAndShape) {
  const std::string digest = written({}).digest;
  EXPECT_EQ(digest.size(), 32U);
  EXPECT_EQ(written({.photometric = PHOTOMETRIC_MINISWHITE, .compression = COMPRESSION_LZW}).digest,
            digest);
  EXPECT_NE(written({.seed = 2}).digest, digest);
  write_file(path_, {.width_px = 8, .height_px = 4}, Samples(32));
  const std::string flat = read_tile(path_).digest;
  write_file(path_, {.width_px = 4, .height_px = 8}, Samples(32));
  EXPECT_NE(read_tile(path_).digest, flat);
  write_file(path_, {.width_px = 8, .height_px = 4, .bits = 16}, Samples(32));
  EXPECT_NE(read_tile(path_).digest, flat);
}

TEST_F(TileFileTest, ReadsTheTilesThatItWrites) {
  ThresholdTile tile{273, 15, 100, {}};
  for (uint32_t i = 0; i < tile.width * tile.height; ++i) {
    tile.thresholds.push_back(static_cast<uint16_t>(4095 - i % 4096));
  }
  screen::write_tile(path_, tile);
  const TileFile read = read_tile(path_);
  EXPECT_EQ(read.values->bits, 16U);
  EXPECT_EQ(read.values->shift, 100U);
  EXPECT_EQ(read.values->values[0], 16 * 4095 + 8);
  EXPECT_EQ(screen::tile_of_thresholds(*read.values, read.values->shift), tile);
}

TEST_F(TileFileTest, TakesAShiftFromItsOwnDescriptionAlone) {
  const auto with = [&](const char* description) {
    return PageSpec{.more_tags = [description](TIFF* tiff) {
      TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
    }};
  };
  EXPECT_EQ(written(with("mezzotint tile; shift=60")).values->shift, 60U);
  EXPECT_EQ(written(with("another program; shift=60")).values->shift, 0U);
  for (const char* text : {"mezzotint tile; shift=61",
                           "mezzotint tile; shift=6x",
                           "mezzotint tile; shift=",
                           "mezzotint tile; shift=-1",
                           "mezzotint tile; shift=99999999999"}) {
    write_file(path_, with(text), make_samples({}));
    EXPECT_EQ(refusal(ErrorKind::kData),
              "its ImageDescription, '" + std::string(text) +
                  "', names no shift below its width of 61 px");
  }
}

TEST_F(TileFileTest, RefusesAllElseByName) {
  constexpr auto kExpected =
      "the thresholds of a tile are grey values of 8 or 16 bits, without alpha and other channels, "
      "and this page is ";
  const auto refused = [&](const PageSpec& spec) {
    write_file(path_, spec, make_samples(spec));
    return refusal(ErrorKind::kUnsupported);
  };
  EXPECT_EQ(refused({.bits = 1}),
            kExpected + std::string("1-bit grey, uncompressed, 16-row strips"));
  for (const int bits : {1, 2, 4, 12}) {
    EXPECT_TRUE(refused({.bits = static_cast<uint16_t>(bits)}).starts_with(kExpected)) << bits;
  }
  EXPECT_TRUE(refused({.samples = 3, .photometric = PHOTOMETRIC_RGB}).starts_with(kExpected));
  EXPECT_TRUE(refused({.samples = 4, .photometric = PHOTOMETRIC_SEPARATED}).starts_with(kExpected));
  EXPECT_TRUE(refused({.samples = 2, .extras = {EXTRASAMPLE_UNASSALPHA}}).starts_with(kExpected));
  EXPECT_TRUE(
      refused({.photometric = PHOTOMETRIC_PALETTE, .colour_map = std::vector<uint16_t>(768, 300)})
          .starts_with(kExpected));
  EXPECT_TRUE(refused({.more_tags = [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_INT);
              }}).starts_with("sample format 2"));
}

TEST_F(TileFileTest, RefusesSeveralPagesAndTooManyValues) {
  write_file(path_, {}, make_samples({}));
  write_file(path_, {}, make_samples({}), "a");
  EXPECT_EQ(refusal(ErrorKind::kUnsupported),
            "a tile of thresholds is one page, and this file has 2");
  write_file(path_, {.width_px = 513, .height_px = 512}, Samples(513 * 512));
  EXPECT_EQ(refusal(ErrorKind::kLimit),
            "the page has 262656 pixels (513 x 512), the limit is 262144; export the page with "
            "fewer pixels");
  write_file(path_, {.width_px = 512, .height_px = 512}, Samples(512 * 512));
  EXPECT_EQ(refusal(ErrorKind::kBug), "") << "a tile of the largest size";
}

TEST_F(TileFileTest, RefusesFilesThatAreCutOff) {
  write_file(path_, {}, make_samples({}));
  const auto size = std::filesystem::file_size(path_);
  for (uint64_t bytes = 0; bytes < size; bytes += 97) {
    std::filesystem::resize_file(path_, bytes);
    EXPECT_NE(refusal(ErrorKind::kData), "") << bytes;
    write_file(path_, {}, make_samples({}));
  }
  std::filesystem::remove(path_);
  EXPECT_THROW(read_tile(path_), Error);
}

}  // namespace
}  // namespace mezzo::test::tile_file_test
