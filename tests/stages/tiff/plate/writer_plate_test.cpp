// What the file of a plate says, which name it has and when, and what becomes of other files there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tiffio.h>

#include <chrono>
#include <cstring>
#include <fstream>

#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/plate_output.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::writer_plate_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct TiffCloserForTest {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using OpenTiff = std::unique_ptr<TIFF, TiffCloserForTest>;

template <typename T>
T tag_of(TIFF* tiff, uint32_t number) {
  T value{};
  EXPECT_EQ(TIFFGetField(tiff, number, &value), 1) << "tag " << number;
  return value;
}

std::string text_of(TIFF* tiff, uint32_t number) {
  const char* text = nullptr;
  return TIFFGetField(tiff, number, &text) == 1 ? text : "(none)";
}

tiff::PlatePage full_page(const BitBand& bits) {
  tiff::PlatePage page = page_of(bits, 16);
  page.resolution = {2400, 1693.333};
  page.ink = "Spot Orange";
  page.document_name = "brochure p. 4";
  return page;
}

void expect_error(ErrorKind kind, const std::vector<std::string>& words, const Error& error) {
  EXPECT_EQ(error.kind(), kind) << error.what();
  for (const std::string& word : words) EXPECT_THAT(error.what(), HasSubstr(word));
}

TEST(PlateTags, SayWhatThePlateIs) {
  const TempFolder folder;
  Bits bits = Bits::diffused(501, 40);
  const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
  write_page(*file,
             full_page(bits.band()),
             bits.band(),
             tiff::Compression::kLzw,
             "mezzo 1",
             "seed: 7",
             true);
  SoloTeam team;
  publish(*file, team);

  const OpenTiff tiff(TIFFOpen((folder / "a.tif").c_str(), "r"));
  ASSERT_TRUE(tiff);
  TIFF* t = tiff.get();
  EXPECT_FALSE(TIFFIsBigTIFF(t));
  EXPECT_FALSE(TIFFIsBigEndian(t));
  EXPECT_EQ(tag_of<uint32_t>(t, TIFFTAG_IMAGEWIDTH), 501U);
  EXPECT_EQ(tag_of<uint32_t>(t, TIFFTAG_IMAGELENGTH), 40U);
  EXPECT_EQ(tag_of<uint32_t>(t, TIFFTAG_ROWSPERSTRIP), 16U);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_BITSPERSAMPLE), 1);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_SAMPLESPERPIXEL), 1);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_PHOTOMETRIC), PHOTOMETRIC_MINISWHITE);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_FILLORDER), FILLORDER_MSB2LSB);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_ORIENTATION), ORIENTATION_TOPLEFT);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_COMPRESSION), COMPRESSION_LZW);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_RESOLUTIONUNIT), RESUNIT_INCH);
  EXPECT_FLOAT_EQ(tag_of<float>(t, TIFFTAG_XRESOLUTION), 2400);
  EXPECT_FLOAT_EQ(tag_of<float>(t, TIFFTAG_YRESOLUTION), 1693.333F);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_NUMBEROFINKS), 1);
  EXPECT_EQ(tag_of<uint16_t>(t, TIFFTAG_INKSET), INKSET_MULTIINK);
  EXPECT_EQ(text_of(t, TIFFTAG_PAGENAME), "Spot Orange");
  EXPECT_EQ(text_of(t, TIFFTAG_DOCUMENTNAME), "brochure p. 4");
  EXPECT_EQ(text_of(t, TIFFTAG_SOFTWARE), "mezzo 1");
  EXPECT_EQ(text_of(t, TIFFTAG_IMAGEDESCRIPTION), "seed: 7");
  EXPECT_EQ(text_of(t, TIFFTAG_DATETIME), "(none)");
  uint16_t number = 0;
  uint16_t count = 0;
  EXPECT_EQ(TIFFGetField(t, TIFFTAG_PAGENUMBER, &number, &count), 0);

  const tiff::Plate plate = tiff::read_plate(folder / "a.tif");
  EXPECT_EQ(plate.page.ink, "Spot Orange");
  EXPECT_EQ(plate.software, "mezzo 1");
  EXPECT_EQ(plate.description, "seed: 7");
  EXPECT_EQ(plate.file_bytes, file->file_bytes());
}

