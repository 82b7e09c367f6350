// Files that changed after they were written: sealing refuses each of them, at every level, unless the
// plate in it is still the right one.

#include "stages/tiff/plate/plate_verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "kernels/base/error.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/changed_on_disk.h"

namespace mezzo::test::plate_verify_test {
namespace {

using testing::HasSubstr;
using Content = std::vector<uint8_t>;

constexpr tiff::VerifyLevel kLevels[] = {tiff::VerifyLevel::kBytes, tiff::VerifyLevel::kDecode};

/// A list of 32-bit numbers in a directory of a classic little-endian TIFF, such as StripOffsets, which
/// may be changed.
class NumberList {
 public:
  NumberList(Content& content, uint16_t tag) : content_(content) {
    const uint32_t directory = at<uint32_t>(4);
    for (uint32_t i = 0; i < at<uint16_t>(directory); ++i) {
      const uint32_t entry = directory + 2 + 12 * i;
      if (at<uint16_t>(entry) != tag) continue;
      EXPECT_TRUE(at<uint16_t>(entry + 2) == kLong || at<uint16_t>(entry + 2) == kShort);
      bytes_ = at<uint16_t>(entry + 2) == kLong ? 4 : 2;
      count_ = at<uint32_t>(entry + 4);
      begin_ = count_ * bytes_ <= 4 ? entry + 8 : at<uint32_t>(entry + 8);
    }
  }
  uint32_t count() const { return count_; }
  uint32_t get(uint32_t i) const {
    uint32_t value = 0;
    std::memcpy(&value, &content_[begin_ + bytes_ * i], bytes_);
    return value;
  }
  void set(uint32_t i, uint32_t value) {
    std::memcpy(&content_[begin_ + bytes_ * i], &value, bytes_);
  }
  void swap(uint32_t i, uint32_t j) {
    const uint32_t other = get(i);
    set(i, get(j));
    set(j, other);
  }

 private:
  static constexpr uint16_t kShort = 3, kLong = 4;

  template <typename T>
  T at(uint32_t offset) const {
    T value;
    std::memcpy(&value, &content_.at(offset), sizeof value);
    return value;
  }

  Content& content_;
  uint32_t begin_ = 0, count_ = 0, bytes_ = 4;
};

struct StripTables {
  explicit StripTables(Content& content) : offsets(content, 273), sizes(content, 279) {}
  NumberList offsets, sizes;
};

class ChangedPlates : public ::testing::Test {
 protected:
  /// The reason why the plate is refused; empty: it is published.
  std::string refusal(tiff::Compression compression,
                      tiff::VerifyLevel level,
                      const ChangedOnDisk::Change& change) {
    ChangedOnDisk disk(change);
    try {
      const auto file =
          tiff::PlateFile::create(path_, 1 << 20, files::ExistingFile::kReplace, disk);
      write_page(*file, page_, bits_.band(), compression, "program", "settings");
      SoloTeam team;
      publish(*file, team, level);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo) << error.what();
      return error.what();
    }
  }

  void expect_refused(const char* why, const ChangedOnDisk::Change& change) {
    for (const tiff::VerifyLevel level : kLevels) {
      for (const tiff::Compression compression : real_compressions()) {
        EXPECT_THAT(refusal(compression, level, change), HasSubstr("nothing was published"))
            << why << ", " << to_string(compression) << " by " << to_string(level);
      }
    }
  }

  /// Whether the plate that is there now is the one that was written.
  bool is_right(tiff::Compression compression) const {
    try {
      const tiff::Plate plate = tiff::read_plate(path_);
      return plate.page == page_ && plate.bits == bits_.bytes() &&
             plate.compression == compression && plate.software == "program" &&
             plate.description == "settings" &&
             tiff::PlateReader(path_).page(0).names == names_of(page_);
    } catch (const Error&) {
      return false;
    }
  }

