#include "pipeline/watch/status/page_token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "kernels/base/error.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::page_token_test {
namespace {

TEST(PageToken, is_new_each_time) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(watch::new_token());
  EXPECT_EQ(tokens.size(), 100U);
  EXPECT_EQ(tokens.begin()->size(), 64U);
}

TEST(PageToken, is_kept_for_its_user_alone) {
  const TempFolder folder;
  const std::string path = folder / "state/page.token";
  const std::string token = watch::kept_token(path);
  EXPECT_EQ(token.size(), 64U);
  EXPECT_EQ(watch::kept_token(path), token);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "state"), {}), 1);
}

TEST(PageToken, refuses_one_that_others_may_know) {
  const TempFolder folder;
  const std::string path = folder / "page.token";
  watch::kept_token(path);
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  EXPECT_THROW(watch::kept_token(path), Error);
  folder.write("page.token", "short");
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  EXPECT_THROW(watch::kept_token(path), Error);
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/etc/hostname", path);
  EXPECT_THROW(watch::kept_token(path), Error);
}

}  // namespace
}  // namespace mezzo::test::page_token_test
