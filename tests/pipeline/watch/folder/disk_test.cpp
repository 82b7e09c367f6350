#include "pipeline/watch/folder/disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "tests/pipeline/watch/job/failing_disk.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::disk_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(DiskTrouble, is_none_where_a_file_can_be_written) {
  const TempFolder folder;
  EXPECT_EQ(watch::disk_trouble(folder.path(), files::FileSystem::real()), "");
  EXPECT_EQ(watch::disk_trouble(folder / "not/yet", files::FileSystem::real()), "");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(DiskTrouble, is_told_of_a_disk_that_takes_nothing) {
  const TempFolder folder;
  FailingDisk disk;
  for (const int error_number : {ENOSPC, EDQUOT, EROFS, EIO}) {
    for (const auto call :
         {FailingDisk::Call::kOpen, FailingDisk::Call::kWrite, FailingDisk::Call::kSync}) {
      disk.fail(call, error_number);
      EXPECT_THAT(watch::disk_trouble(folder.path(), disk),
                  HasSubstr(folder.path() + " cannot be written to: "));
    }
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(DiskTrouble, is_not_what_a_job_may_have_caused) {
  const TempFolder folder;
  FailingDisk disk;
  disk.fail(FailingDisk::Call::kOpen, EACCES);
  EXPECT_EQ(watch::disk_trouble(folder.path(), disk), "");
  std::filesystem::create_directory_symlink(folder.path(), folder / "link");
  disk.fail(FailingDisk::Call::kOpen, EROFS);
  EXPECT_EQ(watch::disk_trouble(folder / "link", disk), "") << "it goes through a link";
}

}  // namespace
}  // namespace mezzo::test::disk_test
