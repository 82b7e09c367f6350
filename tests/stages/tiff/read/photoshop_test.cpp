// Spot colours that Photoshop keeps as extra samples: its image resources, laid down byte by byte, and
// the planes of such pages.
#include "stages/tiff/read/photoshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::photoshop_test {
namespace {

using ::testing::ElementsAre;
using Kind = ExtraChannel::Kind;

std::string big_endian(size_t number, int bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(number >> 8 * bytes & 255);
  return text;
}

/// A block of image resources.
std::string resource(uint32_t number, const std::string& data, const std::string& name = "") {
  std::string block = "8BIM" + big_endian(number, 2) + big_endian(name.size(), 1) + name;
  if (name.size() % 2 == 0) block += '\0';
  block += big_endian(data.size(), 4) + data;
  return data.size() % 2 == 0 ? block : block + '\0';
}

std::string pascal(const std::string& name) {
  return big_endian(name.size(), 1) + name;
}

/// A name in UTF-16, with the NUL that Photoshop counts.
std::string unicode(const std::u16string& name) {
  std::string text = big_endian(name.size() + 1, 4);
  for (const char16_t unit : name) text += big_endian(unit, 2);
  return text + big_endian(0, 2);
}

/// Colour space, colour, solidity and kind of each channel; `padding` bytes behind each.
std::string display(const std::vector<uint8_t>& kinds, size_t padding) {
  std::string text;
  for (const uint8_t kind : kinds) {
    text += big_endian(2, 2) + std::string(8, '\x55') + big_endian(100, 2) + big_endian(kind, 1) +
            std::string(padding, '\0');
  }
  return text;
}

std::string display_of_all(const std::vector<uint8_t>& kinds) {
  return resource(1077, big_endian(1, 4) + display(kinds, 0));
}

std::optional<std::vector<ExtraChannel>> found_in(const std::string& resources) {
  return tiff::photoshop_channels(std::as_bytes(std::span(resources)), 2);
}

/// Of resources that are not damaged.
std::vector<ExtraChannel> channels(const std::string& resources) {
  return found_in(resources).value();
}

const std::vector<ExtraChannel> kUnknown(2);
const std::string kNames = resource(1006, pascal("PANTONE 185 C") + pascal("varnish"));
const std::string kSpots = display_of_all({2, 2});

TEST(Photoshop, NamesItsChannels) {
  EXPECT_THAT(channels(resource(1005, "some", "a name") + kNames + kSpots),
              ElementsAre(ExtraChannel{Kind::kSpot, "PANTONE 185 C"},
                          ExtraChannel{Kind::kSpot, "varnish"}));
  EXPECT_THAT(channels(kNames + display_of_all({0, 1})),
              ElementsAre(ExtraChannel{Kind::kAlpha, "PANTONE 185 C"},
                          ExtraChannel{Kind::kAlpha, "varnish"}));
  EXPECT_THAT(channels(kNames + display_of_all({3, 2})),
              ElementsAre(ExtraChannel{Kind::kUnknown, "PANTONE 185 C"},
                          ExtraChannel{Kind::kSpot, "varnish"}));
}

TEST(Photoshop, PrefersTheLaterResources) {
  const std::string older = kNames + resource(1007, display({0, 0}, 1));
  EXPECT_THAT(channels(older),
              ElementsAre(ExtraChannel{Kind::kAlpha, "PANTONE 185 C"},
                          ExtraChannel{Kind::kAlpha, "varnish"}));
  const std::string names =
      resource(1045, unicode(u"Wei\u00DF") + unicode(u"\u91D1 \U0001F58C \xD800!"));
  EXPECT_THAT(
      channels(older + names + kSpots),
      ElementsAre(ExtraChannel{Kind::kSpot, "Wei\xC3\x9F"},
                  ExtraChannel{Kind::kSpot, "\xE9\x87\x91 \xF0\x9F\x96\x8C \xEF\xBF\xBD!"}));
}

TEST(Photoshop, BelievesNothingThatDoesNotFit) {
  EXPECT_EQ(channels(""), kUnknown);
  EXPECT_EQ(channels(kNames), kUnknown);
  EXPECT_EQ(channels(kNames + display_of_all({2, 2, 2})), kUnknown) << "of three channels";
  EXPECT_EQ(channels(kNames + display_of_all({2})), kUnknown);
  EXPECT_EQ(channels(resource(1077, big_endian(2, 4) + display({2, 2}, 0))), kUnknown)
      << "another version";
  const std::string three = resource(1006, pascal("a") + pascal("b") + pascal("c"));
  EXPECT_EQ(channels(three + kSpots), (std::vector<ExtraChannel>(2, {Kind::kSpot, ""})));
}

TEST(Photoshop, SaysWhereItIsDamaged) {
  const auto is_damaged = [](const std::string& resources) { return !found_in(resources); };
  EXPECT_TRUE(is_damaged(kNames + "8BIX" + kSpots));
  EXPECT_TRUE(is_damaged("9" + kNames.substr(1) + kSpots)) << "no signature";
  EXPECT_FALSE(is_damaged("MeSa" + kNames.substr(4) + kSpots)) << "that of another program";
  EXPECT_TRUE(is_damaged(resource(1006, pascal("a") + "\x09varnish") + kSpots)) << "a name is cut";
  EXPECT_TRUE(is_damaged(resource(1045, unicode(u"a") + big_endian(9, 4)) + kSpots));
}

TEST(Photoshop, ReadsNothingBeyondItsEnd) {
  const std::string whole = kNames + resource(1045, unicode(u"a") + unicode(u"b")) + kSpots;
  for (size_t size = 0; size < whole.size() - 1; ++size) {
    const auto found = found_in(whole.substr(0, size));
    EXPECT_TRUE(!found || (*found)[0].kind == Kind::kUnknown) << size;
  }
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto found = found_in(damaged);
    EXPECT_TRUE(!found || found->size() == 2);
  }
}

