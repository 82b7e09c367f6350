// What is refused, with the words that a user reads; and files that end too early.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/stages/tiff/read/reader_fixture.h"
#include "tests/support/read_work.h"

namespace mezzo::test::reader_refusal_test {
namespace {

/// A refusal: its kind, and its message with the path of the file left out.
struct Refusal {
  ErrorKind kind = ErrorKind::kBug;
  std::string message = "nothing was refused";
  bool operator==(const Refusal&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << static_cast<int>(refusal.kind) << " \"" << refusal.message << '"';
}

Refusal refusal_of(const std::string& path, const tiff::InputLimits& limits = {}) {
  try {
    const auto file = tiff::TiffFile::open(path, limits);
    SoloTeam solo;
    for (uint32_t i = 0; i < file->page_count(); ++i) {
      (void)read_page(*file->open_page(i, kPlentyOfMemory), file->page(i), 16, solo);
    }
  } catch (const Error& error) {
    std::string message = error.finding();
    if (error.kind() == ErrorKind::kData) {
      EXPECT_TRUE(error.advice().starts_with("export the page")) << error.what();
    }
    const size_t at = message.find(path);
    EXPECT_EQ(at, 0U) << message;
    return {error.kind(), message.substr(path.size())};
  }
  return {};
}

Refusal refusal_of(const RawTiff& tiff, const tiff::InputLimits& limits = {}) {
  const TempFolder folder;
  tiff.save(folder / "page.tif");
  return refusal_of(folder / "page.tif", limits);
}

/// The plain page with other tags; an empty value takes the tag out.
Refusal refusal_with(const RawTags& changes, const tiff::InputLimits& limits = {}) {
  RawTags tags = plain_tags();
  for (const auto& [tag, values] : changes) tags[tag] = values;
  std::erase_if(tags, [](const auto& entry) { return entry.second.empty(); });
  const bool places = changes.contains(273) || changes.contains(279) || changes.contains(322);
  if (!places) return refusal_of(make_raw_tiff(tags, {std::string(32, 'x')}), limits);
  RawTiff tiff;
  tiff.add_directory(tags);
  tiff.append(std::string(100, 'x'));
  return refusal_of(tiff, limits);
}

TEST(ReaderRefusal, NothingOfThePlainPage) {
  EXPECT_EQ(refusal_with({}).message, "nothing was refused");
}

TEST(ReaderRefusal, FeaturesByName) {
  const auto unsupported = [](const std::string& message) {
    return Refusal{ErrorKind::kUnsupported, message};
  };
  const std::string codecs =
      " is not supported; expected none, PackBits, LZW, Deflate, CCITT, JPEG or ZSTD";
  EXPECT_EQ(refusal_with({{259, {6}}}), unsupported(": compression 6 (old-style JPEG)" + codecs));
  EXPECT_EQ(refusal_with({{259, {34925}}}), unsupported(": compression 34925 (LZMA)" + codecs));
  EXPECT_EQ(refusal_with({{259, {50001}}}), unsupported(": compression 50001 (WebP)" + codecs));
  EXPECT_EQ(refusal_with({{259, {34887}}}), unsupported(": compression 34887 (LERC)" + codecs));
  EXPECT_EQ(refusal_with({{259, {34676}}}), unsupported(": compression 34676 (SGILog)" + codecs));
  EXPECT_EQ(refusal_with({{259, {32771}}}),
            unsupported(": compression 32771 (CCITT RLE/W)" + codecs));
  EXPECT_EQ(refusal_with({{259, {178}}}), unsupported(": compression 178 (unknown)" + codecs));
  const std::string colours =
      " is not supported; expected grey, palette, RGB, CIELAB, separated, or YCbCr in JPEG";
  EXPECT_EQ(refusal_with({{262, {10}}, {277, {3}}}),
            unsupported(": photometric interpretation 10 (ITULab)" + colours));
  EXPECT_EQ(refusal_with({{262, {9}}, {258, {4}}, {277, {3}}}),
            unsupported(": CIELAB with 4 bits per sample is not supported; expected 8 or 16"));
  EXPECT_EQ(refusal_with({{262, {4}}}),
            unsupported(": photometric interpretation 4 (transparency mask)" + colours));
  EXPECT_EQ(refusal_with({{262, {6}}, {258, {8, 8, 8}}, {277, {3}}, {530, {1, 1}}}),
            unsupported(": photometric interpretation 6 (YCbCr) is supported with JPEG compression "
                        "only, found compression 1 (uncompressed)"));
  EXPECT_EQ(refusal_with({{339, {2}}}),
            unsupported(": sample format 2 (signed integers) is not supported; expected unsigned "
                        "integers"));
  EXPECT_EQ(refusal_with({{258, {32}}, {339, {3}}}),
            unsupported(": sample format 3 (floating point) is not supported; expected unsigned "
                        "integers"));
  for (const uint32_t bits : {3U, 10U, 14U, 24U, 32U, 64U}) {
    EXPECT_EQ(refusal_with({{258, {bits}}}),
              unsupported(": " + std::to_string(bits) +
                          " bits per sample are not supported; expected 1, 2, 4, 8, 12 or 16"));
  }
  EXPECT_EQ(refusal_with({{258, {8, 4, 8}}, {277, {3}}, {262, {2}}}),
            unsupported(": samples that differ in their bits or format are not supported: tag "
                        "BitsPerSample is 8, 4, 8"));
  EXPECT_EQ(refusal_with({{32997, {2}}}),
            unsupported(": tag ImageDepth is 2; only flat pages are supported"));
  EXPECT_EQ(refusal_with({{259, {5}}, {317, {3}}}),
            unsupported(": predictor 3 with 8 bits per sample is not supported"));
  EXPECT_EQ(refusal_with({{254, {1}}}),
            unsupported(": expected a page, found 1 reduced-resolution images or masks only"));
}

TEST(ReaderRefusal, DamagedTags) {
  const auto damaged = [](const std::string& message) {
    return Refusal{ErrorKind::kData, message};
  };
  const auto unsupported = [](const std::string& message) {
    return Refusal{ErrorKind::kUnsupported, message};
  };
  EXPECT_EQ(refusal_with({{256, {0}}}), damaged(": tag ImageWidth is 0"));
  EXPECT_EQ(refusal_with({{257, {0}}}), damaged(": tag ImageLength is 0"));
  EXPECT_EQ(refusal_with({{256, {}}}), damaged(": tag ImageWidth is missing"));
  EXPECT_EQ(refusal_with({{257, {4, 4}}}), damaged(": tag ImageLength has 2 values, expected 1"));
  EXPECT_EQ(refusal_with({{262, {}}}), damaged(": tag PhotometricInterpretation is missing"));
  EXPECT_EQ(refusal_with({{258, {8, 8, 8, 8}}, {277, {4}}, {262, {5}}, {336, {9, 9}}}),
            damaged(": tag DotRange is 9 .. 9, which is no range of samples of 8 bits"));
  const RawTags separated = {{258, {8, 8, 8, 8}}, {277, {4}}, {262, {5}}};
  const auto with_range = [&](std::vector<uint32_t> values) {
    RawTags tags = separated;
    tags[336] = std::move(values);
    return refusal_with(tags);
  };
  EXPECT_EQ(with_range({9, 200, 9}), damaged(": tag DotRange has 3 values, expected 2 or 8"));
  EXPECT_EQ(with_range({9, 200, 9, 200, 9, 200, 10, 200}),
            unsupported(": tag DotRange has a range for each ink, and they differ (9, 200, 9, 200, "
                        "9, 200, 10, 200)"));
  EXPECT_EQ(with_range({9, 9, 9, 9, 9, 9, 9, 9}),
            damaged(": tag DotRange is 9 .. 9, which is no range of samples of 8 bits"));
  EXPECT_EQ(refusal_with({{262, {2}}}),
            damaged(": tag SamplesPerPixel is 1, expected 3 colours and 0 extra samples"));
  EXPECT_EQ(refusal_with({{262, {5}}, {258, {8, 8}}, {277, {2}}, {338, {0, 0}}}),
            damaged(": tag SamplesPerPixel is 2, expected 0 colours and 2 extra samples"));
  EXPECT_EQ(refusal_with({{277, {0}}}), damaged(": tag SamplesPerPixel is 0"));
  EXPECT_EQ(refusal_with({{259, {4}}}),
            damaged(": G4 compression holds 1 sample of 1 bit, found 1 of 8"));
  EXPECT_EQ(refusal_with({{273, {150}}, {279, {31}}}),
            damaged(", strip 0 (rows 0..3): expected 32 bytes, found 31"));
  EXPECT_EQ(refusal_with({{278, {2}}, {273, {150, 150}}, {279, {16, 15}}}),
            damaged(", strip 1 (rows 2..3): expected 16 bytes, found 15"));
  EXPECT_EQ(refusal_with({{273, {1000}}, {279, {32}}}),
            damaged(", strip 0 (rows 0..3): the file is cut off: it ends at byte 222, and 32 "
                    "bytes begin at byte 1000 here"));
  EXPECT_EQ(refusal_with({{273, {4'294'967'290}}, {279, {32}}}),
            damaged(", strip 0 (rows 0..3): the file is cut off: it ends at byte 222, and 32 "
                    "bytes begin at byte 4294967290 here"));
  EXPECT_EQ(refusal_with({{278, {2}}, {273, {150, 0}}, {279, {16, 16}}}),
            damaged(", strip 1 (rows 2..3): expected an offset and a size, found 0: it was not "
                    "written"));
  EXPECT_EQ(refusal_with({{259, {5}}, {273, {150}}, {279, {100'000}}}),
            damaged(", strip 0 (rows 0..3): the file is cut off: it ends at byte 222, and 100000 "
                    "bytes begin at byte 150 here"));
}

TEST(ReaderRefusal, StripsWhereTheHeaderOrTheDirectoryIs) {
  // The plain page has its directory from byte 8 to 122.
  const auto damaged = [](uint32_t at, const std::string& what) {
    return Refusal{ErrorKind::kData,
                   ", strip 0 (rows 0..3): found it at byte " + std::to_string(at) +
                       ", where the " + what + " of the file is"};
  };
  EXPECT_EQ(refusal_with({{273, {4}}, {279, {2}}, {259, {5}}}), damaged(4, "header"));
  for (const uint32_t at : {8U, 100U, 121U}) {
    EXPECT_EQ(refusal_with({{273, {at}}, {279, {32}}}), damaged(at, "directory"));
  }
}

TEST(ReaderRefusal, StripsThatNoCodecMade) {
  RawTags tags = plain_tags();
  tags[259] = {5};
  EXPECT_EQ(refusal_of(make_raw_tiff(tags, {std::string(100'000, 'x')})),
            (Refusal{ErrorKind::kData,
                     ", strip 0 (rows 0..3): found 100000 stored bytes for 32 decoded ones, which "
                     "no compression makes of them"}));
}

TEST(ReaderRefusal, LimitsByNameAndValue) {
  const auto limit = [](const std::string& message) { return Refusal{ErrorKind::kLimit, message}; };
  EXPECT_EQ(refusal_with({{256, {4'294'967'295}}}),
            limit(": tag ImageWidth is 4294967295 pixels, the limit is 100000"));
  EXPECT_EQ(refusal_with({}, {.max_pixels = 31}),
            limit(": the page has 32 pixels (8 x 4), the limit is 31"));
  EXPECT_EQ(refusal_with({{277, {65535}}}),
            limit(": tag SamplesPerPixel is 65535, the limit is 24"));
  EXPECT_EQ(refusal_with({{258, {8, 8, 8, 8}}, {277, {4}}, {262, {5}}}, {.max_inks = 3}),
            limit(": the page has 4 inks, the limit is 3"));
  EXPECT_EQ(refusal_with({{278, {1}}, {273, {150, 150, 150, 150}}, {279, {8, 8, 8, 8}}},
                         {.max_strips = 3}),
            limit(": the page has 4 strips, the limit is 3"));
  EXPECT_EQ(refusal_with({}, {.max_file_bytes = 100}),
            limit(": the file has 154 bytes, the limit is 100 bytes"));
  EXPECT_EQ(refusal_with({{256, {20'000}}, {257, {20'000}}, {278, {20'000}}, {259, {8}}}),
            limit(": a decoded strip has 381 MiB, the limit is 256 MiB"));
  EXPECT_EQ(refusal_with({{322, {40'000}},
                          {323, {40'000}},
                          {324, {8}},
                          {325, {32}},
                          {273, {}},
                          {278, {}},
                          {279, {}}}),
            limit(": a decoded tile has 1.49 GiB, the limit is 256 MiB"));
}

TEST(ReaderRefusal, ChainsOfDirectories) {
  RawTiff loop;
  const uint32_t first = loop.add_directory(plain_tags());
  loop.add_directory(plain_tags());
  loop.link_last_to(first);
  EXPECT_EQ(refusal_of(loop),
            (Refusal{ErrorKind::kData,
                     ": the directories form a loop: directory 2 is followed by the one at byte 8 "
                     "again"}));
  RawTiff outside;
  outside.add_directory(plain_tags());
  outside.link_last_to(5'000);
  EXPECT_EQ(refusal_of(outside),
            (Refusal{ErrorKind::kData,
                     ": directory 2 at byte 5000 lies beyond the end of the file, which has 122 "
                     "bytes; it is truncated or damaged"}));
  RawTiff none;
  EXPECT_EQ(refusal_of(none), (Refusal{ErrorKind::kData, ": the file has no directory"}));
  RawTiff many;
  for (uint32_t i = 0; i < 10'000; ++i) many.add_directory(plain_tags());
  const ReadCount read;
  EXPECT_EQ(refusal_of(many),
            (Refusal{ErrorKind::kLimit,
                     ": the file has more than 4096 directories, which is the limit"}));
  EXPECT_LT(read.done().calls, 5U * 4096) << "a few of each directory";
  EXPECT_LT(read.done().bytes, 4096U * 4096) << "a page of the file of each directory";
}

TEST(ReaderRefusal, OnePageOfSeveral) {
  const TempFolder folder;
  RawTags bad = plain_tags();
  bad[258] = {32};
  RawTags good = plain_tags();
  good[273] = {150};  // in the second directory
  RawTiff tiff;
  tiff.add_directory(good);
  tiff.add_directory(bad);
  tiff.save(folder / "pages.tif");
  const auto file = tiff::TiffFile::open(folder / "pages.tif");
  ASSERT_EQ(file->page_count(), 2U);
  EXPECT_EQ(file->page(0).width_px, 8U);
  const std::string expected = file->path() +
                               ", page 2: 32 bits per sample are not supported; expected 1, 2, 4, "
                               "8, 12 or 16";
  try {
    (void)file->page(1);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.finding(), expected);
    EXPECT_EQ(error.advice(), "export the page with 8 or 16 bits per sample");
  }
  EXPECT_THROW((void)file->open_page(1, kPlentyOfMemory), Error);
}

TEST(ReaderRefusal, WhatIsNoTiff) {
  const TempFolder folder;
  const std::string path = folder / "page.tif";
  EXPECT_EQ(
      refusal_of(path),
      (Refusal{ErrorKind::kMissing, ": cannot be opened for reading: No such file or directory"}));
  std::ofstream(path) << "";
  EXPECT_EQ(refusal_of(path), (Refusal{ErrorKind::kData, ": the file is empty (0 bytes)"}));
  const std::pair<const char*, std::string_view> others[] = {
      {"a PDF file", "%PDF-1.4 and so on"},
      {"a JPEG file", "\xFF\xD8\xFF\xE0 and so on"},
      {"a PNG file", "\x89PNG\r\n\x1A\n and so on"},
      {"a Photoshop document", "8BPS and so on"},
      {"a ZIP archive", "PK\x03\x04 and so on"},
  };
  for (const auto& [kind, content] : others) {
    std::ofstream(path) << content;
    EXPECT_EQ(refusal_of(path),
              (Refusal{ErrorKind::kData, std::string(": this is ") + kind + ", not a TIFF"}));
  }
  std::ofstream(path) << "some text";
  EXPECT_EQ(refusal_of(path),
            (Refusal{ErrorKind::kData,
                     ": expected a TIFF file, which begins with II or MM and has at least 8 bytes, "
                     "found something else"}));
  EXPECT_EQ(refusal_of(folder / "."),
            (Refusal{ErrorKind::kUnsupported, ": expected a regular file, found a folder"}));
}

/// To open it would wait for a writer, for ever.
TEST(ReaderRefusal, FifoAtOnce) {
  const TempFolder folder;
  const std::string path = folder / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(path),
            (Refusal{ErrorKind::kUnsupported, ": expected a regular file, found a FIFO"}));
}

/// Stored strips of a page, and its tags, so that a file can be made with its directory in front.
struct StoredStrips {
  RawTags tags;
  std::vector<std::string> strips;
};

StoredStrips stored_strips(const std::string& path, const PageSpec& spec) {
  StoredStrips stored{{{256, {spec.width_px}},
                       {257, {spec.height_px}},
                       {258, {spec.bits}},
                       {259, {spec.compression}},
                       {262, {spec.photometric}},
                       {277, {1}},
                       {278, {spec.rows_per_strip}}},
                      {}};
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  for (uint32_t i = 0; i < TIFFNumberOfStrips(tiff); ++i) {
    std::string strip(static_cast<size_t>(TIFFRawStripSize(tiff, i)), '\0');
    check_written(TIFFReadRawStrip(tiff, i, strip.data(), static_cast<tmsize_t>(strip.size())) > 0);
    stored.strips.push_back(strip);
  }
  TIFFClose(tiff);
  return stored;
}

TEST(ReaderRefusal, DeflateWithoutItsEnd) {
  const PageSpec spec{.compression = COMPRESSION_ADOBE_DEFLATE, .rows_per_strip = 47};
  const TempFolder folder;
  write_file(folder / "page.tif", spec, make_samples(spec));
  const StoredStrips stored = stored_strips(folder / "page.tif", spec);
  const std::string& strip = stored.strips[0];
  for (const size_t missing : {1U, 4U, 5U}) {
    const auto cut = make_raw_tiff(stored.tags, {strip.substr(0, strip.size() - missing)});
    const std::string found = refusal_of(cut).message;
    EXPECT_NE(found.find("the Deflate data is damaged: its "), std::string::npos) << found;
    EXPECT_NE(found.find("its end is missing"), std::string::npos) << found;
  }
}

std::vector<PageSpec> one_page_a_codec() {
  std::vector<PageSpec> specs;
  for (const int compression : {COMPRESSION_NONE,
                                COMPRESSION_PACKBITS,
                                COMPRESSION_LZW,
                                COMPRESSION_ADOBE_DEFLATE,
                                COMPRESSION_ZSTD,
                                COMPRESSION_CCITTRLE,
                                COMPRESSION_CCITTFAX3,
                                COMPRESSION_CCITTFAX4}) {
    const bool fax = compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
    specs.push_back({.width_px = 97,
                     .height_px = 60,
                     .bits = static_cast<uint16_t>(fax ? 1 : 8),
                     .compression = static_cast<uint16_t>(compression),
                     .rows_per_strip = 13});
  }
  return specs;
}

/// Reads what it can: the planes, or nothing when that was refused with a reason.
std::optional<Planes> try_to_read(const std::string& path) {
  try {
    const auto file = tiff::TiffFile::open(path);
    const auto reader = file->open_page(0, kPlentyOfMemory);
    ThreadTeam team(2);
    return read_page(*reader, file->page(0), 13, team);
  } catch (const Error& error) {
    EXPECT_GT(std::string(error.what()).size(), path.size() + 10);
    return std::nullopt;
  }
}

TEST(ReaderTruncation, NeverGivesAnotherPicture) {
  const uint32_t seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const PageSpec& spec : one_page_a_codec()) {
    SCOPED_TRACE("compression " + std::to_string(spec.compression));
    const TempFolder folder;
    const std::string path = folder / "page.tif";
    const Samples samples = make_samples(spec);
    write_file(path, spec, samples);
    const StoredStrips stored = stored_strips(path, spec);
    const RawTiff whole = make_raw_tiff(stored.tags, stored.strips);
    whole.save(path);
    EXPECT_EQ(difference(try_to_read(path).value(), expected_planes(spec, samples), 97), "");
    for (uint32_t i = 0; i < 10; ++i) {
      // The file ends early, and its tags do not know.
      whole.save(path);
      std::filesystem::resize_file(path, random() % whole.size());
      EXPECT_FALSE(try_to_read(path).has_value());
      // A strip ends early, and its tags agree.
      StoredStrips cut = stored;
      std::string& strip = cut.strips[random() % cut.strips.size()];
      // CCITT RLE has no end mark, and libtiff reads zeros beyond the end: a cut within the last
      // row may make another run of the same length. A row of 97 noisy pixels takes less than 64
      // bytes.
      const size_t tail = spec.compression == COMPRESSION_CCITTRLE ? 64 : 1;
      strip.resize(1 + random() % (strip.size() - tail));
      make_raw_tiff(cut.tags, cut.strips).save(path);
      const auto planes = try_to_read(path);
      if (!planes) continue;
      // What follows the last pixel may be cut off: an end mark, a checksum.
      EXPECT_NE(spec.compression, COMPRESSION_NONE);
      EXPECT_EQ(difference(*planes, expected_planes(spec, samples), 97), "");
    }
  }
}

/// A checksum of its own tells Deflate from what is merely well-formed.
TEST(ReaderTruncation, DeflateChecksEveryByte) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const PageSpec spec{.width_px = 97, .height_px = 60, .compression = COMPRESSION_ADOBE_DEFLATE};
  const TempFolder folder;
  const std::string path = folder / "page.tif";
  const Samples samples = make_samples(spec);
  write_file(path, spec, samples);
  const Planes expected = expected_planes(spec, samples);
  const StoredStrips stored = stored_strips(path, spec);
  for (uint32_t i = 0; i < 300; ++i) {
    StoredStrips changed = stored;
    std::string& strip = changed.strips[random() % changed.strips.size()];
    char& byte = strip[2 + random() % (strip.size() - 2)];  // the header has bits for free
    byte = static_cast<char>(byte ^ (1 << random() % 8));
    make_raw_tiff(changed.tags, changed.strips).save(path);
    const auto planes = try_to_read(path);
    // A few bits between the last code and the checksum mean nothing.
    if (!planes) continue;
    EXPECT_EQ(difference(*planes, expected, spec.width_px), "");
  }
}

/// Whichever thread comes first, it is the first damaged strip that is blamed.
TEST(ReaderTruncation, BlamesTheFirstOfSeveralStrips) {
  const PageSpec spec{.width_px = 97, .height_px = 200, .compression = COMPRESSION_PACKBITS};
  const TempFolder folder;
  const std::string path = folder / "page.tif";
  write_file(path, spec, make_samples(spec));
  StoredStrips stored = stored_strips(path, spec);
  for (const size_t strip : {4, 5, 7, 8}) stored.strips[strip].resize(strip == 4 ? 700 : 5);
  make_raw_tiff(stored.tags, stored.strips).save(path);
  const auto file = tiff::TiffFile::open(path);
  ThreadTeam team(4);
  for (uint32_t i = 0; i < 50; ++i) {
    const auto reader = file->open_page(0, kPlentyOfMemory);
    try {
      (void)read_page(*reader, file->page(0), 200, team);
      ADD_FAILURE();
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path + ", strip 4 (rows 64..79): ")) << message;
    }
  }
}

TEST(ReaderTruncation, WhileThePageIsRead) {
  for (const PageSpec& spec : one_page_a_codec()) {
    SCOPED_TRACE("compression " + std::to_string(spec.compression));
    const TempFolder folder;
    const std::string path = folder / "page.tif";
    write_file(path, spec, make_samples(spec));
    const auto file = tiff::TiffFile::open(path);
    const auto reader = file->open_page(0, kPlentyOfMemory);
    SoloTeam solo;
    std::filesystem::resize_file(path, 60);
    EXPECT_THROW((void)read_page(*reader, file->page(0), 13, solo), Error);
    EXPECT_THROW(file->check_unchanged(), Error);
  }
}

}  // namespace
}  // namespace mezzo::test::reader_refusal_test