TEST(PlateTags, AreLeftOutWhenUnknown) {
  const TempFolder folder;
  Bits bits(50, 20);
  write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kG4);
  const OpenTiff tiff(TIFFOpen((folder / "a.tif").c_str(), "r"));
  ASSERT_TRUE(tiff);
  float dpi = 0;
  EXPECT_EQ(TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &dpi), 0);
  EXPECT_EQ(text_of(tiff.get(), TIFFTAG_PAGENAME), "(none)");
  EXPECT_EQ(text_of(tiff.get(), TIFFTAG_SOFTWARE), "(none)");
  EXPECT_EQ(tiff::read_plate(folder / "a.tif").page.resolution, Resolution{});
}

TEST(PlateFile, HoldsSeveralPages) {
  const TempFolder folder;
  const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
  std::vector<Bits> pages;
  for (uint32_t p = 0; p < 5; ++p) {
    pages.push_back(Bits::diffused(100 + 33 * p, 50 + p, p + 1));
    tiff::PlatePage page = page_of(pages[p].band(), 8);
    page.page_index = p;
    page.page_count = 5;
    write_page(*file, page, pages[p].band(), real_compressions()[p], "", std::to_string(p));
  }
  ThreadTeam team(3);
  publish(*file, team);
  EXPECT_EQ(tiff::plate_content_sum(folder / "a.tif"), file->content_sum());
  for (uint32_t p = 0; p < 5; ++p) {
    const tiff::Plate plate = tiff::read_plate(folder / "a.tif", p);
    EXPECT_EQ(plate.page.page_count, 5U);
    EXPECT_EQ(plate.page.page_index, p);
    EXPECT_EQ(plate.compression, real_compressions()[p]);
    EXPECT_EQ(plate.description, std::to_string(p));
    EXPECT_TRUE(plate.bits == pages[p].bytes());
  }
  const OpenTiff tiff(TIFFOpen((folder / "a.tif").c_str(), "r"));
  ASSERT_TRUE(tiff && TIFFSetDirectory(tiff.get(), 3) == 1);
  EXPECT_EQ(tag_of<uint32_t>(tiff.get(), TIFFTAG_SUBFILETYPE), uint32_t{FILETYPE_PAGE});
  uint16_t number = 0;
  uint16_t count = 0;
  EXPECT_EQ(TIFFGetField(tiff.get(), TIFFTAG_PAGENUMBER, &number, &count), 1);
  EXPECT_EQ(number, 3);
  EXPECT_EQ(count, 5);
  EXPECT_THROW(tiff::read_plate(folder / "a.tif", 5), Error);
}

TEST(PlateFile, BecomesBigTiffBeforeItCouldOverflow) {
  const TempFolder folder;
  Bits bits = Bits::noise(100, 30);
  const uint64_t limit = (uint64_t{1} << 32) - (1 << 24);
  for (const uint64_t worst : {uint64_t{0}, limit, limit + 1, uint64_t{1} << 40}) {
    const auto file = tiff::PlateFile::create(folder / "a.tif", worst);
    write_page(*file, page_of(bits.band(), 8), bits.band(), tiff::Compression::kLzw, "", "", true);
    SoloTeam team;
    publish(*file, team);  // begun anew, and still of the same kind
    EXPECT_EQ(tiff::PlateReader::open(folder / "a.tif")->big_tiff(), worst > limit) << worst;
    EXPECT_TRUE(tiff::read_plate(folder / "a.tif").bits == bits.bytes());
  }
}

TEST(PlateFile, NeverLargerWritesOnlyThePagesRawThatAre) {
  const TempFolder folder;
  Bits noise = Bits::noise(1000, 100);
  Bits bars = Bits::bars(1000, 100);
  const auto write = [&](bool never_larger) {
    const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
    tiff::PlatePage page = page_of(noise.band(), 32);
    page.page_count = 2;
    page.ink = "cyan";
    page.resolution = {600, 600};
    write_page(*file, page, noise.band(), tiff::Compression::kG4, "s", "d", never_larger);
    page.page_index = 1;
    write_page(*file, page, bars.band(), tiff::Compression::kG4, "s", "d", never_larger);
    ThreadTeam team(2);
    publish(*file, team);
    EXPECT_EQ(file->page_compression(0),
              never_larger ? tiff::Compression::kNone : tiff::Compression::kG4);
    EXPECT_EQ(file->page_compression(1), tiff::Compression::kG4);
    EXPECT_EQ(file->file_bytes(), std::filesystem::file_size(folder / "a.tif"));
    EXPECT_THAT(folder.names(), ElementsAre("a.tif"));
    return file->content_sum();
  };
  const std::string kept = write(false);
  EXPECT_EQ(tiff::read_plate(folder / "a.tif").compression, tiff::Compression::kG4);
  EXPECT_GT(std::filesystem::file_size(folder / "a.tif"), noise.bytes().size() * 2);

  EXPECT_EQ(write(true), kept);
  const tiff::Plate first = tiff::read_plate(folder / "a.tif", 0);
  const tiff::Plate second = tiff::read_plate(folder / "a.tif", 1);
  EXPECT_EQ(first.compression, tiff::Compression::kNone);
  EXPECT_EQ(second.compression, tiff::Compression::kG4);
  EXPECT_TRUE(first.bits == noise.bytes() && second.bits == bars.bytes());
  EXPECT_EQ(first.page.ink, "cyan");
  EXPECT_EQ(first.software + first.description, "sd");
  EXPECT_EQ(first.page.resolution, (Resolution{600, 600}));
}

