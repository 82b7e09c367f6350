// A file of a run that would take the place of another one of the same run.
#include "stages/files/published_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "stages/files/publish.h"
#include "tests/support/content_of.h"
#include "tests/support/poor_disk.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::published_files_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::unique_ptr<files::PendingFile> pending(const std::string& path,
                                            std::string_view content,
                                            files::FileSystem& disk) {
  auto file = std::make_unique<files::PendingFile>(path, files::ExistingFile::kReplace, disk);
  file->write_at(0, std::as_bytes(std::span(content)));
  file->sync();
  return file;
}

void publish(const std::string& path,
             std::string_view content,
             files::FileSystem& disk,
             files::PublishedFiles& of_run) {
  const auto file = pending(path, content, disk);
  file->publish(&of_run);
  file->commit();
}

/// Another run may have replaced a plate, and its own next file has the inode that became free.
TEST(PublishedFiles, AreNotKnownByAnInodeThatIsUsedAgain) {
  files::PublishedFiles of_run;
  struct stat made {};
  made.st_dev = 3;
  made.st_ino = 70;
  made.st_size = 500;
  made.st_mtim = {.tv_sec = 100, .tv_nsec = 7};
  of_run.add("/plates/a.tif", made);
  files::FileSystem& disk = files::FileSystem::real();
  EXPECT_EQ(of_run.owner_of(disk, "/plates/b.tif", made), "/plates/a.tif");
  made.st_mtim.tv_nsec = 8;
  EXPECT_EQ(of_run.owner_of(disk, "/plates/b.tif", made), "");
}

template <typename Disk>
class PublishedFilesTest : public ::testing::Test {};

using Disks = ::testing::Types<FoldingDisk<files::FileSystem>, FoldingDisk<PoorDisk>>;
TYPED_TEST_SUITE(PublishedFilesTest, Disks);

TYPED_TEST(PublishedFilesTest, DoNotReplaceEachOther) {
  TypeParam disk;
  for (const std::string second : {"COVER.tif", "cover.TIF"}) {
    const TempFolder folder;
    files::PublishedFiles of_run;
    publish(folder / "Cover.tif", "first", disk, of_run);
    try {
      publish(folder / second, "second", disk, of_run);
      ADD_FAILURE() << second << " replaced the first";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCannotCreate);
      EXPECT_EQ(std::string(error.what()),
                (folder / second) + ": it would replace " + (folder / "Cover.tif") +
                    ", which this run has made: the file system takes the two names for one; give "
                    "one of them another name");
    }
    EXPECT_THAT(folder.names(), ElementsAre("cover.tif"));
    EXPECT_EQ(content_of(folder / "cover.tif"), "first");
  }
}

TYPED_TEST(PublishedFilesTest, ReplaceThoseOfEarlierRunsAndThemselves) {
  TypeParam disk;
  const TempFolder folder;
  files::PublishedFiles earlier, of_run;
  publish(folder / "COVER.tif", "of an earlier run", disk, earlier);
  publish(folder / "cover.tif", "first", disk, of_run);
  EXPECT_EQ(content_of(folder / "cover.tif"), "first");
  publish(folder / "cover.tif", "again", disk, of_run);
  EXPECT_EQ(content_of(folder / "cover.tif"), "again");
  publish(folder / "other.tif", "other", disk, of_run);
  EXPECT_THAT(folder.names(), UnorderedElementsAre("cover.tif", "other.tif"));
}

TYPED_TEST(PublishedFilesTest, GiveTheirNamesBackWhenTheyAreTakenBack) {
  TypeParam disk;
  const TempFolder folder;
  files::PublishedFiles of_run;
  pending(folder / "Cover.tif", "first", disk)->publish(&of_run);  // and not committed
  publish(folder / "cover.tif", "second", disk, of_run);
  EXPECT_EQ(content_of(folder / "cover.tif"), "second");
}

/// As FUSE does for exFAT: each way to write a name has a number of its own.
class NumberingDisk final : public FoldingDisk<PoorDisk> {
 public:
  int status_of_name(files::At at, struct stat& found) override {
    const int result = FoldingDisk::status_of_name(at, found);
    found.st_ino = std::hash<std::string>()(at.name);
    return result;
  }
};

TEST(PublishedFiles, AreKnownWithoutInodes) {
  NumberingDisk disk;
  const TempFolder folder;
  files::PublishedFiles of_run;
  publish(folder / "cover.tif", "first", disk, of_run);
  EXPECT_THROW(publish(folder / "COVER.tif", "second", disk, of_run), Error);
  EXPECT_EQ(content_of(folder / "cover.tif"), "first");
}

TEST(PublishedFiles, AreListedAsTheyAreWritten) {
  const TempFolder folder;
  folder.write("Cover.tif");
  files::FileSystem& real = files::FileSystem::real();
  EXPECT_TRUE(files::is_listed(real, folder / "Cover.tif"));
  EXPECT_FALSE(files::is_listed(real, folder / "cover.tif"));
  EXPECT_TRUE(files::is_listed(real, folder / "none/cover.tif"));
}

}  // namespace
}  // namespace mezzo::test::published_files_test