  TempFolder folder_;
  const std::string path_ = folder_ / "a.tif";
  Bits bits_ = Bits::diffused(401, 90);
  tiff::PlatePage page_ = [this] {
    tiff::PlatePage page = page_of(bits_.band(), 16);
    page.ink = "cyan";
    page.document_name = "document";
    page.resolution = {600, 600};
    return page;
  }();
};

TEST_F(ChangedPlates, AreRefusedWithStripsOutOfOrder) {
  expect_refused("two strips exchanged", [](Content& content) {
    StripTables tables(content);
    ASSERT_EQ(tables.offsets.count(), 6U);
    tables.offsets.swap(1, 3);
    tables.sizes.swap(1, 3);
  });
  expect_refused("one strip twice", [](Content& content) {
    StripTables tables(content);
    tables.offsets.set(4, tables.offsets.get(2));
    tables.sizes.set(4, tables.sizes.get(2));
  });
}

TEST_F(ChangedPlates, AreRefusedWithTruncatedStrips) {
  for (const uint32_t strip : {0U, 3U, 5U}) {
    for (const uint32_t fewer : {1U, 2U, 40U}) {
      expect_refused("a strip cut short", [&](Content& content) {
        StripTables tables(content);
        tables.sizes.set(strip, tables.sizes.get(strip) - fewer);
      });
    }
  }
  expect_refused("a strip without bytes",
                 [](Content& content) { StripTables(content).sizes.set(2, 0); });
  expect_refused("a file cut short", [](Content& content) { content.resize(content.size() / 2); });
  expect_refused("no file", [](Content& content) { content.clear(); });
}

TEST_F(ChangedPlates, AreRefusedWithCodedStripsThatAreTooLong) {
  const auto longer = [](Content& content) {
    StripTables tables(content);
    tables.sizes.set(2, tables.sizes.get(2) + 1);
  };
  for (const tiff::Compression compression : real_compressions()) {
    if (compression == tiff::Compression::kNone) continue;  // its rows are the same
    for (const tiff::VerifyLevel level : kLevels)
      EXPECT_NE(refusal(compression, level, longer), "");
  }
}

TEST_F(ChangedPlates, AreRefusedWithMoreBytesAtTheirEnd) {
  for (const size_t more : {1, 100}) {
    expect_refused("a file with more bytes",
                   [&](Content& content) { content.resize(content.size() + more); });
  }
}

TEST_F(ChangedPlates, AreRefusedWithATagThatOtherReadersMayNotRead) {
  expect_refused("FillOrder of another type", [](Content& content) {
    uint32_t directory = 0;
    std::memcpy(&directory, &content[4], sizeof directory);
    for (uint32_t entry = directory + 2;; entry += 12) {
      if (content[entry] + 256 * content[entry + 1] != 266) continue;
      content[entry + 2] = 12;  // a floating-point number of 64 bits
      break;
    }
  });
}

TEST_F(ChangedPlates, AreNotPublishedWhenAnotherProgramChangesThemAfterTheyAreVerified) {
  for (const tiff::VerifyLevel level : kLevels) {
    const auto file = tiff::PlateFile::create(path_, 1 << 20);
    write_page(*file, page_, bits_.band(), tiff::Compression::kG4, "program", "settings");
    SoloTeam team;
    file->seal(level, team);
    std::fstream other(file->temporary_path(), std::ios::in | std::ios::out | std::ios::binary);
    other.seekp(300);
    other.put('x');
    other.close();
    try {
      file->publish();
      ADD_FAILURE() << "published";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_THAT(error.what(), HasSubstr("changed after it was verified"));
    }
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
}

/// Counts the bytes that are read.
class CountedReads final : public files::FileSystem {
 public:
  ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset) override {
    const ssize_t got = FileSystem::pread(fd, data, bytes, offset);
    read_ += static_cast<uint64_t>(std::max<ssize_t>(got, 0));
    return got;
  }
  uint64_t read() const { return read_; }

 private:
  std::atomic<uint64_t> read_ = 0;
};

TEST_F(ChangedPlates, AreDigestedAsTheyAreVerified) {
  for (const tiff::Compression compression : {tiff::Compression::kNone, tiff::Compression::kG4}) {
    uint64_t without = 0;
    for (const bool digests : {false, true}) {
      CountedReads disk;
      const auto file = tiff::PlateFile::create(path_, 1 << 20, files::ExistingFile::kRefuse, disk);
      write_page(*file, page_, bits_.band(), compression, "program", "settings");
      const uint64_t before = disk.read();
      SoloTeam team;
      file->seal(tiff::VerifyLevel::kBytes, team, 1 << 20, digests);
      const uint64_t read = disk.read() - before;
      if (!digests) {
        EXPECT_EQ(file->file_digest(), "");
        without = read;
        continue;
      }
      EXPECT_EQ(file->file_digest(),
                files::digest_of_file(file->temporary_path(), files::FileSystem::real()));
      // The strips once: their header and what follows them are read again.
      EXPECT_LT(read - without, file->file_bytes() / 2);
    }
  }
}

/// A disk that, as SMB does, moves the time of the last change when a file is closed, unless somebody
/// has set that time since the last write.
class TimesOfShares final : public files::FileSystem {
 public:
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    const ssize_t written = FileSystem::pwrite(fd, data, bytes, offset);
    constexpr timespec kLongAgo[] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
    ::futimens(fd, kLongAgo);
    return written;
  }
  int close(int fd) override {
    struct stat found {};
    const bool is_set = ::fstat(fd, &found) != 0 || found.st_mtim.tv_sec != 1;
    moved_ += is_set ? 0 : 1;
    if (!is_set) ::futimens(fd, nullptr);
    return FileSystem::close(fd);
  }
  int moved() const { return moved_; }

