#include "stages/files/lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/temp_folder.h"

namespace mezzo::files::lock_test {
namespace {

using test::TempFolder;

TEST(Lock, IsHeldByOneUntilItsDescriptorIsClosed) {
  const TempFolder folder;
  Lock first = take_lock(folder / "lock", 0600);
  EXPECT_TRUE(first.is_held());
  const Lock second = take_lock(folder / "lock", 0600);
  EXPECT_TRUE(second.file);
  EXPECT_EQ(second.error_number, EWOULDBLOCK);
  first.file.reset();
  EXPECT_TRUE(take_lock(folder / "lock", 0600).is_held());
}

TEST(Lock, FollowsNoLinkAndMakesNoFolder) {
  const TempFolder folder;
  ASSERT_EQ(::symlink("elsewhere", (folder / "lock").c_str()), 0);
  EXPECT_FALSE(take_lock(folder / "lock", 0600).file);
  EXPECT_EQ(errno, ELOOP);
  EXPECT_FALSE(take_lock(folder / "missing/lock", 0600).file);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace mezzo::files::lock_test
