// Pages that are stored turned or mirrored, against the definition of the tag.
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_orientation_test {
namespace {

constexpr uint16_t kOrientations[] = {1, 2, 3, 4, 5, 6, 7, 8};

std::vector<PageSpec> layouts() {
  const PageSpec grey{.height_px = 83};
  PageSpec bilevel = grey;
  bilevel.bits = 1;
  bilevel.compression = COMPRESSION_CCITTFAX4;
  PageSpec deep = grey;
  deep.bits = 16;
  deep.compression = COMPRESSION_LZW;
  PageSpec tiles = grey;
  tiles.tile_width_px = 32;
  tiles.tile_rows = 16;
  tiles.compression = COMPRESSION_ADOBE_DEFLATE;
  PageSpec inks = grey;
  inks.samples = 3;
  inks.photometric = PHOTOMETRIC_SEPARATED;
  inks.planar = PLANARCONFIG_SEPARATE;
  return {grey, bilevel, deep, tiles, inks};
}

bool opens(const tiff::TiffFile& file, uint64_t memory_bytes) {
  try {
    (void)file.open_page(0, memory_bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit) << error.what();
    return false;
  }
}

/// The least memory that suffices.
uint64_t least_memory(const tiff::TiffFile& file) {
  EXPECT_FALSE(opens(file, 1));
  uint64_t too_little = 1, enough = kPlentyOfMemory;
  while (enough - too_little > 1) {
    const uint64_t middle = too_little + (enough - too_little) / 2;
    (opens(file, middle) ? enough : too_little) = middle;
  }
  return enough;
}

TEST(ReaderOrientation, EveryOrientationOfEveryLayout) {
  for (const uint16_t orientation : kOrientations) {
    for (PageSpec spec : layouts()) {
      SCOPED_TRACE("orientation " + std::to_string(orientation) + ", " + std::to_string(spec.bits) +
                   " bits, " + std::to_string(spec.samples) + " samples");
      spec.orientation = orientation;
      check_spec(spec);
    }
  }
}

TEST(ReaderOrientation, LittleMemoryTakesSeveralPasses) {
  for (const uint16_t orientation : kOrientations) {
    for (PageSpec spec : layouts()) {
      spec.orientation = orientation;
      const TempFolder folder;
      const Samples samples = make_samples(spec);
      write_file(folder / "page.tif", spec, samples);
      const auto file = tiff::TiffFile::open(folder / "page.tif");
      const auto expected = expected_planes(spec, samples);
      const uint64_t least = least_memory(*file);
      const uint64_t row =
          uint64_t{spec.upright_width()} * file->page(0).bytes_per_sample * spec.samples;
      for (const uint64_t memory : {least, least + 1, least + 3 * row, least + 40 * row}) {
        SCOPED_TRACE("orientation " + std::to_string(orientation) + ", " + std::to_string(memory) +
                     " bytes of memory");
        const auto reader = file->open_page(0, memory);
        EXPECT_LE(reader->working_bytes(16, 64), memory);
        ThreadTeam team(memory == least ? 1 : 2);
        EXPECT_EQ(
            difference(read_page(*reader, file->page(0), 16, team), expected, spec.upright_width()),
            "");
      }
      EXPECT_THROW((void)file->open_page(0, least - 1), Error);
    }
  }
}

TEST(ReaderOrientation, TheLeastMemoryIsEnough) {
  for (const uint16_t orientation : kOrientations) {
    for (PageSpec spec : layouts()) {
      spec.orientation = orientation;
      const TempFolder folder;
      write_file(folder / "page.tif", spec, make_samples(spec));
      const auto file = tiff::TiffFile::open(folder / "page.tif");
      const uint64_t least = file->least_memory(0);
      EXPECT_GE(least, least_memory(*file));
      EXPECT_LE(file->open_page(0, least)->working_bytes(16, 64), least);
    }
  }
}

/// Large compressed strips can be decoded from the top only.
TEST(ReaderOrientation, LargeStripFromTheBottom) {
  for (const uint16_t orientation : {uint16_t{3}, uint16_t{4}, uint16_t{6}}) {
    const PageSpec spec{.width_px = 2'300,
                        .height_px = 2'000,
                        .compression = COMPRESSION_LZW,
                        .rows_per_strip = 2'000,
                        .orientation = orientation};
    const TempFolder folder;
    const Samples samples = make_samples(spec);
    write_file(folder / "page.tif", spec, samples);
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    const auto expected = expected_planes(spec, samples);
    for (const uint64_t memory : {least_memory(*file) + 1'000'000, kPlentyOfMemory}) {
      const auto reader = file->open_page(0, memory);
      EXPECT_LE(reader->working_bytes(67, 2), memory);
      ThreadTeam team(2);
      EXPECT_EQ(
          difference(read_page(*reader, file->page(0), 67, team), expected, spec.upright_width()),
          "");
    }
  }
}

/// The planes turned clockwise by a quarter, sample by sample.
Planes turned(const Planes& planes, uint32_t width, uint32_t height) {
  Planes result;
  for (const auto& plane : planes) {
    result.emplace_back();
    for (uint32_t y = 0; y < width; ++y) {
      for (uint32_t x = 0; x < height; ++x) {
        result.back().push_back(plane[(height - 1 - x) * width + y]);
      }
    }
  }
  return result;
}

TEST(ReaderOrientation, RotatesTheUprightPage) {
  for (const uint16_t orientation : kOrientations) {
    for (PageSpec spec : layouts()) {
      spec.orientation = orientation;
      const TempFolder folder;
      const Samples samples = make_samples(spec);
      write_file(folder / "page.tif", spec, samples);
      const auto file = tiff::TiffFile::open(folder / "page.tif");
      Planes expected = expected_planes(spec, samples);
      uint32_t width = spec.upright_width(), height = spec.upright_height();
      for (const Rotation rotation : {Rotation::k90, Rotation::k180, Rotation::k270}) {
        expected = turned(expected, width, height);
        std::swap(width, height);
        const PageInfo page = rotated(file->page(0), rotation);
        ASSERT_EQ(page.width_px, width);
        ASSERT_EQ(page.height_px, height);
        for (const uint64_t memory : {uint64_t{4} << 20, kPlentyOfMemory}) {
          SCOPED_TRACE("orientation " + std::to_string(orientation) + ", rotated by " +
                       std::to_string(static_cast<uint32_t>(rotation)));
          const auto reader = file->open_page(0, memory, {}, rotation);
          ThreadTeam team(2);
          EXPECT_EQ(difference(read_page(*reader, page, 16, team), expected, width), "");
        }
      }
    }
  }
}

TEST(ReaderOrientation, ResolutionTurnsWithThePage) {
  for (const uint16_t orientation : kOrientations) {
    const TempFolder folder;
    const PageSpec spec{.orientation = orientation, .more_tags = [](TIFF* tiff) {
                          TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                          TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 100.0);
                          TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 200.0);
                        }};
    write_file(folder / "page.tif", spec, make_samples(spec));
    const auto file = tiff::TiffFile::open(folder / "page.tif");
    const PageInfo& info = file->page(0);
    EXPECT_EQ(info.orientation, orientation);
    EXPECT_DOUBLE_EQ(info.resolution.x_dpi, orientation < 5 ? 254 : 508);
    EXPECT_DOUBLE_EQ(info.resolution.y_dpi, orientation < 5 ? 508 : 254);
    const PageInfo on_side = rotated(info, Rotation::k90);
    EXPECT_EQ(on_side.resolution, (Resolution{info.resolution.y_dpi, info.resolution.x_dpi}));
    EXPECT_EQ(rotated(info, Rotation::k180), info);
  }
}

}  // namespace
}  // namespace mezzo::test::reader_orientation_test