/// A plate of a page that turns to noise at some row, by strips as the CPU gives them or as a GPU does,
/// and the strip from which on rows were enough.
struct TurnedPlate {
  std::string bytes;
  uint32_t first_of_rows = 0;
};

TurnedPlate turned_plate(const std::string& path,
                         Bits& bits,
                         tiff::Compression compression,
                         bool on_gpu) {
  const tiff::PlatePage page = page_of(bits.band(), 8);
  const auto file = tiff::PlateFile::create(path, 1 << 20);
  file->begin_page(page, compression, true);
  TurnedPlate plate;
  for (uint32_t s = 0; s < tiff::strip_count(page); ++s) {
    const BitBand rows = bits.band().slice(8 * s, tiff::strip_rows(page, s));
    const bool is_coded = !file->takes_rows() || on_gpu;
    if (!file->takes_rows()) ++plate.first_of_rows;
    const auto coded = is_coded ? tiff::encode_strip(rows, compression) : std::vector<std::byte>();
    tiff::PlateStrip strip = tiff::summed(rows, coded);
    if (on_gpu && s % 3 != 0) strip.rows.data = nullptr;  // some bands come down as rows
    file->write_strip(strip);
  }
  file->end_page("s", "d");
  SoloTeam team;
  publish(*file, team);
  plate.bytes = content_of(path);
  return plate;
}

// The file is that of a page without compression, wherever coding ends.
TEST(PlateFile, StopsCodingAsSoonAsThePageIsLarger) {
  const TempFolder folder;
  for (const uint32_t noise_from : {0U, 20U, 40U}) {
    Bits bits = Bits::noise(1000, 100);
    Bits bars = Bits::bars(1000, noise_from);
    std::ranges::copy(bars.bytes(), bits.band().data);
    const auto raw = tiff::PlateFile::create(folder / "raw.tif", 1 << 20);
    write_page(*raw, page_of(bits.band(), 8), bits.band(), tiff::Compression::kNone, "s", "d");
    SoloTeam team;
    publish(*raw, team);
    const std::string expected = content_of(folder / "raw.tif");
    for (const auto compression : {tiff::Compression::kG3, tiff::Compression::kG4}) {
      const TurnedPlate plate = turned_plate(folder / "a.tif", bits, compression, false);
      EXPECT_TRUE(plate.bytes == expected) << noise_from;
      EXPECT_LT(plate.first_of_rows, 13U) << noise_from;
    }
    const TurnedPlate by_gpu = turned_plate(folder / "a.tif", bits, tiff::Compression::kG4, true);
    EXPECT_TRUE(by_gpu.bytes == expected) << noise_from;
    EXPECT_THAT(folder.names(), ElementsAre("a.tif", "raw.tif"));
  }
}