 private:
  int moved_ = 0;
};

TEST_F(ChangedPlates, AreNotThoseOfDisksThatMoveTimesWhenAFileIsClosed) {
  TimesOfShares share;
  const auto file = tiff::PlateFile::create(path_, 1 << 20, files::ExistingFile::kRefuse, share);
  write_page(*file, page_, bits_.band(), tiff::Compression::kG4, "program", "settings");
  SoloTeam team;
  file->seal(tiff::VerifyLevel::kDecode, team);
  file->publish();
  file->commit();
  EXPECT_EQ(share.moved(), 0);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

/// Changes a file somewhere, in some way that storage may.
void change_somehow(Content& content, std::mt19937& random) {
  const auto below = [&random](size_t limit) { return random() % limit; };
  const size_t at = below(content.size());
  const size_t other = below(content.size());
  const size_t bytes = std::min(1 + below(600), content.size() - std::max(at, other));
  switch (below(6)) {
    case 0:
      content[at] = static_cast<uint8_t>(content[at] ^ 1U << below(8));
      break;
    case 1:
      content[at] = static_cast<uint8_t>(random());
      break;
    case 2:
      std::fill_n(content.begin() + static_cast<ptrdiff_t>(at), bytes, uint8_t{0});
      break;
    case 3:
      std::memmove(&content[other], &content[at], bytes);
      break;
    case 4:
      content.resize(at);
      break;
    default: {
      StripTables tables(content);
      const auto strips = tables.sizes.count();
      const auto i = static_cast<uint32_t>(below(strips)), j = static_cast<uint32_t>(below(strips));
      if (below(2) == 0) tables.offsets.swap(i, j);
      if (below(2) == 0) tables.sizes.swap(i, j);
      if (below(2) == 0) tables.offsets.set(i, static_cast<uint32_t>(other));
      if (below(2) == 0) tables.sizes.set(i, static_cast<uint32_t>(below(4000)));
    }
  }
}

TEST_F(ChangedPlates, AreNeverPublishedWrongWhateverChanged) {
  std::mt19937 random(19);
  int refused = 0, published = 0;
  for (int i = 0; i < 3000; ++i) {
    const tiff::Compression compression = real_compressions()[i % std::size(real_compressions())];
    const tiff::VerifyLevel level = kLevels[i / 10 % 2];
    const std::string why =
        refusal(compression, level, [&](Content& content) { change_somehow(content, random); });
    ++(why.empty() ? published : refused);
    if (!why.empty()) continue;
    ASSERT_TRUE(is_right(compression))
        << "trial " << i << ", " << to_string(compression) << " by " << to_string(level);
  }
  EXPECT_GT(refused, 2000);
  EXPECT_GT(published, 0);  // what changed does not matter, or did not change
}

}  // namespace
}  // namespace mezzo::test::plate_verify_test
