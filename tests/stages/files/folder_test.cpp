#include "stages/files/folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "kernels/base/error.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/temp_folder.h"

namespace mezzo::files::folder_test {
namespace {

using test::TempFolder;
using testing::ElementsAre;

ErrorKind kind_of_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::kBug;
}

std::vector<std::string> walked(const TempFolder& folder, Hidden hidden = Hidden::kLeaveOut) {
  std::vector<std::string> paths;
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  walk_tree(open.get(), folder.path(), hidden, [&](const TreeEntry& entry) {
    paths.push_back(entry.path + (entry.stat.is_folder() ? "/" : ""));
  });
  return paths;
}

TEST(Folder, NamesAreSortedAndWithoutDots) {
  const TempFolder folder;
  for (const char* name : {"b", "a", ".hidden"}) folder.write(name, "");
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_THAT(names_in(open.get(), folder.path()), ElementsAre(".hidden", "a", "b"));
  // Reading did not move the position of the descriptor.
  EXPECT_THAT(names_in(open.get(), folder.path()), ElementsAre(".hidden", "a", "b"));
}

TEST(Folder, AReadErrorIsNotTheEndOfTheFolder) {
  const TempFolder folder;
  for (const char* name : {"a", "b", "c"}) folder.write(name, "");
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const test::FailingReaddir failing(4);
  EXPECT_EQ(kind_of_error([&] { names_in(open.get(), folder.path()); }), ErrorKind::kIo);
}

TEST(Folder, ATreeIsWalkedFolderBeforeContentByName) {
  const TempFolder folder;
  folder.write("sub/deep/x", "");
  folder.write("sub/a", "");
  folder.write("z", "");
  folder.write(".hidden/x", "");
  ASSERT_EQ(::symlink("/etc", (folder / "link").c_str()), 0);
  EXPECT_THAT(walked(folder), ElementsAre("link", "sub/", "sub/a", "sub/deep/", "sub/deep/x", "z"));
  EXPECT_EQ(walked(folder, Hidden::kVisit).size(), 8U);
}

TEST(Folder, ATreeThatIsTooDeepIsRefused) {
  const TempFolder folder;
  std::string path = "1";
  for (size_t depth = 2; depth <= kMaxTreeDepth; ++depth) path += "/" + std::to_string(depth);
  folder.write(path + "/file", "");
  EXPECT_EQ(walked(folder).size(), kMaxTreeDepth + 1);
  folder.write(path + "/more/file", "");
  EXPECT_EQ(kind_of_error([&] { walked(folder); }), ErrorKind::kLimit);
}

TEST(Folder, OpeningFollowsNoLink) {
  const TempFolder folder;
  folder.write("in/file", "text");
  ASSERT_EQ(::symlink("in", (folder / "link").c_str()), 0);
  ASSERT_EQ(::symlink("in/file", (folder / "file_link").c_str()), 0);
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(open_folder(open.get(), "in"));
  EXPECT_FALSE(open_folder(open.get(), "link"));
  EXPECT_FALSE(open_regular(open.get(), "file_link"));
  EXPECT_TRUE(open_beneath(open.get(), "in/file", O_RDONLY));
  EXPECT_FALSE(open_beneath(open.get(), "link/file", O_RDONLY));
  EXPECT_FALSE(open_beneath(open.get(), "../" + folder.path(), O_RDONLY));
  const Descriptor file = open_regular(open_folder(open.get(), "in").get(), "file");
  ASSERT_TRUE(file);
  EXPECT_EQ(read_all(file.get(), 3), "tex");
  EXPECT_EQ(read_all(file.get(), 3), "t");
}

TEST(Folder, ASecondNameIsRefused) {
  const TempFolder folder;
  folder.write("file", "text");
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(open_regular(open.get(), "file"));
  ASSERT_EQ(::link((folder / "file").c_str(), (folder / "second").c_str()), 0);
  EXPECT_FALSE(open_regular(open.get(), "file"));
  EXPECT_EQ(errno, EMLINK);
}

/// Counts what it syncs.
class CountingSyncs final : public FileSystem {
 public:
  int fsync(int fd) override {
    ++syncs;
    errno = error_number;
    return error_number == 0 ? FileSystem::fsync(fd) : -1;
  }
  int syncs = 0;
  int error_number = 0;
};

TEST(Folder, SyncsTheFilesOfATree) {
  const TempFolder folder;
  folder.write("page.tif", "page");
  folder.write("in/.hidden", "text");
  ASSERT_EQ(::symlink("page.tif", (folder / "link").c_str()), 0);
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  CountingSyncs files;
  sync_tree(files, open.get(), "job");
  EXPECT_EQ(files.syncs, 2);
  files.error_number = EINVAL;  // a file system without it
  sync_tree(files, open.get(), "job");
  files.error_number = EIO;
  EXPECT_EQ(kind_of_error([&] { sync_tree(files, open.get(), "job"); }), ErrorKind::kIo);
}

}  // namespace
}  // namespace mezzo::files::folder_test
