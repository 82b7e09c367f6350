// What libtiff is shown of a directory: tags that nothing here asks for take neither time nor memory.
#include "stages/tiff/lean_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::lean_directory_test {
namespace {

/// Counts the reads and their bytes.
class CountingCalls final : public files::FileSystem {
 public:
  ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset) override {
    const ssize_t got = FileSystem::pread(fd, data, bytes, offset);
    if (got > 0) read_bytes += static_cast<size_t>(got);
    ++reads;
    return got;
  }
  size_t read_bytes = 0;
  size_t reads = 0;
};

/// A page with so many tags of 4,000 bytes that nobody knows.
RawTags with_strange_tags(uint16_t count) {
  RawTags tags = plain_tags();
  for (uint16_t i = 0; i < count; ++i)
    tags[static_cast<uint16_t>(40'000 + i)] = std::vector<uint32_t>(2000, 7);
  return tags;
}

TEST(LeanDirectory, StrangeTagsAreNotRead) {
  const TempFolder folder;
  make_raw_tiff(with_strange_tags(500), {std::string(32, 'x')}).save(folder / "a.tif");
  ASSERT_GT(std::filesystem::file_size(folder / "a.tif"), 1'900'000U);
  CountingCalls calls;
  const auto file = tiff::TiffFile::open(folder / "a.tif", {}, calls);
  SoloTeam team;
  const auto reader = file->open_page(0, kPlentyOfMemory);
  const Planes planes = read_page(*reader, file->page(0), 4, team);
  EXPECT_EQ(planes, Planes{std::vector<uint16_t>(32, 'x')});
  EXPECT_LT(calls.read_bytes, 100'000U);
}

/// The reads that a file of so many pages takes: to be opened, and to have its last page read.
size_t reads_of(uint32_t pages, const char* mode) {
  const TempFolder folder;
  const PageSpec spec;
  TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), mode);
  for (uint32_t i = 0; i < pages; ++i) write_page(tiff, spec, make_samples(spec));
  TIFFClose(tiff);
  CountingCalls calls;
  const auto file = tiff::TiffFile::open(folder / "a.tif", {}, calls);
  EXPECT_EQ(file->page_count(), pages);
  SoloTeam team;
  const auto reader = file->open_page(pages - 1, kPlentyOfMemory);
  (void)read_page(*reader, file->page(pages - 1), 4, team);
  return calls.reads;
}

TEST(LeanDirectory, OtherPagesAreNotRead) {
  for (const char* mode : {"w", "wb", "w8"}) {
    EXPECT_LE(reads_of(60, mode), 2 * reads_of(30, mode)) << mode;
  }
}

TEST(LeanDirectory, TagsThatDescribeThePageAreRead) {
  const TempFolder folder;
  PageSpec spec = {.bits = 16, .compression = COMPRESSION_LZW};
  spec.more_tags = [](TIFF* tiff) {
    const std::string name(3000, 'n'), packet(200'000, ' ');
    TIFFSetField(tiff, TIFFTAG_DOCUMENTNAME, name.c_str());
    TIFFSetField(tiff, TIFFTAG_XMLPACKET, static_cast<uint32_t>(packet.size()), packet.data());
    const std::string profile(100'000, 'p');
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(profile.size()), profile.data());
  };
  for (const char* mode : {"w", "wb", "w8"}) {
    write_file(folder / "a.tif", spec, make_samples(spec), mode);
    CountingCalls calls;
    const auto file = tiff::TiffFile::open(folder / "a.tif", {}, calls);
    EXPECT_TRUE(file->page(0).document_name.starts_with("nnn")) << mode;
    EXPECT_TRUE(file->page(0).has_profile) << mode;
    EXPECT_LT(calls.read_bytes, 20'000U) << mode << ": of packet and profile nothing yet";
    EXPECT_EQ(file->profile(0), std::vector<std::byte>(100'000, std::byte{'p'})) << mode;
  }
}

TEST(LeanDirectory, ProfilesHaveALimit) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  PageSpec spec;
  spec.more_tags = [](TIFF* tiff) {
    const std::string profile(1'000, 'p');
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(profile.size()), profile.data());
  };
  write_file(path, spec, make_samples(spec));
  EXPECT_NO_THROW(tiff::TiffFile::open(path)->page(0));
  // The profile grows to 1 GiB that the file has, all holes.
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const size_t entry = bytes.find(std::string("\x73\x87\x07\x00\xE8\x03\x00\x00", 8));
  ASSERT_NE(entry, std::string::npos);
  bytes.replace(entry + 4, 4, std::string("\0\0\0\x40", 4));
  std::ofstream(path, std::ios::binary) << bytes;
  std::filesystem::resize_file(path, uint64_t{2} << 30);
  try {
    tiff::TiffFile::open(path)->page(0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit);
    EXPECT_NE(std::string(error.what()).find("ICC profile has 1073741824 bytes"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace mezzo::test::lean_directory_test
