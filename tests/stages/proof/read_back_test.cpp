// A disk loses or damages what was written to it, and reports success: no proof gets its name.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "kernels/base/error.h"
#include "stages/files/publish.h"
#include "stages/proof/image_file.h"
#include "stages/proof/ppf_file.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::read_back_test {
namespace {

constexpr size_t kNone = SIZE_MAX;

class LyingDisk final : public files::FileSystem {
 public:
  size_t lost_write = kNone;  ///< by its number
  size_t bad_byte = kNone;    ///< of the file, once it is synced
  size_t writes = 0, bytes = 0;

  ssize_t pwrite(int fd, const void* data, size_t size, uint64_t offset) override {
    if (writes++ != lost_write) return files::FileSystem::pwrite(fd, data, size, offset);
    // The file is as long as if it had been written.
    const auto* from = static_cast<const unsigned char*>(data);
    std::vector<unsigned char> other(from, from + size);
    for (unsigned char& byte : other) byte ^= 0xFF;
    return files::FileSystem::pwrite(fd, other.data(), size, offset);
  }
  int fsync(int fd) override {
    struct stat found {};
    if (::fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
    bytes = static_cast<size_t>(found.st_size);
    if (bad_byte >= bytes) return 0;
    unsigned char byte = 0;
    const auto at = static_cast<off_t>(bad_byte);
    if (::pread(fd, &byte, 1, at) != 1) return -1;
    byte ^= 0x10;
    return ::pwrite(fd, &byte, 1, at) == 1 ? 0 : -1;
  }
};

constexpr uint32_t kWidth = 23, kHeight = 17;

void write_image(const std::string& path, files::FileSystem& files) {
  const auto image =
      proof::ImageFile::create(path, *proof::format_of_name(path), {kWidth, kHeight, 150}, files);
  std::vector<uint8_t> row(3 * kWidth);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<uint8_t>(1 + (i * 37 + y * 11) % 255);
    image->add_row(row.data());
  }
  image->finish();
}

void write_ppf(const std::string& path, files::FileSystem& files) {
  proof::PpfSheet sheet;
  sheet.inks = {"cyan", "black"};
  sheet.width_px = kWidth;
  sheet.height_px = kHeight;
  proof::PpfFile file(path, sheet, files);
  const std::vector<uint8_t> row(kWidth, 200);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (size_t ink = 0; ink < 2; ++ink) file.put_row(ink, y, row);
  }
  file.publish();
}

struct Kind {
  const char* name;
  std::function<void(const std::string&, files::FileSystem&)> write;
};
const Kind kKinds[] = {
    {"proof.png", write_image},
    {"proof.tif", write_image},
    {"proof.pdf", write_image},
    {"sheet.ppf", write_ppf},
    {"report.html",
     [](const std::string& path, files::FileSystem& files) {
       files::write_whole_file(path, "<html>a report</html>", files);
     }},
};

TEST(ReadBack, NoFileOfALyingDiskGetsItsName) {
  for (const Kind& kind : kKinds) {
    LyingDisk good;
    {
      const TempFolder folder;
      kind.write(folder / kind.name, good);
      ASSERT_EQ(folder.names(), std::vector<std::string>{kind.name});
    }
    ASSERT_GT(good.bytes, 0U);
    const auto refused = [&](LyingDisk disk) {
      const TempFolder folder;
      try {
        kind.write(folder / kind.name, disk);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kIo) << error.what();
        return folder.names().empty();
      }
      return false;
    };
    for (size_t write = 0; write < good.writes; ++write) {
      LyingDisk disk;
      disk.lost_write = write;
      EXPECT_TRUE(refused(disk)) << kind.name << ": write " << write << " of " << good.writes;
    }
    for (size_t byte = 0; byte < good.bytes; byte += 1 + good.bytes / 100) {
      LyingDisk disk;
      disk.bad_byte = byte;
      EXPECT_TRUE(refused(disk)) << kind.name << ": byte " << byte << " of " << good.bytes;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::read_back_test