TEST(PlateFile, IsInvisibleUntilPublishedAndGoneWhenNot) {
  const TempFolder folder;
  Bits bits = Bits::noise(64, 64);
  {
    const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
    ASSERT_EQ(folder.names().size(), 1U);
    EXPECT_THAT(folder.names()[0],
                testing::MatchesRegex("\\.a\\.tif\\.[0-9]+-[0-9a-f]+-[0-9a-f]+\\.part"));
    write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kLzw);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.tif"));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
  {  // in the middle of a page
    const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
    file->begin_page(page_of(bits.band(), 8), tiff::Compression::kNone);
    const BitBand strip = bits.band().slice(0, 8);
    file->write_strip(tiff::summed(strip, {}));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PlateFile, ReplacesOrRefusesAnOlderFile) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  Bits older = Bits::noise(40, 40, 1);
  Bits newer = Bits::noise(40, 40, 2);
  write_plate(path, page_of(older.band()), older.band(), tiff::Compression::kNone);
  write_plate(path, page_of(newer.band()), newer.band(), tiff::Compression::kNone);
  EXPECT_TRUE(tiff::read_plate(path).bits == newer.bytes());
  EXPECT_THAT(folder.names(), ElementsAre("a.tif"));
  try {
    tiff::PlateFile::create(path, 1 << 20, files::ExistingFile::kRefuse);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotCreate);
    EXPECT_EQ(error.what(),
              path + ": creating it failed: File exists; remove it, or allow it to be replaced");
  }
}

TEST(PlateFile, RefusesAFileThatAppearsMeanwhile) {
  const TempFolder folder;
  Bits bits = Bits::noise(40, 40);
  const auto file =
      tiff::PlateFile::create(folder / "a.tif", 1 << 20, files::ExistingFile::kRefuse);
  write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  std::ofstream(folder / "a.tif") << "precious";
  SoloTeam team;
  try {
    publish(*file, team);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    expect_error(ErrorKind::kCannotCreate, {"a.tif", "File exists"}, error);
  }
  EXPECT_EQ(content_of(folder / "a.tif"), "precious");
}

TEST(PlateFile, ReplacesASymbolicLinkAndNeverFollowsIt) {
  const TempFolder folder;
  const TempFolder elsewhere;
  std::ofstream(elsewhere / "victim") << "precious";
  std::filesystem::create_symlink(elsewhere / "victim", folder / "a.tif");
  Bits bits = Bits::noise(40, 40);
  write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.tif"));
  EXPECT_TRUE(tiff::read_plate(folder / "a.tif").bits == bits.bytes());
  EXPECT_EQ(content_of(elsewhere / "victim"), "precious");
  EXPECT_THAT(folder.names(), ElementsAre("a.tif"));

  std::filesystem::create_symlink(elsewhere / "nowhere", folder / "b.tif");
  EXPECT_THROW(tiff::PlateFile::create(folder / "b.tif", 0, files::ExistingFile::kRefuse), Error);
  EXPECT_FALSE(std::filesystem::exists(elsewhere / "nowhere"));
}

TEST(PlateFile, RefusesAFolderUnderItsName) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "a.tif");
  try {
    tiff::PlateFile::create(folder / "a.tif", 1 << 20);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    expect_error(ErrorKind::kCannotCreate, {"a.tif", "Is a directory"}, error);
  }
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a.tif"));
}

TEST(PlateFile, LeavesAFolderAloneThatAppearsUnderItsName) {
  const TempFolder folder;
  Bits bits = Bits::noise(40, 40);
  const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
  write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  std::filesystem::create_directory(folder / "a.tif");
  SoloTeam team;
  EXPECT_THROW(publish(*file, team), Error);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a.tif"));
}