void write_spots(const std::string& path, PageSpec spec, const std::string& resources) {
  spec.more_tags = [&](TIFF* tiff) {
    TIFFSetField(
        tiff, TIFFTAG_PHOTOSHOP, static_cast<uint32_t>(resources.size()), resources.data());
  };
  write_file(path, spec, make_samples(spec));
}

PageSpec page_with_two_spots() {
  return {.samples = 6, .photometric = PHOTOMETRIC_SEPARATED, .extras = {0, 0}};
}

TEST(SpotInks, AreBehindTheOthers) {
  const TempFolder folder;
  write_spots(folder / "a.tif", page_with_two_spots(), kNames + kSpots);
  const auto file = tiff::TiffFile::open(folder / "a.tif");
  const PageInfo& plain = file->page(0);
  EXPECT_EQ(plain.extra_channels, 2U);
  EXPECT_EQ(plain.extras, channels(kNames + kSpots));
  EXPECT_EQ(file->page(0, tiff::ReadAs{}), plain);
  const PageInfo spots = file->page(0, {.spots = Polarity::kMaxIsPaper});
  EXPECT_THAT(spots.inks,
              ElementsAre("cyan", "magenta", "yellow", "black", "PANTONE 185 C", "varnish"));
  EXPECT_EQ(spots.extra_channels, 0U);
  EXPECT_THAT(spots.notes, ElementsAre());
  EXPECT_EQ(spots.polarity, Polarity::kMaxIsInk);
  EXPECT_EQ(spots.format, "8-bit 6 inks, uncompressed, 16-row strips");
}

TEST(SpotInks, AreNoMoreThanThePageMayHave) {
  const TempFolder folder;
  write_spots(folder / "a.tif", page_with_two_spots(), kNames + kSpots);
  const auto file = tiff::TiffFile::open(folder / "a.tif", {.max_inks = 5});
  EXPECT_EQ(file->page(0).inks.size(), 4U);
  EXPECT_THROW(file->page(0, {.spots = Polarity::kMaxIsInk}), Error);
}

/// The planes of the page in bands of some rows, as its spots are read with this polarity.
void expect_planes(const PageSpec& spec, Polarity polarity) {
  const TempFolder folder;
  write_spots(folder / "a.tif", spec, kNames + kSpots);
  PageSpec as_inks = spec;
  as_inks.extras.clear();
  Planes expected = expected_planes(as_inks, make_samples(spec));
  const auto file = tiff::TiffFile::open(folder / "a.tif");
  const PageInfo info = file->page(0, {.spots = polarity});
  ASSERT_EQ(info.inks.size(), expected.size());
  for (size_t p = 4; p < expected.size() && polarity == Polarity::kMaxIsPaper; ++p) {
    for (uint16_t& sample : expected[p]) sample = static_cast<uint16_t>(info.max_sample - sample);
  }
  SoloTeam team;
  for (const uint32_t band_rows : {1U, 7U, info.height_px}) {
    const auto reader = file->open_page(0, kPlentyOfMemory, {.spots = polarity});
    EXPECT_EQ(difference(read_page(*reader, info, band_rows, team), expected, info.width_px), "");
  }
}

TEST(SpotInks, HaveTheirPolarity) {
  constexpr uint16_t kBits[] = {1, 8, 12, 16};
  constexpr uint16_t kPlanar[] = {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE};
  constexpr uint16_t kCompressions[] = {COMPRESSION_NONE, COMPRESSION_LZW};
  constexpr uint16_t kOrientations[] = {1, 6};
  for (const Polarity polarity : {Polarity::kMaxIsInk, Polarity::kMaxIsPaper}) {
    for (const uint16_t bits : kBits) {
      for (const uint16_t planar : kPlanar) {
        for (const uint16_t compression : kCompressions) {
          for (const uint16_t orientation : kOrientations) {
            PageSpec spec = page_with_two_spots();
            spec.bits = bits;
            spec.planar = planar;
            spec.compression = compression;
            spec.orientation = orientation;
            SCOPED_TRACE(std::to_string(bits) + " bits, planar " + std::to_string(planar) +
                         ", compression " + std::to_string(compression) + ", orientation " +
                         std::to_string(orientation));
            expect_planes(spec, polarity);
          }
        }
      }
    }
  }
  PageSpec tiled = page_with_two_spots();
  tiled.tile_width_px = tiled.tile_rows = 16;
  expect_planes(tiled, Polarity::kMaxIsPaper);
}

}  // namespace
}  // namespace mezzo::test::photoshop_test
