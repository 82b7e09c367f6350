// A tag that decides something and cannot be read refuses the page by its name; a tag that decides nothing may
// be as broken as it likes. (tests/damage does the same to whole files, through the program.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "stages/tiff/tags.h"
#include "tests/stages/tiff/entry_of.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_trust_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using std::string_literals::operator""s;

/// The message with which the page is refused, or "read".
std::string refusal_of(const std::string& path) {
  try {
    SoloTeam solo;
    const auto file = tiff::TiffFile::open(path);
    (void)read_page(*file->open_page(0, kPlentyOfMemory), file->page(0), 16, solo);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

/// A page that has a tag.
struct TaggedPage {
  uint16_t tag;
  std::string name;
  PageSpec spec;
};

PageSpec with_text(uint16_t tag, const std::string& text) {
  return {.more_tags = [=](TIFF* tiff) { TIFFSetField(tiff, tag, text.c_str()); }};
}

PageSpec with_bytes(uint16_t tag, const std::string& bytes) {
  return {.more_tags = [=](TIFF* tiff) {
    TIFFSetField(tiff, tag, static_cast<uint32_t>(bytes.size()), bytes.data());
  }};
}

PageSpec with_inks(const std::string& names) {
  return {.samples = 5, .photometric = PHOTOMETRIC_SEPARATED, .more_tags = [=](TIFF* tiff) {
            TIFFSetField(tiff, TIFFTAG_INKSET, INKSET_MULTIINK);
            TIFFSetField(tiff, TIFFTAG_NUMBEROFINKS, 5);
            TIFFSetField(tiff, TIFFTAG_INKNAMES, static_cast<uint16_t>(names.size()), names.data());
          }};
}

const std::string kFiveInks = "Gold\0Magenta\0Yellow\0Black\0Varnish\0"s;

/// A block of 84 bytes that says nothing of channels.
const std::string kResources = "8BIM\x03\xED\0\0\0\0\0\x54"s + std::string(84, 'x');

/// Pages whose tag has its values behind the directory.
std::vector<TaggedPage> pages_with_deciding_tags() {
  const PageSpec palette = {.bits = 4,
                            .photometric = PHOTOMETRIC_PALETTE,
                            .colour_map = std::vector<uint16_t>(3 * 16, 40'000)};
  const PageSpec inks = {.samples = 6, .photometric = PHOTOMETRIC_SEPARATED, .extras = {0, 0, 2}};
  const PageSpec resolution = {.more_tags = [](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 300.0);
  }};
  const PageSpec tiles = {.tile_width_px = 16, .tile_rows = 16};
  return {{258, "BitsPerSample", inks},
          {273, "StripOffsets", {}},
          {279, "StripByteCounts", {}},
          {282, "XResolution", resolution},
          {283, "YResolution", resolution},
          {320, "ColorMap", palette},
          {324, "TileOffsets", tiles},
          {325, "TileByteCounts", tiles},
          {333, "InkNames", with_inks(kFiveInks)},
          {338, "ExtraSamples", inks},
          {34377,
           "ImageResources (Photoshop)",
           [&] {
             PageSpec spots = inks;
             spots.more_tags = with_bytes(34377, kResources).more_tags;
             return spots;
           }()},
          {34675, "ICC profile", with_bytes(34675, std::string(500, 'p'))}};
}

/// How an entry is broken.
struct Damage {
  std::string name;
  std::function<void(EntryOf&)> apply;
};

std::vector<Damage> damages() {
  return {{"the last byte is beyond the end",
           [](EntryOf& entry) { entry.set_field(static_cast<uint32_t>(entry.file_bytes()) - 3); }},
          {"all lies beyond the end", [](EntryOf& entry) { entry.set_field(0xFFFF'FF00); }},
          {"no value", [](EntryOf& entry) { entry.set_count(0); }},
          {"far too many values", [](EntryOf& entry) { entry.set_count(0x7FFF'FFFF); }},
          {"no type", [](EntryOf& entry) { entry.set_type(0); }},
          {"a type of the future", [](EntryOf& entry) { entry.set_type(200); }}};
}

TEST(ReaderTrust, WhatDecidesIsReadOrRefusedByName) {
  for (const TaggedPage& page : pages_with_deciding_tags()) {
    for (const Damage& damage : damages()) {
      SCOPED_TRACE(page.name + ": " + damage.name);
      const TempFolder folder;
      const std::string path = folder / "a.tif";
      write_file(path, page.spec, make_samples(page.spec));
      EXPECT_EQ(refusal_of(path), "read");
      {
        EntryOf entry(path, page.tag);
        damage.apply(entry);
      }
      EXPECT_THAT(refusal_of(path), HasSubstr("tag " + page.name + " "));
    }
  }
}

TEST(ReaderTrust, ATagOfOneNumberHasOne) {
  const PageSpec spec = {.bits = 1,
                         .compression = COMPRESSION_CCITTFAX4,
                         .orientation = 6,
                         .fill_order = FILLORDER_LSB2MSB,
                         .more_tags = [](TIFF* tiff) {
                           TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, 0);
                           TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
                           TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 300.0);
                           TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
                         }};
  for (const uint32_t number :
       {254U, 256U, 257U, 259U, 262U, 266U, 274U, 277U, 278U, 282U, 283U, 284U, 296U}) {
    const auto tag = static_cast<uint16_t>(number);
    SCOPED_TRACE(tag);
    for (const uint32_t count : {0U, 2U}) {
      const TempFolder folder;
      const std::string path = folder / "a.tif";
      write_file(path, spec, make_samples(spec));
      EXPECT_EQ(refusal_of(path), "read");
      EntryOf(path, tag).set_count(count);
      EXPECT_THAT(refusal_of(path), HasSubstr("tag " + tiff::tag_name(tag) + " has "));
    }
  }
}

/// libtiff would have these pages grey, and print the numbers of their colours.
TEST(ReaderTrust, APaletteNeedsItsColours) {
  for (const uint32_t depth : {1U, 2U, 4U, 8U, 16U}) {
    const auto bits = static_cast<uint16_t>(depth);
    SCOPED_TRACE(bits);
    const TempFolder folder;
    const std::string path = folder / "a.tif";
    const size_t colours = size_t{1} << bits;
    const PageSpec spec = {.bits = bits,
                           .photometric = PHOTOMETRIC_PALETTE,
                           .colour_map = std::vector<uint16_t>(3 * colours, 40'000)};
    write_file(path, spec, make_samples(spec));
    EXPECT_EQ(refusal_of(path), "read");
    EntryOf(path, 320).set_count(static_cast<uint32_t>(3 * colours - 1));
    EXPECT_THAT(refusal_of(path),
                HasSubstr("tag ColorMap has " + std::to_string(3 * colours - 1) +
                          " values, expected " + std::to_string(3 * colours)));
    EntryOf(path, 320).set_tag(40'000);
    EXPECT_THAT(refusal_of(path), HasSubstr("tag ColorMap is missing"));
  }
}

TEST(ReaderTrust, WhatDecidesNothingIsNotedAtMost) {
  const std::vector<TaggedPage> pages = {
      {269, "DocumentName", with_text(TIFFTAG_DOCUMENTNAME, "a brochure of two pages")},
      {270, "ImageDescription", with_text(TIFFTAG_IMAGEDESCRIPTION, "what is seen on it")},
      {305, "Software", with_text(TIFFTAG_SOFTWARE, "some program")},
      {700, "XMP", with_bytes(700, std::string(300, 'x'))},
      {33723, "IPTC", with_bytes(700, std::string(300, 'i'))},
      {34377, "ImageResources (Photoshop)", with_bytes(34377, std::string(300, '8'))},
      {32934, "32934", with_bytes(700, std::string(300, '?'))}};
  for (const TaggedPage& page : pages) {
    for (const Damage& damage : damages()) {
      SCOPED_TRACE(page.name + ": " + damage.name);
      const TempFolder folder;
      const std::string path = folder / "a.tif";
      write_file(path, page.spec, make_samples(page.spec));
      {
        EntryOf entry(path, page.tag == 32934 || page.tag == 33723 ? 700 : page.tag);
        entry.set_tag(page.tag);
        damage.apply(entry);
      }
      EXPECT_EQ(refusal_of(path), "read");
      EXPECT_THAT(tiff::TiffFile::open(path)->page(0).notes,
                  ElementsAre("tags that cannot be read, and are not needed: " + page.name));
    }
  }
}

/// Tags that say something of inks, on a page that has none.
TEST(ReaderTrust, GreyPagesNeedNoTagsOfInks) {
  const PageSpec spec = with_bytes(700, std::string(300, 'x'));
  for (const uint32_t number : {320U, 332U, 333U, 334U, 336U}) {
    SCOPED_TRACE(number);
    const TempFolder folder;
    write_file(folder / "a.tif", spec, make_samples(spec));
    {
      EntryOf entry(folder / "a.tif", 700);
      entry.set_tag(number);
      entry.set_count(0);
    }
    EXPECT_EQ(refusal_of(folder / "a.tif"), "read");
  }
}

/// Values that old writers use for "I do not know".
TEST(ReaderTrust, ZeroIsTheDefaultOfOrientationAndUnit) {
  const PageSpec spec = {.orientation = 6, .more_tags = [](TIFF* tiff) {
                           TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
                           TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 300.0);
                           TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                         }};
  const TempFolder folder;
  write_file(folder / "a.tif", spec, make_samples(spec));
  EntryOf(folder / "a.tif", 274).set_field(0);
  EntryOf(folder / "a.tif", 296).set_field(0);
  const PageInfo info = tiff::TiffFile::open(folder / "a.tif")->page(0);
  EXPECT_EQ(info.orientation, 1U);
  EXPECT_EQ(info.resolution, (Resolution{300, 300}));
}

/// The inks of a page of five once the entry of their names is changed, or why it is refused.
std::vector<std::string> inks_after(const std::function<void(EntryOf&)>& change) {
  const TempFolder folder;
  const PageSpec spec = with_inks(kFiveInks);
  write_file(folder / "a.tif", spec, make_samples(spec));
  {
    EntryOf entry(folder / "a.tif", 333);
    change(entry);
  }
  const std::string refusal = refusal_of(folder / "a.tif");
  if (refusal != "read") return {refusal.substr(refusal.find(": ") + 2)};
  return tiff::TiffFile::open(folder / "a.tif")->page(0).inks;
}

TEST(ReaderTrust, NamesOfInksAreWhole) {
  const auto size = static_cast<uint32_t>(kFiveInks.size());
  EXPECT_THAT(inks_after([&](EntryOf& entry) { entry.set_count(size - 1); }),
              ElementsAre("Gold", "Magenta", "Yellow", "Black", "Varnish"))
      << "the last NUL is missing";
  EXPECT_THAT(
      inks_after([&](EntryOf& entry) { entry.set_count(13); }),
      ElementsAre("tag NumberOfInks is 5, and tag InkNames has 2 names; export the page again"));
}

TEST(ReaderTrust, TagsOfInksThatContradictEachOther) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  const PageSpec cmyk = {.samples = 4, .photometric = PHOTOMETRIC_SEPARATED, .extras = {0}};
  write_file(path, cmyk, make_samples(cmyk));
  EXPECT_THAT(refusal_of(path), HasSubstr("tag ExtraSamples takes 1 of 4 samples"));
  const PageSpec set = {.samples = 4,
                        .photometric = PHOTOMETRIC_SEPARATED,
                        .more_tags = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_INKSET, 2); }};
  write_file(path, set, make_samples(set));
  EntryOf(path, 332).set_field(0);
  EXPECT_THAT(refusal_of(path), HasSubstr("tag InkSet is 0, expected 1 or 2"));
  PageSpec names = with_inks("Orange\0Green\0Violet\0Varnish\0"s);
  names.samples = 4;
  names.more_tags = [](TIFF* tiff) {
    const std::string text = "Orange\0Green\0Violet\0Varnish\0"s;
    TIFFSetField(tiff, TIFFTAG_NUMBEROFINKS, 4);
    TIFFSetField(tiff, TIFFTAG_INKNAMES, static_cast<uint16_t>(text.size()), text.data());
  };
  write_file(path, names, make_samples(names));
  const PageInfo info = tiff::TiffFile::open(path)->page(0);
  EXPECT_THAT(info.inks, ElementsAre("cyan", "magenta", "yellow", "black"));
  EXPECT_THAT(info.notes, ElementsAre(HasSubstr("no tag InkSet")));
}

TEST(ReaderTrust, MasksAreNoted) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  const PageSpec page;
  const PageSpec mask = {.bits = 1, .photometric = PHOTOMETRIC_MASK, .more_tags = [](TIFF* file) {
                           TIFFSetField(file, TIFFTAG_SUBFILETYPE, FILETYPE_MASK);
                         }};
  for (const PageSpec& spec : {page, mask}) write_page(tiff, spec, make_samples(spec));
  TIFFClose(tiff);
  const auto file = tiff::TiffFile::open(path);
  EXPECT_EQ(file->page_count(), 1U);
  EXPECT_THAT(file->page(0).notes, ElementsAre("its transparency mask is ignored"));
}

}  // namespace
}  // namespace mezzo::test::reader_trust_test
