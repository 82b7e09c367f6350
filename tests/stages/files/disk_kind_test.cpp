#include "stages/files/disk_kind.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace mezzo::test::disk_kind_test {
namespace {

constexpr files::FileMark kOneTime{.bytes = 1, .inode = 2, .modified_ns = 3, .changed_ns = 3};
constexpr files::FileMark kTwoTimes{.bytes = 1, .inode = 2, .modified_ns = 3, .changed_ns = 4};

TEST(DiskKind, of_two_equal_times_one_may_be_missing_where_the_disk_is_not_known) {
  EXPECT_FALSE(files::keeps_change_time("/proc/version", kOneTime));
  EXPECT_TRUE(files::keeps_change_time("/proc/version", kTwoTimes));
  EXPECT_FALSE(files::keeps_change_time("/there/is/none", kTwoTimes));
}

TEST(DiskKind, of_this_machine_has_both_times) {
  const TempFolder folder;
  if (!files::is_on_own_disk(folder.path())) GTEST_SKIP() << folder.path() << " may be shared";
  EXPECT_TRUE(files::keeps_change_time(folder.path(), kOneTime));
  EXPECT_TRUE(files::keeps_change_time(folder.path(), kTwoTimes));
}

}  // namespace
}  // namespace mezzo::test::disk_kind_test
