// Renaming without replacing, where the file system lacks the flag, and links.
#include "stages/files/rename.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "stages/files/publish.h"
#include "tests/support/poor_disk.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Ends its process at the k-th call that changes something.
class DyingDisk final : public PoorDisk {
 public:
  explicit DyingDisk(int strike) : strike_(strike) {}

  int open(files::At at, int flags, unsigned mode) override {
    if ((flags & O_CREAT) != 0) count();
    return PoorDisk::open(at, flags, mode);
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    count();
    return PoorDisk::pwrite(fd, data, bytes, offset);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    count();
    return PoorDisk::rename(from, to, flags);
  }

 private:
  void count() {
    if (++calls_ == strike_) ::_exit(7);
  }

  int strike_;
  int calls_ = 0;
};

/// The exit status of a process that does this.
int status_of(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

TEST(RenameNew, TakesAFreeNameAndNoOther) {
  files::FileSystem rich;
  PoorDisk poor;
  for (files::FileSystem* disk : {&rich, static_cast<files::FileSystem*>(&poor)}) {
    const TempFolder folder;
    folder.write("a", "content a");
    EXPECT_EQ(files::rename_new(*disk, folder / "a", folder / "b"), 0);
    EXPECT_THAT(folder.names(), ElementsAre("b"));
    EXPECT_EQ(content_of(folder / "b"), "content a");
    folder.write("c", "content c");
    EXPECT_EQ(files::rename_new(*disk, folder / "c", folder / "b"), -1);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(content_of(folder / "b"), "content a");
    EXPECT_EQ(content_of(folder / "c"), "content c");
    EXPECT_EQ(files::rename_new(*disk, folder / "none", folder / "d"), -1);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_THAT(folder.names(), UnorderedElementsAre("b", "c"));
  }
}

TEST(RenameNew, GoesOnWhereverItsProcessEnded) {
  for (int strike = 1;; ++strike) {
    SCOPED_TRACE("stopped at call " + std::to_string(strike));
    const TempFolder folder;
    folder.write("a", "content a");
    const int status = status_of([&] {
      DyingDisk disk(strike);
      files::rename_new(disk, folder / "a", folder / "b");
    });
    if (status == 0) break;
    ASSERT_LT(strike, 10);
    PoorDisk disk;
    EXPECT_EQ(files::rename_new(disk, folder / "a", folder / "b"), 0);
    EXPECT_THAT(folder.names(), ElementsAre("b"));
    EXPECT_EQ(content_of(folder / "b"), "content a");
  }
}

TEST(RenameNew, LeavesNoPlaceholderThatIsTakenForAPlate) {
  for (int strike = 1;; ++strike) {
    SCOPED_TRACE("stopped at call " + std::to_string(strike));
    const TempFolder folder;
    const auto publish = [&](files::FileSystem& disk) {
      files::PendingFile file(folder / "plate.tif", files::ExistingFile::kRefuse, disk);
      file.write_at(0, std::as_bytes(std::span("plate", 5)));
      file.sync();
      file.publish();
      file.commit();
    };
    const int status = status_of([&] {
      DyingDisk disk(strike);
      publish(disk);
    });
    if (status == 0) break;
    ASSERT_LT(strike, 12);
    PoorDisk disk;
    publish(disk);  // not refused
    EXPECT_EQ(content_of(folder / "plate.tif"), "plate");
    EXPECT_THROW(publish(disk), Error);  // refused, as it must be
  }
}

TEST(RenameNew, KeepsThePlaceholderOfAProcessThatLives) {
  const TempFolder folder;
  folder.write("a", "content a");
  (void)status_of([&] {
    DyingDisk disk(4);  // before the placeholder is renamed over
    files::rename_new(disk, folder / "a", folder / "b");
  });
  ASSERT_THAT(content_of(folder / "b"), HasSubstr("Placeholder of mezzotint"));
  std::string text = content_of(folder / "b");
  const std::string process = std::to_string(::getpid());
  const size_t begin = text.find('.') + 1;
  text.replace(begin, text.find('-') - begin, process);
  folder.write("b", text);
  folder.write("c", "content c");
  PoorDisk disk;
  EXPECT_EQ(files::rename_new(disk, folder / "c", folder / "b"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(files::rename_new(disk, folder / "a", folder / "b"), 0);  // its own file
}

TEST(RenameNew, KeepsAnEmptyFileWhereNoPlaceholdersAreNeeded) {
  const TempFolder folder;
  folder.write("a", "content a");
  folder.write("b", "");
  EXPECT_EQ(files::rename_new(files::FileSystem::real(), folder / "a", folder / "b"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_THAT(folder.names(), UnorderedElementsAre("a", "b"));
}

}  // namespace
}  // namespace mezzo::test