TEST(PlateFile, MakesMissingFolders) {
  const TempFolder folder;
  Bits bits = Bits::noise(40, 40);
  const std::string path = folder / "x/y/z/a.tif";
  write_plate(path, page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  EXPECT_TRUE(tiff::read_plate(path).bits == bits.bytes());
  std::ofstream(folder / "plain") << "a file";
  try {
    tiff::PlateFile::create(folder / "plain/a.tif", 0);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    expect_error(ErrorKind::kCannotCreate, {"plain/a.tif", "Not a directory"}, error);
  }
}

TEST(PlateFile, TakesTheLongestName) {
  const TempFolder folder;
  Bits bits = Bits::noise(40, 40);
  std::string name;
  for (int i = 0; i < 127; ++i) name += "\u00e4";  // two bytes each
  write_plate(folder / (name + "t"), page_of(bits.band()), bits.band(), tiff::Compression::kNone);
  EXPECT_THAT(folder.names(), ElementsAre(name + "t"));
  {
    // The temporary name is cut short between characters: behind its dot, pairs of bytes.
    const TempFolder other;
    const auto file = tiff::PlateFile::create(other / name, 0);
    EXPECT_THAT(other.names()[0], testing::ContainsRegex("^\\.(\xC3\xA4)+\\.[0-9]"));
    const auto odd = tiff::PlateFile::create(other / ("t" + name), 0);
    EXPECT_THAT(other.names(),
                testing::Contains(testing::ContainsRegex("^\\.t(\xC3\xA4)+\\.[0-9]")));
  }
  EXPECT_THROW(tiff::PlateFile::create(folder / (name + "tt"), 0), Error);
}

TEST(PlateFile, HasThePermissionsOfAnyNewFile) {
  const TempFolder folder;
  Bits bits = Bits::noise(40, 40);
  for (const auto& [mask, mode] : {std::pair{027U, 0640U}, {022U, 0644U}, {0U, 0666U}}) {
    const mode_t old_mask = ::umask(mask);
    write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kNone);
    ::umask(old_mask);
    struct stat found {};
    ASSERT_EQ(::stat((folder / "a.tif").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, mode);
  }
}

TEST(PlateFile, FindsStripsThatDoNotDecodeToTheirRows) {
  const TempFolder folder;
  Bits bits = Bits::diffused(400, 64);
  for (const tiff::Compression compression : real_compressions()) {
    if (compression == tiff::Compression::kNone) continue;  // the rows are written
    const auto file = tiff::PlateFile::create(folder / "a.tif", 1 << 20);
    const tiff::PlatePage page = page_of(bits.band(), 16);
    file->begin_page(page, compression);
    for (uint32_t s = 0; s < 4; ++s) {
      const BitBand strip = bits.band().slice(s * 16, 16);
      std::vector<std::byte> encoded = tiff::encode_strip(strip, compression);
      if (s == 2) encoded[encoded.size() / 2] ^= std::byte{0x10};
      file->write_strip(tiff::summed(strip, encoded));
    }
    file->end_page("", "");
    ThreadTeam team(2);
    try {
      publish(*file, team);
      ADD_FAILURE() << to_string(compression) << " published";
    } catch (const Error& error) {
      expect_error(ErrorKind::kIo, {folder / "a.tif", "nothing was published"}, error);
      EXPECT_THAT(error.what(), HasSubstr("strip 3 of page 1"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.tif"));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PlateFile, RefusesRowsThatG3ReadersCannotDecode) {
  const TempFolder folder;
  for (const uint32_t width : {31U, 32U, 33U, 64U, 1000U, 1024U}) {
    for (const uint32_t first : {0U, 1U}) {
      Bits bits(width, 3);
      for (uint32_t x = first; x < width; x += 2) bits.set(x, 2);
      bool published = true;
      try {
        write_plate(folder / "a.tif", page_of(bits.band()), bits.band(), tiff::Compression::kG3);
      } catch (const Error& error) {
        published = false;
        expect_error(ErrorKind::kUnsupported, {"a row alternates", "g3", "auto"}, error);
      }
      EXPECT_EQ(published, width % 32 != 0 || first != 0) << width;
    }
  }
}

TEST(PlateReader, RefusesWhatIsNoPlate) {
  const TempFolder folder;
  EXPECT_THROW(tiff::read_plate(folder / "missing.tif"), Error);
  std::ofstream(folder / "text.tif") << "this is no TIFF file at all";
  EXPECT_THROW(tiff::read_plate(folder / "text.tif"), Error);
  {
    const OpenTiff tiff(TIFFOpen((folder / "grey.tif").c_str(), "w"));
    TIFFSetField(tiff.get(), TIFFTAG_IMAGEWIDTH, 8);
    TIFFSetField(tiff.get(), TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff.get(), TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff.get(), TIFFTAG_ORIENTATION, 1);
    uint8_t row[8] = {};
    TIFFWriteEncodedStrip(tiff.get(), 0, row, 8);
  }
  try {
    tiff::read_plate(folder / "grey.tif");
    ADD_FAILURE() << "read";
  } catch (const Error& error) {
    expect_error(ErrorKind::kData, {"grey.tif", "BitsPerSample is not 1"}, error);
  }
}

TEST(PlateReader, ReportsATruncatedPlate) {
  const TempFolder folder;
  Bits bits = Bits::diffused(400, 64);
  write_plate(folder / "a.tif", page_of(bits.band(), 16), bits.band(), tiff::Compression::kLzw);
  const uint64_t size = std::filesystem::file_size(folder / "a.tif");
  for (uint64_t keep = 0; keep < size; keep += 7) {
    std::filesystem::copy_file(
        folder / "a.tif", folder / "b.tif", std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(folder / "b.tif", keep);
    EXPECT_THROW(tiff::read_plate(folder / "b.tif"), Error) << keep;
  }
}

TEST(ChooseCompression, TakesTheSmallestOfTheFast) {
  Bits noise = Bits::noise(2000, 64);
  Bits blank(2000, 64);
  Bits bars = Bits::bars(2000, 64);
  Bits diffused = Bits::diffused(2000, 64);
  Bits screen(2000, 64);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = y % 2; x < 2000; x += 2) screen.set(x, y);
  }
  // Noise that repeats to the right, as the masks of stochastic screens do.
  Bits mask(2000, 64);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 2000; ++x) {
      if (noise.band().ink(x % 64, y)) mask.set(x, y);
    }
  }
  // Diffused dots with margins.
  Bits paper(2000, 64);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 600; x < 1400; ++x) {
      if (diffused.band().ink(x, y)) paper.set(x, y);
    }
  }
  ThreadTeam team(3);
  const auto choose = [&](Bits& bits) {
    const BitBand samples[] = {bits.band().slice(0, 32), bits.band().slice(32, 32)};
    const tiff::Compression chosen = tiff::choose_compression(samples, team);
    SoloTeam solo;
    EXPECT_EQ(tiff::choose_compression(samples, solo), chosen);
    return chosen;
  };
  EXPECT_EQ(choose(noise), tiff::Compression::kNone);
  EXPECT_EQ(choose(blank), tiff::Compression::kG4);
  EXPECT_EQ(choose(bars), tiff::Compression::kG4);
  EXPECT_EQ(choose(screen), tiff::Compression::kPackBits);
  EXPECT_EQ(choose(diffused), tiff::Compression::kNone);  // LZW saves less than a third
  EXPECT_EQ(choose(mask), tiff::Compression::kLzw);
  EXPECT_EQ(choose(paper), tiff::Compression::kPackBits);
  EXPECT_EQ(tiff::choose_compression({}, team), tiff::Compression::kNone);
}

