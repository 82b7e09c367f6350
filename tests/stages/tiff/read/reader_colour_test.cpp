// Pages that are read as their colours: RGB, palettes, CIELAB. What they must be is worked out pixel
// by pixel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_colour_test {
namespace {

using ::testing::ElementsAre;

constexpr tiff::ReadAs kInColour{.colours = true};

/// A stored sample of L* (axis 0), a* or b* as profiles have it.
uint16_t lab_sample(const PageSpec& spec, size_t axis, uint16_t stored) {
  const bool has_sign = spec.photometric == PHOTOMETRIC_CIELAB;
  if (spec.bits == 8) {
    if (axis == 0 || !has_sign) return stored;
    const int value = stored < 128 ? stored : stored - 256;
    return static_cast<uint16_t>(value + 128);
  }
  if (axis == 0)
    return static_cast<uint16_t>(
        has_sign ? stored : std::min(std::floor(stored * 257 / 256.0 + 0.5), 65535.0));
  if (!has_sign) return stored;
  return static_cast<uint16_t>((stored < 32768 ? stored : stored - 65536) + 32768);
}

std::vector<uint16_t> expected_colour(const PageSpec& spec, const uint16_t* stored) {
  std::vector<uint16_t> colour;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (spec.photometric == PHOTOMETRIC_PALETTE) {
      colour.push_back(spec.colour_map[axis * (spec.colour_map.size() / 3) + stored[0]]);
    } else if (spec.photometric == PHOTOMETRIC_RGB) {
      PageSpec grey = spec;  // each colour is composited as grey would be
      grey.photometric = PHOTOMETRIC_MINISBLACK;
      grey.samples = static_cast<uint16_t>(1 + spec.extras.size());
      const uint16_t alone[] = {stored[axis], spec.extras.empty() ? uint16_t{0} : stored[3]};
      colour.push_back(expected_pixel(grey, alone)[0]);
    } else {
      colour.push_back(lab_sample(spec, axis, stored[axis]));
    }
  }
  return colour;
}

void expect_colours(const PageSpec& spec) {
  SCOPED_TRACE("photometric " + std::to_string(spec.photometric) + ", " +
               std::to_string(spec.bits) + " bits, planar " + std::to_string(spec.planar) +
               ", orientation " + std::to_string(spec.orientation));
  const TempFolder folder;
  const Samples samples = make_samples(spec);
  write_file(folder / "a.tif", spec, samples);
  Planes expected(3);
  for (uint32_t y = 0; y < spec.upright_height(); ++y) {
    for (uint32_t x = 0; x < spec.upright_width(); ++x) {
      const auto [column, row] = stored_place(spec, x, y);
      const auto colour =
          expected_colour(spec, &samples[(row * spec.width_px + column) * spec.samples]);
      for (size_t p = 0; p < 3; ++p) expected[p].push_back(colour[p]);
    }
  }
  const auto file = tiff::TiffFile::open(folder / "a.tif");
  const PageInfo info = file->page(0, kInColour);
  EXPECT_FALSE(info.becomes_grey);
  SoloTeam team;
  const auto reader = file->open_page(0, kPlentyOfMemory, kInColour);
  EXPECT_EQ(difference(read_page(*reader, info, 7, team), expected, info.width_px), "");
}

TEST(ReaderColour, RgbLabAndPalettes) {
  constexpr uint16_t kPlanar[] = {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE};
  constexpr uint16_t kOrientations[] = {1, 6}, kBits[] = {8, 16};
  for (const uint16_t planar : kPlanar) {
    for (const uint16_t orientation : kOrientations) {
      for (const uint16_t bits : kBits) {
        PageSpec spec{.bits = bits,
                      .samples = 3,
                      .photometric = PHOTOMETRIC_RGB,
                      .planar = planar,
                      .orientation = orientation};
        for (const int photometric : {PHOTOMETRIC_RGB, PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB}) {
          spec.photometric = static_cast<uint16_t>(photometric);
          expect_colours(spec);
        }
        spec.photometric = PHOTOMETRIC_RGB;
        spec.samples = 4;
        for (const int alpha : {EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA}) {
          spec.extras = {static_cast<uint16_t>(alpha)};
          expect_colours(spec);
        }
      }
      expect_colours({.bits = 2,
                      .photometric = PHOTOMETRIC_PALETTE,
                      .planar = planar,
                      .orientation = orientation,
                      .colour_map = {0, 65535, 0, 9, 0, 65535, 300, 7, 1, 65535, 0, 65534}});
    }
  }
}

TEST(ReaderColour, IsSaidOfThePage) {
  const TempFolder folder;
  const PageSpec rgb{.samples = 3, .photometric = PHOTOMETRIC_RGB};
  write_file(folder / "rgb.tif", rgb, make_samples(rgb));
  const auto file = tiff::TiffFile::open(folder / "rgb.tif");
  EXPECT_THAT(file->page(0, kInColour).inks, ElementsAre("red", "green", "blue"));
  EXPECT_THAT(file->page(0, kInColour).notes, ElementsAre());
  EXPECT_THAT(file->page(0).inks, ElementsAre("black"));
  EXPECT_EQ(file->page(0).model, PageInfo::Model::kRgb);
  const PageSpec lab{.samples = 3, .photometric = PHOTOMETRIC_CIELAB};
  write_file(folder / "lab.tif", lab, make_samples(lab));
  const PageInfo info = tiff::TiffFile::open(folder / "lab.tif")->page(0);
  EXPECT_EQ(info.model, PageInfo::Model::kLab);
  EXPECT_THAT(info.notes, ElementsAre("CIELAB becomes grey by its lightness"));
}

TEST(ReaderColour, GreyAndInksStayAsTheyAre) {
  const TempFolder folder;
  const PageSpec inks{.samples = 4, .photometric = PHOTOMETRIC_SEPARATED};
  write_file(folder / "a.tif", inks, make_samples(inks));
  const auto file = tiff::TiffFile::open(folder / "a.tif");
  EXPECT_EQ(file->page(0, kInColour), file->page(0));
}

TEST(ReaderColour, ProfilesAreHandedOutAsTheyAre) {
  const TempFolder folder;
  const std::string bytes = "no profile, but bytes";
  PageSpec spec;
  spec.more_tags = [&](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(bytes.size()), bytes.data());
  };
  write_file(folder / "a.tif", spec, make_samples(spec));
  write_file(folder / "b.tif", PageSpec{}, make_samples(PageSpec{}));
  const auto file = tiff::TiffFile::open(folder / "a.tif");
  EXPECT_TRUE(file->page(0).has_profile);
  const std::vector<std::byte> found = file->profile(0);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(found.data()), found.size()), bytes);
  const auto without = tiff::TiffFile::open(folder / "b.tif");
  EXPECT_FALSE(without->page(0).has_profile);
  EXPECT_TRUE(without->profile(0).empty());
}

}  // namespace
}  // namespace mezzo::test::reader_colour_test