TEST(ChooseCompression, PrefersTheSimplerOfEquals) {
  Bits dot(8, 1);  // one byte: PackBits, LZW and the others need more
  SoloTeam team;
  const BitBand sample = dot.band();
  EXPECT_EQ(tiff::choose_compression({&sample, 1}, team), tiff::Compression::kNone);
}

TEST(PlateRowsPerStrip, DependsOnWidthAlone) {
  EXPECT_EQ(tiff::plate_rows_per_strip(8192), 64U);
  EXPECT_EQ(tiff::plate_rows_per_strip(16384), 32U);
  EXPECT_EQ(tiff::plate_rows_per_strip(1), 65536U);
  EXPECT_EQ(tiff::plate_rows_per_strip(100'000), 8U);
  EXPECT_EQ(tiff::plate_rows_per_strip(4'000'000'000), 8U);
  tiff::PlatePage page;
  page.rows_per_strip = 64;
  for (const auto& [height, strips] :
       {std::pair{1U, 1U}, {63U, 1U}, {64U, 1U}, {65U, 2U}, {0xFFFFFFFFU, 0x4000000U}}) {
    page.height_px = height;
    EXPECT_EQ(tiff::strip_count(page), strips);
  }
}

TEST(WorstCaseBytes, AreNeverExceeded) {
  const TempFolder folder;
  for (const uint32_t width : {1U, 2U, 9U, 63U, 1000U}) {
    Bits checks(width, 200);
    Bits stripes(width, 200);
    for (uint32_t y = 0; y < 200; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        if ((x + y) % 2 == 0) checks.set(x, y);
        if (x % 2 == 0 && y % 2 == 0) stripes.set(x, y);
      }
    }
    Bits noise = Bits::noise(width, 200);
    for (Bits* bits : {&checks, &stripes, &noise}) {
      for (const tiff::Compression compression : real_compressions()) {
        const tiff::PlatePage page = page_of(bits->band(), 8);
        write_plate(folder / "a.tif", page, bits->band(), compression);
        EXPECT_LT(std::filesystem::file_size(folder / "a.tif"),
                  tiff::worst_case_bytes(page, compression) - 66 * 1024)
            << to_string(compression) << " " << width;
        EXPECT_LE(tiff::worst_case_bytes(page, compression),
                  tiff::worst_case_bytes(page, tiff::Compression::kAutomatic));
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::writer_plate_test
